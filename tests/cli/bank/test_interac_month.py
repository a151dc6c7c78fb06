"""A month of an association that is paid by Interac, in cash and by cheque, typed as in the docs.

The treasurer matches each sender once, in October. In November one import, the receipts of cash
and cheques and one reconciliation are all there is to type, and the colleague signs once.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.fakes.clock import FakeClock
from tests.sizes import IS_FULL

INTERAC, CASH, CHEQUES = (130, 10, 3) if IS_FULL else (9, 2, 1)
PEOPLE = INTERAC + CASH + CHEQUES
COMMANDS_MAX = 15
TREASURER, COLLEAGUE = "tester", "kofi"

HEADER = "Date,Transaction,Name,Memo,Amount,Balance"
MAPPING = (
    *("--date", "Date", "--date-format", "%m/%d/%Y", "--amount", "Amount"),
    *("--text", "Name", "--text", "Memo", "--balance", "Balance"),
)
GIVEN = (
    "AMA",
    "KOFI",
    "ESI",
    "YAW",
    "ABENA",
    "KOJO",
    "AKUA",
    "KWESI",
    "AFIA",
    "KWAME",
    "YAA",
    "EFUA",
)
FAMILY = ("MENSAH", "OWUSU", "BOATENG", "ASANTE", "ADDO", "OSEI", "OFORI", "ANTWI", "BAAH", "DARKO")
PARTS = ("", "-AGYEI")


def name(number: int) -> tuple[str, str]:
    """Return the name of a person; no two are alike."""
    rest, given = divmod(number, len(GIVEN))
    part, family = divmod(rest, len(FAMILY))
    return GIVEN[given].title(), f"{FAMILY[family]}{PARTS[part]}".title()


def email(number: int) -> str:
    """Return the address of a person."""
    return f"m{number}@example.org"


class Books:
    """The treasurer's terminal, the bank, and a journal written by hand beside them."""

    def __init__(self, shell: GivingShell, patch: pytest.MonkeyPatch, clock: FakeClock) -> None:
        """Begin with an empty account."""
        self.shell = shell
        self.clock = clock
        self.typed = 0
        self.balance = 0
        self.journal: list[str] = []
        self._patch = patch

    def type(self, *words: str) -> str:
        """Type a command as the treasurer; one that waits for the colleague is done, too."""
        self.typed += 1
        status, out, err = self.shell.run(*words)
        assert status in {ExitCode.DONE, ExitCode.WAITING}, err
        return out

    def sign(self, *words: str) -> str:
        """Type a command as the colleague."""
        self._patch.setenv("JARA_OPERATOR", COLLEAGUE)
        out = self.shell.done(*words)
        self._patch.setenv("JARA_OPERATOR", TREASURER)
        return out

    def statement(self, month: int, deposits: dict[str, int]) -> str:
        """Write the bank's CSV of a month: e-transfers with their senders' names, and deposits."""
        rows = []
        for number in range(INTERAC):
            first, last = name(number)
            text = f"INTERAC e-Transfer From: {first} {last}".upper()
            rows.append((date(2026, month, 1 + number % 20), text, f"CA{month}x{number}", 10_00))
        rows += [(date(2026, month, 25), text, "", cents) for text, cents in deposits.items()]
        lines = [HEADER]
        for day, text, memo, cents in sorted(rows, key=lambda row: row[0]):
            self.balance += cents
            amounts = f"{cents / 100:.2f},{self.balance / 100:.2f}"
            lines.append(f"{day:%m/%d/%Y},OTHER,{text},{memo},{amounts}")
        file = f"{date(2026, month, 1):%B}.csv".lower()
        (self.shell.folder / file).write_text("\n".join([*lines, ""]), encoding="utf-8")
        return file

    def write(self, day: date, text: str, *postings: tuple[str, int]) -> None:
        """Write an entry into the journal by hand."""
        lines = [f"    {account}  {cents / 100:.2f} CAD" for account, cents in postings]
        self.journal += [f"{day} {text}", *lines, ""]

    def gift(self, account: str, day: date) -> None:
        """Write a member's gift of ten dollars into the journal by hand."""
        self.write(day, "pledge", (account, 1000), ("income:pledges", -1000))


@pytest.fixture
def books(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Books:
    """The association on 1 October: everybody has promised ten dollars a month."""
    clock = stop_clock(monkeypatch)
    clock.at = clock.at.replace(month=10, day=1)
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    (tmp_path / "ours").mkdir()
    monkeypatch.setenv("JARA_DATABASE_URL", "ours/jara.db")
    shell.done("init", "--currency", "CAD", "--time-zone", "America/Toronto")
    for account in ("assets:cash", "assets:cheques"):
        shell.done("ledger", "accounts", "add", account, "--meaning", "Not at the bank yet.")
    for way, account in (
        ("transfer", "assets:bank"),
        ("cash", "assets:cash"),
        ("cheque", "assets:cheques"),
    ):
        shell.done("payments", "ways", "set", way, "--account", account, "--details", "x")
    for number in range(PEOPLE):
        first, last = name(number)
        person = ("--firstname", first, "--lastname", last, "--country", "Canada")
        added = ("members", "add", *person, "--email", email(number), "--password-stdin")
        shell.done(*added, typed="correct horse\n")
        shell.done("members", "confirm", email(number))
        # The way of the promise is the usual one; this month's payment may come another way.
        shell.done("payments", "promise", email(number), "10", "--way", "transfer")
    shell.done("bank", "mappings", "add", "interac", "--account", "1000200030", *MAPPING)
    for account, text in (("assets:cash", "CASH DEPOSIT"), ("assets:cheques", "CHEQUE DEPOSIT")):
        shell.done("bank", "rules", "add", account, "--money", "in", "--contains", text)
    for operator in (TREASURER, COLLEAGUE):
        shell.done("operators", "add", operator)
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "50000")
    return Books(shell, monkeypatch, clock)


def live_month(books: Books, month: int) -> str:
    """Type a month at its end: cash and cheques, and the statement."""
    books.clock.at = books.clock.at.replace(month=month, day=30)
    for number in range(INTERAC, PEOPLE):
        way = "cash" if number < INTERAC + CASH else "cheque"
        day = date(2026, month, 5)
        books.type("payments", "receive", email(number), "10", "--way", way, "--date", str(day))
        books.gift("assets:cash" if way == "cash" else "assets:cheques", day)
    deposits = {"CASH DEPOSIT": CASH * 1000, "CHEQUE DEPOSIT": CHEQUES * 1000}
    file = books.statement(month, deposits)
    new = ("--new-account", "assets:bank") if month == 10 else ()
    books.type("bank", "import", file, *new)
    for number in range(INTERAC):
        books.gift("assets:bank", date(2026, month, 1 + number % 20))
    deposited = date(2026, month, 25)
    books.write(deposited, "cash", ("assets:bank", CASH * 1000), ("assets:cash", -CASH * 1000))
    cheques = CHEQUES * 1000
    books.write(deposited, "cheques", ("assets:bank", cheques), ("assets:cheques", -cheques))
    return file


def match_senders(books: Books) -> None:
    """In the first month, type whose each line is: the list of lines that wait proposes it."""
    for line in json.loads(books.shell.done("bank", "waiting", "--json")):
        proposed = line["reason"].partition("jara bank match ")[2].split(" ")
        assert proposed[0] == line["id"]
        books.type("bank", "match", line["id"], *proposed[1:3])


def hledger(books: Books, file: Path) -> str:
    """Return the balances of a journal by hledger."""
    words = ["hledger", "-f", str(file), "balance", "--flat", "--no-total", "not:equity"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(shutil.which("hledger") is None, reason="needs hledger")
def test_the_second_month_is_fifteen_commands_and_one_signature(books: Books) -> None:
    """The books equal a journal that was written by hand, and everybody may vote."""
    shell = books.shell
    october = live_month(books, 10)
    match_senders(books)
    listed = books.sign("approvals", "approve", "--all-of", october, "--yes")
    assert f"{name(0)[0]} {name(0)[1]} <{email(0)}>" in listed
    assert shell.json("approvals", "list") == []

    books.typed = 0
    november = live_month(books, 11)
    books.type("bank", "reconcile", "--month", "2026-11")
    assert books.typed <= COMMANDS_MAX
    assert len(shell.json("approvals", "list")) == CASH + CHEQUES + 1
    books.sign("approvals", "approve", "--all-of", november, "--yes")

    assert (shell.json("approvals", "list"), shell.json("bank", "waiting")) == ([], [])
    found = shell.json("bank", "reconcile", "--month", "2026-11")
    assert (found["statementCents"], found["differences"]) == (books.balance, [])
    may_vote = [shell.json("members", "show", email(n))["mayVote"] for n in range(0, PEOPLE, 4)]
    shell.done("ledger", "export", "--format", "journal", "--out", "books.journal")
    (shell.folder / "hand.journal").write_text("\n".join(books.journal), encoding="utf-8")
    assert hledger(books, shell.folder / "books.journal") == hledger(
        books, shell.folder / "hand.journal"
    )
    assert shell.run("ledger", "verify")[0] == ExitCode.DONE
    assert all(may_vote)
