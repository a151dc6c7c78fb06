"""The ``jara bank`` commands, run as a user types them."""

from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.voting_shell import Shell
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.files.bank.written_statements import WRITERS

MAY = a_statement(a_line(-1250, "HOSTING May", day=4), a_line(-250, "FEE", day=5), opening=10_000)
MAPPING = (
    "bank", "mappings", "add", "my-bank", "--account", NUMBER, "--date", "Booked",
    "--date-format", "%d.%m.%Y", "--amount", "Amount", "--decimal", "comma", "--text", "Purpose",
    "--reference", "Reference", "--party", "Name", "--party-account", "Account",
    "--balance", "Balance", "--currency", "Currency", "--delimiter", ";", "--encoding", "latin-1",
)  # fmt: skip
WHY = ("--why", "Asked for")


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """A terminal with bank statements in its folder and books to import them into."""
    shell = Shell(tmp_path, monkeypatch, capsys)
    for name, write in WRITERS.items():
        (tmp_path / name).write_bytes(write([MAY]))
    opening = ("--debit", "assets:bank", "--credit", "equity:opening", "--fund", "other")
    words = ("--amount", "100", "--date", "2026-04-30", "--kind", "opening")
    assert shell.run("ledger", "post", *opening, *words)[0] == ExitCode.DONE
    return shell


def test_a_month_is_imported_matched_and_reconciled(shell: Shell) -> None:
    """Statements can be imported, open lines matched, and the month reconciled to the cent."""
    first = shell.run("bank", "import", "camt.053", "--new-account", "assets:bank")
    undo, waits = first[2].splitlines()
    assert (first[0], waits) == (0, "Lines wait for a decision: jara bank waiting")
    assert undo.endswith("`jara ledger undo` takes it back.")
    (hosting, fee) = (row["id"] for row in shell.json("bank", "waiting"))
    assert shell.run("bank", "reconcile", "--month", "2026-05")[0] == 1

    for words in (
        ("match", hosting, "expenses:operations"),
        ("match", hosting, "expenses:operations", "--rule", "HOSTING"),
        ("rules", "add", "expenses:operations", "--money", "out", "--contains", "HOSTING"),
    ):
        code, out, err = shell.run("bank", *words)
        assert (code, out, "say --why" in err) == (ExitCode.USAGE, "", True)
    assert len(shell.json("bank", "waiting")) == 2
    code, _, err = shell.run(
        "bank", "match", hosting, "expenses:operations", *WHY, "--rule", "HOSTING"
    )
    assert (code, err[-23:]) == (0, " matched 0 more lines.\n")
    shell.json(
        "bank", "match", fee, "expenses:operations@other=1.50", "expenses:fees:bank@other", *WHY
    )
    found = shell.json("bank", "reconcile", "--month", "2026-05")

    assert (
        found["statementCents"],
        found["booksCents"],
        found["differenceCents"],
        found["differences"],
    ) == (8500, 8500, 0, [])
    assert shell.json("bank", "accounts") == [{"number": NUMBER, "account": "assets:bank"}]


def test_a_file_of_200_mb_is_refused(shell: Shell, tmp_path: Path) -> None:
    """The file is rejected before it is read completely, and the message says what to do."""
    with (tmp_path / "large.xml").open("wb") as file:
        file.truncate(200 << 20)

    status, _, err = shell.run("bank", "import", "large.xml", "--new-account", "assets:bank")

    says = "large.xml is larger than 64 MiB; export the year in parts, such as months."
    assert (status, says in err) == (ExitCode.USAGE, True)


def test_rules_are_added_listed_and_removed(shell: Shell) -> None:
    """A new rule matches the waiting lines."""
    shell.run("bank", "import", "mt940", "--new-account", "assets:bank")
    rule = (
        "bank",
        "rules",
        "add",
        "expenses:operations",
        "--money",
        "out",
        "--contains",
        "hosting",
        *WHY,
    )
    made = shell.json(*rule, "--fund", "other", "--min", "1", "--max", "20")
    listed = shell.json("bank", "rules", "list")

    assert (made["matched"], made["waiting"]) == (1, 1)
    assert [(r["fund"], r["minCents"], r["maxCents"]) for r in listed] == [("other", 100, 2000)]
    posted = ("--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other", *WHY)
    shell.run("ledger", "post", *posted, "--amount", "2.50", "--date", "2026-05-05")
    assert shell.json("bank", "rematch") == {"matched": 1, "waiting": 0}
    assert [row["id"] for row in shell.json("bank", "rules", "remove", made["id"])] == [made["id"]]
    number = ("--from-account", NUMBER, "--money", "in")
    assert shell.json("bank", "rules", "add", "income:gifts", *number)["matched"] == 0


def test_an_entry_shows_its_bank_line(shell: Shell) -> None:
    """An entry shows file, line, day and text of its bank line, also after an undo."""
    shell.run("bank", "import", "camt.053", "--new-account", "assets:bank")
    (hosting, _) = shell.json("bank", "waiting")
    shell.run("bank", "match", hosting["id"], "expenses:operations", *WHY)
    entry = shell.json("ledger", "register", "expenses:operations")["entries"][0]["id"]
    named = f"camt.053, line {hosting['line']}, 2026-05-04: HOSTING May\n"
    (line,) = shell.json("ledger", "show", entry)["bankLines"]

    assert (*(line[key] for key in ("file", "line", "date", "text", "undone")),) == (
        "camt.053",
        hosting["line"],
        "2026-05-04",
        "HOSTING May",
        False,
    )
    assert f"Bank line: {named}" in shell.run("ledger", "show", entry)[1]
    (done, *_) = shell.json("ledger", "imports")
    shell.json("ledger", "undo", done["id"], "--why", "wrong", "--yes")
    assert f"Bank line (undone): {named}" in shell.run("ledger", "show", entry)[1]
    posted = shell.json("ledger", "register", "equity:opening")["entries"][0]["id"]
    assert "Bank line" not in shell.run("ledger", "show", posted)[1]


def test_lines_that_are_left_out_are_named(shell: Shell) -> None:
    """Skipped lines are listed with file, line and reason, even if the file has no other line."""
    pending = (shell.folder / "camt.053").read_bytes().replace(b"BOOK", b"PDNG", 1)
    (shell.folder / "pending.xml").write_bytes(pending.replace(b"85.00", b"97.50"))
    words = ("bank", "import", "pending.xml", "--new-account", "assets:bank")
    err = shell.run(*words)[2]
    document = shell.json(*words)

    number = document["leftOut"][0]["line"]
    assert f"pending.xml, line {number}: not booked yet; left out." in err
    assert (document["ignored"], len(document["leftOut"])) == (1, 1)
    assert shell.run(*MAPPING)[0] == ExitCode.DONE
    zero = WRITERS["csv"]([a_statement(a_line(5, "NOTHING", day=4), opening=0)])
    (shell.folder / "zero.csv").write_bytes(zero.replace(b"0,05;0,05", b"0,00;0,00"))
    code, _, err = shell.run("bank", "import", "zero.csv")
    assert (code, "Line 2: the amount is zero; left out." in err) == (ExitCode.USAGE, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["zzzz"], "Name the accounts of the line, or its entries"),
        (["zzzz", "income:gifts", "--entry", "a"], "Name the accounts"),
        (["zzzz", "income:gifts=1", "--rule", "abcd"], "--rule needs one account"),
        (["zzzz", "--entry", "a"], "no bank line 'zzzz'; see `jara bank waiting`"),
        (["zzzz", "expenses:projects:wells"], "jara projects pay"),
    ],
)
def test_a_match_that_cannot_be_is_refused(shell: Shell, words: list[str], message: str) -> None:
    """The message says what to write instead."""
    code, _, err = shell.run("bank", "match", *words)

    assert message in err
    assert code


def test_statements_that_end_before_the_month_are_named(shell: Shell) -> None:
    """The report names the last day of statements that end before the month does."""
    early = a_statement(a_line(-1250, "A"), opening=10_000, last=MAY.lines[0].day)
    (shell.folder / "early").write_bytes(WRITERS["camt.053"]([early]))
    shell.run("bank", "import", "early", "--new-account", "assets:bank")
    out = shell.run("bank", "reconcile", "--month", "2026-05", "--account", "3000")

    assert "The statements end on 2026-05-04." in out[2]


def test_a_preset_reads_a_statement(shell: Shell) -> None:
    """A preset needs an account; its mapping is shown whole, and its currency is that of the books.

    Without a mapping, the message says which preset to add.
    """
    (shell.folder / "td.csv").write_text("05/04/2026,GC 1234,,10.00,110.00\n")
    assert (
        "Type: jara bank mappings add td --preset td --account"
        in (shell.run("bank", "import", "td.csv")[2])
    )
    presets = {row["name"]: row for row in shell.json("bank", "mappings", "presets")}
    add = ("bank", "mappings", "add", "td", "--preset", "td", "--account", "1234567")

    assert {"td", "rbc", "scotiabank", "cibc", "wise", "paypal", "mpesa"} <= presets.keys()
    assert presets["td"]["currency"] == "CAD"
    assert shell.run(*add)[0] == ExitCode.USAGE
    assert "say --currency USD" in shell.run(*add)[2]
    assert shell.run(*add, "--currency", "USD")[0] == ExitCode.DONE
    shown = shell.json("bank", "mappings", "show", "td")
    assert (shown["debit"], shown["only"], shown["currency"]) == ("Debit", [], "USD")
    assert "CAD" not in shell.run("bank", "mappings", "show", "td")[1]
    assert shell.json("bank", "import", "td.csv", "--new-account", "assets:bank")["added"] == 1


def test_every_option_of_a_mapping_is_kept(shell: Shell) -> None:
    """The mapping is stored whole; without `--currency` it has that of the books, and says so."""
    words = (
        "bank", "mappings", "add", "own", "--account", "7", "--columns", 'Day,"A, B",Kind,Sum,S',
        "--date", "Day", "--text", "A, B", "--amount", "Sum", "--sign", "Kind=D",
        "--only", "S=x", "--only", "S=y", "--decimal", "comma", "--delimiter", "tab",
    )  # fmt: skip
    status, _, err = shell.run(*words)
    shown = shell.json("bank", "mappings", "show", "own")

    assert (status, "The amounts are in USD" in err) == (ExitCode.DONE, True)
    assert (shown["columns"], shown["only"]) == (
        ["Day", "A, B", "Kind", "Sum", "S"],
        ["S=x", "S=y"],
    )
    assert (shown["sign"], shown["decimal"], shown["delimiter"]) == ("Kind=D", ",", "\t")
    assert shown["currency"] == "USD"
    other = ("bank", "mappings", "add", "ing", "--account", "8", "--date", "D", "--amount")
    assert "The mapping is in EUR, but" in shell.run(*other, "Bedrag (EUR)")[2]
    assert shell.run(*other, "Bedrag (EUR)", "--currency", "USD")[0] == ExitCode.DONE
    status, _, err = shell.run("bank", "mappings", "show", "onw")
    assert (status, "did you mean own?" in err) == (ExitCode.NOT_FOUND, True)


def test_accounts_of_a_file_are_added_or_left_out(shell: Shell) -> None:
    """Accounts are added by number, or left out; an unknown one is named."""
    other = a_statement(a_line(12, "INTEREST"), account="GB33BUKB20201555555555")
    (shell.folder / "both.sta").write_bytes(WRITERS["mt940"]([MAY, other]))
    shell.run("ledger", "accounts", "add", "assets:savings", "--meaning", "Savings.")

    status, _, err = shell.run("bank", "import", "both.sta", "--new-account", "assets:bank")
    assert (status, "accounts that are not known" in err) == (ExitCode.CONFLICT, True)
    two = ("--new-account", "assets:bank", "--new-account", "assets:savings")
    assert "which account is which" in shell.run("bank", "import", "both.sta", *two)[2]
    bank = ("--new-account", "3000=assets:bank")
    left_out = shell.json("bank", "import", "both.sta", *bank, "--only", "3000")["leftOut"]
    assert [one["message"] for one in left_out] == [
        "the account GB33BUKB20201555555555 is not named by --only; left out"
    ]
    status, _, err = shell.run("bank", "import", "both.sta", "--partial")
    assert (status, "5555 is not known; left out." in err) == (ExitCode.DONE, True)
    assert (
        shell.json("bank", "import", "both.sta", *bank, "--new-account", "5555=assets:savings")[
            "added"
        ]
        == 1
    )


def test_options_name_the_account_and_the_encoding(shell: Shell) -> None:
    """Both are said by an option; the error names the option."""
    data = WRITERS["ofx"]([MAY]).replace(b"<ACCTID>" + NUMBER.encode(), b"")
    (shell.folder / "nameless").write_bytes(data.replace(b"HOSTING", "SEÑAL".encode("cp437")))
    words = ("bank", "import", "nameless", "--new-account", "assets:bank")

    assert "say which it is with --account NUMBER" in shell.run(*words)[2]
    assert shell.json(*words, "--account", NUMBER, "--encoding", "cp437")["added"] == 2
    assert shell.json("bank", "waiting")[0]["text"] == "SEÑAL May"
    assert shell.json("bank", "accounts") == [{"number": NUMBER, "account": "assets:bank"}]
