"""Two months of an association without cards, typed as docs/month.md says, from its first day on.

The treasurer matches each sender once, in October. In November one import, the receipts of cash
and cheques and one reconciliation are all there is to type, and the colleague signs once.
"""

import json
import os
import shlex
import shutil
import subprocess
import time
from datetime import date
from pathlib import Path

import pytest

from jara.bootstrap import build
from jara.config.loading import load_settings
from jara.services.members.password_resets import reset_password
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import PASSWORD, GivingShell, stop_clock
from tests.fakes.clock import FakeClock
from tests.sent_emails import mailed_code
from tests.sizes import IS_FULL, saw
from tests.test_readme import MONTH
from tests.transcripts import steps_of

INTERAC, CASH, CHEQUES, WITHOUT_ADDRESS = (130, 10, 3, 7) if IS_FULL else (9, 2, 1, 2)
PEOPLE = INTERAC + CASH + CHEQUES
NO_ADDRESS = range(INTERAC - WITHOUT_ADDRESS + 1, INTERAC + 1)
"""All but one pay by Interac; that one, the last, uses the address of the first member."""
VOTERS = set(range(0, PEOPLE, 4)) - set(NO_ADDRESS)
"""They follow the link of their invitation; that the others do not makes the test faster."""
FEE_CENTS = 495
COMMANDS_MAX = 15
MINUTES_MAX = 10
"""By the rule in docs/month.md: typing 40 words of five characters a minute, reading 200 words."""
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
    """Return the address of a person, also if somebody else has it."""
    return f"m{0 if number == NO_ADDRESS[-1] else number}@example.org"


def called(number: int) -> str:
    """Return what a person is called in a command: the address, or the name without one."""
    return " ".join(name(number)) if number in NO_ADDRESS else email(number)


def is_documented(words: tuple[str, ...]) -> bool:
    """Return whether the month in the docs has a command of this verb with these options."""
    needed = {*words[:2], *(word for word in words if word.startswith("--"))}
    return any(needed <= set(command.split()) for command, _ in steps_of(MONTH))


class Books:
    """The treasurer's terminal, the bank, and a journal written by hand beside them."""

    def __init__(self, shell: GivingShell, patch: pytest.MonkeyPatch, clock: FakeClock) -> None:
        """Begin with an empty account."""
        self.shell = shell
        self.clock = clock
        self.begin_month()
        self.balance = 0
        self.journal: list[str] = []
        self._patch = patch

    def begin_month(self) -> None:
        """Count what is typed, how long it takes to type and read, and what the program takes."""
        self.typed, self.signed, self.program_seconds = 0, 0, 0.0
        self.minutes = {TREASURER: 0.0, COLLEAGUE: 0.0}

    def type(self, *words: str) -> str:
        """Type a command as the treasurer; one that waits for the colleague is done, too."""
        assert is_documented(words), words
        self.typed += 1
        return self.run(TREASURER, words, {ExitCode.DONE, ExitCode.WAITING})

    def run(self, person: str, words: tuple[str, ...], good: set[ExitCode]) -> str:
        """Run a command, and count its time and the person's."""
        began = time.perf_counter()
        status, out, err = self.shell.run(*words)
        self.program_seconds += time.perf_counter() - began
        assert status in good, err
        typing = len(shlex.join(["jara", *words])) / 5 / 40
        self.minutes[person] += typing + len(f"{out} {err}".split()) / 200
        return out

    def sign(self, *words: str) -> str:
        """Type a command as the colleague."""
        assert is_documented(words), words
        self.act_as(COLLEAGUE)
        self.signed += 1
        out = self.run(COLLEAGUE, words, {ExitCode.DONE})
        self.act_as(TREASURER)
        return out

    def act_as(self, operator: str) -> None:
        """Let an operator with a key sit down at the terminal."""
        self._patch.setenv("JARA_OPERATOR", operator)
        self._patch.setenv("JARA_OPERATOR_KEY", str(self.shell.folder / operator))

    def statement(self, month: int, deposits: dict[str, int]) -> str:
        """Write the bank's CSV of a month: e-transfers with their senders' names, and deposits."""
        rows = []
        for number in range(INTERAC):
            first, last = name(number)
            text = f"INTERAC e-Transfer From: {first} {last}".upper()
            rows.append((date(2026, month, 1 + number % 20), text, f"CA{month}x{number}", 10_00))
        rows += [(date(2026, month, 25), text, "", cents) for text, cents in deposits.items()]
        rows.append((date(2026, month, 28), "MONTHLY ACCOUNT FEE", "", -FEE_CENTS))
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
    monkeypatch.setenv("JARA_CARDS", "none")
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    for operator in (TREASURER, COLLEAGUE):
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / operator)]
        subprocess.run(words, check=True)
    books = Books(shell, monkeypatch, clock)
    books.act_as(TREASURER)
    begin(books)
    return books


def begin(books: Books) -> None:
    """Type the first day: the ways to pay, the bank, the members, the operators."""
    zone = ("--time-zone", "America/Toronto")
    books.type("init", "--currency", "CAD", *zone, "--site-url", "https://give.example.org")
    ways = {"transfer": "assets:bank", "cash": "assets:cash", "cheque": "assets:cheques"}
    for way, account in ways.items():
        if way != "transfer":
            books.type("ledger", "accounts", "add", account, "--meaning", "Not at the bank yet.")
        books.type("payments", "ways", "set", way, "--account", account, "--details", "x")
    books.type("bank", "mappings", "add", "interac", "--account", "1000200030", *MAPPING)
    for account, text in (("assets:cash", "CASH DEPOSIT"), ("assets:cheques", "CHEQUE DEPOSIT")):
        books.type("bank", "rules", "add", account, "--money", "in", "--contains", text)
    rows = ["Name,Email,Country,Promise,Way"]
    for number in range(PEOPLE):
        address = "" if number in NO_ADDRESS[:-1] else email(number)
        # The way of the promise is the usual one; this month's payment may come another way.
        rows.append(f"{' '.join(name(number))},{address},Canada,10,transfer")
    (books.shell.folder / "members.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    books.type("members", "import", "members.csv", "--no-email", "--invite")
    follow_invitations(books)
    for operator in (TREASURER, COLLEAGUE):
        key = str(books.shell.folder / f"{operator}.pub")
        roles = ("--role", "admin", "--role", "approver") if operator == COLLEAGUE else ()
        books.type("operators", "add", operator, "--key", key, *roles)
    books.type("operators", "policy", "set", "--limit", "500", "--why", "Agreed", "--yes")
    (limits,) = books.shell.json("approvals", "list")
    books.sign("approvals", "approve", "--yes", limits["id"])


def follow_invitations(books: Books) -> None:
    """Let some members choose a password by the emailed link, which confirms their address."""
    context = build(load_settings(os.environ)).context
    for number in VOTERS:
        code = mailed_code(context, "invitation", email(number))
        reset_password(context, code=code, password=PASSWORD, confirmation=PASSWORD)


def live_month(books: Books, month: int) -> str:
    """Type a month at its end: cash and cheques, and the statement."""
    books.clock.at = books.clock.at.replace(month=month, day=30)
    for number in range(INTERAC, PEOPLE):
        way = "cash" if number < INTERAC + CASH else "cheque"
        day = date(2026, month, 5)
        books.type("payments", "receive", called(number), "10", "--way", way, "--date", str(day))
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
    fee = (("assets:bank", -FEE_CENTS), ("expenses:fees:bank", FEE_CENTS))
    books.write(date(2026, month, 28), "fee", *fee)
    return file


def match_senders(books: Books) -> None:
    """In the first month, type whose each line is: the list of lines that wait proposes it."""
    for line in json.loads(books.shell.done("bank", "waiting", "--json")):
        if "FEE" in line["text"]:
            why = ("--why", "Fee of the account", "--rule", "MONTHLY ACCOUNT FEE")
            books.type("bank", "match", line["id"], "expenses:fees:bank", *why)
            continue
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

    books.begin_month()
    november = live_month(books, 11)
    books.type("bank", "reconcile", "--month", "2026-11")
    assert books.typed == CASH + CHEQUES + 2 <= COMMANDS_MAX
    assert len(shell.json("approvals", "list")) == CASH + CHEQUES + 1
    books.sign("approvals", "approve", "--all-of", november, "--yes")
    minutes = {person: round(value, 1) for person, value in books.minutes.items()}
    assert (books.signed, minutes[TREASURER] <= MINUTES_MAX) == (1, True), minutes
    seconds = round(books.program_seconds, 1)
    saw(commands=books.typed, signatures=books.signed, minutes=minutes, program_seconds=seconds)

    assert (shell.json("approvals", "list"), shell.json("bank", "waiting")) == ([], [])
    found = shell.json("bank", "reconcile", "--month", "2026-11")
    assert (found["statementCents"], found["differences"]) == (books.balance, [])
    may_vote = {n: shell.json("members", "show", called(n))["mayVote"] for n in range(PEOPLE)}
    shell.done("ledger", "export", "--format", "journal", "--out", "books.journal")
    (shell.folder / "hand.journal").write_text("\n".join(books.journal), encoding="utf-8")
    assert hledger(books, shell.folder / "books.journal") == hledger(
        books, shell.folder / "hand.journal"
    )
    assert shell.run("ledger", "verify")[0] == ExitCode.DONE
    assert {number for number, may in may_vote.items() if may} == VOTERS
