"""``jara ledger post`` and similar commands: what is posted, and the one-line refusals."""

import json
from datetime import timedelta

import pytest

from jara.bootstrap import SystemClock
from jara_cli.exits import ExitCode
from tests.cli.ledger.ledger_samples import post_rent
from tests.cli.voting_shell import Shell
from tests.services.books.ledger_builders import all_entries

WHY = ("--why", "Asked for")


def test_post_prints_the_entry_with_its_postings(banked: Shell) -> None:
    """The document shows the entry with each of its postings."""
    document = post_rent(banked)

    assert set(document) == {"id", "index", "date", "postings"}
    assert document["postings"] == [
        {"account": "expenses:operations", "fund": "other", "cents": 1250},
        {"account": "assets:bank", "fund": "other", "cents": -1250},
    ]
    words = ["--posting", "assets:bank other -5", "--posting", "expenses:fees:bank other 5.00"]
    status, out, err = banked.run("ledger", "post", *words, "--date", "2026-11-18", *WHY)
    assert (status, "expenses:fees:bank" in out) == (ExitCode.DONE, True)
    assert ("on 2026-11-18" in out, err) == (True, "")


@pytest.mark.parametrize("name", ["entry.yaml", "entry.json"])
def test_yaml_and_json_files_post_the_same_entry(banked: Shell, name: str) -> None:
    """YAML and JSON files have the same keys, and numbers keep their digits."""
    text = "date: 2026-11-19\nkind: salary\npostings:\n"
    text += "- {account: expenses:staff, fund: staff, amount: 10.50}\n"
    text += "- {account: assets:bank, fund: staff, amount: -10.50}\n"
    rows = [
        {"account": "expenses:staff", "fund": "staff", "amount": "10.50"},
        {"account": "assets:bank", "fund": "staff", "amount": "-10.50"},
    ]
    if name.endswith("json"):
        text = json.dumps({"postings": rows, "kind": "salary"})
    (banked.folder / name).write_text(text, encoding="utf-8")

    posted = banked.json("ledger", "post", name, *WHY)

    assert posted["postings"][0]["cents"] == 1050


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ([], 2, "Give a file"),
        (["x.yaml", "--amount", "1"], 2, "Give a file"),
        (["--amount", "1"], 2, "--debit, --credit, --fund is missing"),
        (["--posting", "assets:bank 5"], 2, "'assets:bank 5' is not a posting"),
        (["missing.yaml"], 3, "There is no file 'missing.yaml'"),
        (["broken.yaml"], 2, "broken.yaml, line 1"),
        (["latin.yaml"], 2, "latin.yaml, line 1: byte 0xe9 is not UTF-8"),
        (["list.yaml"], 2, "list.yaml: The entry must be an object with keys"),
        (["twice.json"], 2, "twice.json: the key 'date' is twice"),
        (["chart.yaml"], 2, "chart.yaml: The chart of accounts has no 'assets:bankk'"),
        (["float.json"], 2, "float.json: 'cents' is '1.0'; it is a whole number."),
    ],
)
def test_post_refuses_in_one_line(
    shell: Shell, words: list[str], status: int, sentence: str
) -> None:
    """A refusal names the value or the file, and nothing is posted."""
    (shell.folder / "broken.yaml").write_text("a: [", encoding="utf-8")
    (shell.folder / "latin.yaml").write_bytes("description: café".encode("latin-1"))
    (shell.folder / "list.yaml").write_text("- a", encoding="utf-8")
    (shell.folder / "twice.json").write_text('{"date": "a", "date": "b"}', encoding="utf-8")
    sides = "postings:\n- {account: assets:bankk, fund: other, amount: 1}\n"
    sides += "- {account: assets:bank, fund: other, amount: -1}\n"
    (shell.folder / "chart.yaml").write_text(sides, encoding="utf-8")
    row = '{"account": "assets:bank", "fund": "other", "cents": 1.0}'
    (shell.folder / "float.json").write_text(f'{{"postings": [{row}]}}', encoding="utf-8")

    got, out, err = shell.run("ledger", "post", *words)

    assert (got, out) == (status, "")
    assert err.startswith("error: ")
    assert sentence in err
    assert err.count("\n") == 1
    assert shell.json("ledger", "verify")["entries"] == 0


@pytest.mark.parametrize("why", [(), ("--why", " ")])
def test_an_expense_needs_a_reason(banked: Shell, why: tuple[str, ...]) -> None:
    """Without a reason nothing is posted; with one, entry and audit log have it."""
    pair = ("--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other")
    words = ("ledger", "post", *pair, "--amount", "1")
    status, out, err = banked.run(*words, *why)
    assert (status, out, "say --why" in err) == (ExitCode.USAGE, "", True)

    entry = banked.json(*words, *WHY)["id"]

    assert banked.json("ledger", "show", entry)["note"] == "Asked for"
    assert "Note: Asked for" in banked.run("ledger", "show", entry)[1]
    (act,) = banked.json("operators", "log", "--of", entry)
    assert act["why"] == "Asked for"


def test_transfers_bank_charges_and_returns(banked: Shell) -> None:
    """Transfers, bank charges and returns each have a command."""
    posted = post_rent(banked)
    assert len(banked.json("ledger", "transfer", "staff", "other", "1")["postings"]) == 4
    charge = banked.json("ledger", "bank-charge", "0.20", "--date", "2026-11-18")
    assert sum(row["cents"] for row in charge["postings"] if row["cents"] > 0) == 20
    back = banked.json(
        "ledger", "return", posted["id"], "2", "--received", "1.98", "--date", "today"
    )
    assert [row["cents"] for row in back["postings"]] == [198, -200, 2]
    assert banked.json("ledger", "return", posted["id"], "2")["postings"][0]["cents"] == 200
    status, _, err = banked.run("ledger", "bank-charge", "1", "--date", "2026-11")
    assert (status, "is not a single day" in err) == (ExitCode.USAGE, True)


RENT = ("--debit", "assets:bank", "--credit", "income:grants", "--fund", "other", "--amount", "12")
SAID = "is more than 7 days ahead"


def ahead(days: int) -> str:
    """Return the date some days after today on the machine's clock."""
    return (SystemClock().now().date() + timedelta(days=days)).isoformat()


@pytest.mark.parametrize(("days", "status"), [(7, ExitCode.DONE), (8, ExitCode.USAGE)])
def test_an_entry_is_dated_at_most_a_week_ahead(shell: Shell, days: int, status: int) -> None:
    """A date more than a week ahead needs `--future`."""
    words = ("ledger", "post", *RENT, "--description", "Grant", "--date", ahead(days))

    found, _, err = shell.run(*words)

    assert status == found, err
    assert (SAID in err) == (status != ExitCode.DONE)
    assert shell.run(*words, "--future")[0] == ExitCode.DONE


def test_other_entries_are_dated_near_too(shell: Shell) -> None:
    """Corrections, transfers and bank charges cannot be dated far ahead either."""
    day = ahead(30)
    made = shell.json("ledger", "post", *RENT, "--description", "Grant")["id"]

    for words in (
        ("reverse", made, "--why", "Twice"),
        ("transfer", "other", "staff", "5"),
        ("bank-charge", "5"),
    ):
        status, _, err = shell.run("ledger", *words, "--date", day)
        assert (status, SAID in err) == (ExitCode.USAGE, True), err

    assert len(all_entries(shell.context())) == 1
