"""``jara ledger``: the documents of the contract, and the tables beside them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from jara_cli.exits import ExitCode
from tests.cli.test_start import HEAVY, SHOW_MODULES
from tests.cli.voting_shell import Shell

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
REPORTS = [str(SAMPLES / name) for name in ("balance_change_itemized.csv", "payouts_itemized.csv")]
BANK = str(SAMPLES / "bank.csv")
OUTCOME = {"read", "posted", "skipped", "rejected"}


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """Return a terminal with an organisation."""
    return Shell(tmp_path, monkeypatch, capsys)


@pytest.fixture
def banked(shell: Shell) -> Shell:
    """Return a terminal whose books hold the bank's side of the samples."""
    assert ExitCode.DONE == shell.run("ledger", "import", BANK)[0]
    return shell


def post_rent(shell: Shell, amount: str = "12.50") -> Any:
    """Post an expense and return its document."""
    words = ["--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other"]
    words += ["--amount", amount, "--description", "Rent", "--date", "2026-11-19"]
    return shell.json("ledger", "post", *words)


# Reading


def test_balance_document(banked: Shell) -> None:
    """Every account with postings, its own alone; the total is 0."""
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
    document = banked.json("ledger", "balance", "--at", "2026-11", "--by", "fund")

    assert ("2026-11-30", 0) == (document["at"], document["totalCents"])
    cells = {f"{row['account']} {row['fund']}": row["cents"] for row in document["balances"]}
    assert {k: v for k, v in expected["bank"]["cells"].items() if v} == {
        k: v for k, v in cells.items() if v
    }
    months = banked.json("ledger", "balance", "assets:bank", "--by", "month,year")["balances"]
    assert {"account", "month", "year", "cents"} == set(months[0])


def test_balance_table_and_refusals(banked: Shell) -> None:
    """A table for reading; a misspelt account or key is named."""
    status, out, _ = banked.run("ledger", "balance", "assets")
    assert (ExitCode.DONE, True) == (status, "assets:bank" in out)
    assert (ExitCode.NOT_FOUND, "") == banked.run("ledger", "balance", "assts")[:2]
    status, _, err = banked.run("ledger", "balance", "--by", "week")
    assert (ExitCode.USAGE, "error: 'week' is no key of --by; there are fund, month, year.\n") == (
        status,
        err,
    )


def test_register_document(banked: Shell) -> None:
    """Each entry with the balance after it."""
    post_rent(banked)
    words = ["ledger", "register", "expenses:operations", "--from", "2025"]
    document = banked.json(*words)

    last = document["entries"][-1]
    assert "expenses:operations" == document["account"]
    assert {"id", "date", "description", "kind", "reference", "cents", "balanceCents"} == set(last)
    assert ("2026-11-19", "Rent", "expense", 1250) == (
        last["date"],
        last["description"],
        last["kind"],
        last["cents"],
    )
    assert "Rent" in banked.run("ledger", "register", "expenses:operations")[1]


def test_show_an_entry(banked: Shell) -> None:
    """By the beginning of its id, with what undoes it."""
    posted = post_rent(banked)
    undone = banked.json("ledger", "reverse", posted["id"], "--why", "Twice.")

    document = banked.json("ledger", "show", posted["id"][:10])
    assert (undone["id"], "Rent", "expense") == (
        document["reversedBy"],
        document["note"],
        document["kind"],
    )
    assert posted["id"] == banked.json("ledger", "show", undone["id"])["reverses"]
    assert "expenses:operations" in banked.run("ledger", "show", posted["id"])[1]
    assert ExitCode.NOT_FOUND == banked.run("ledger", "show", "zzzz")[0]


def test_budget_document(banked: Shell) -> None:
    """Available is allocated and unallocated; shares are percent with one decimal."""
    document = banked.json("ledger", "budget", "--year", "2025")

    assert document["availableCents"] == document["allocatedCents"] + document["unallocatedCents"]
    keys = {"fund", "receivedCents", "spentCents", "heldCents", "promisedShare", "actualShare"}
    assert keys <= set(document["funds"][0])
    assert 100.0 == sum(row["actualShare"] for row in document["funds"])
    assert 2026 == banked.json("ledger", "budget", "--year", "2026")["year"]
    assert "Total" in banked.run("ledger", "budget")[1]


def test_verify_tells_by_its_status(banked: Shell) -> None:
    """0 when all is well, 1 when not; the document names what is wrong."""
    document = banked.json("ledger", "verify")
    assert (True, 61, 63, []) == tuple(
        document[key] for key in ("ok", "entries", "size", "findings")
    )
    assert "61 entries" in banked.run("ledger", "verify")[1]
    context = banked.context()
    with context.store.write() as work:
        work.payments.update(2, returned_cents=0, dispute="none")
        work.meta.put("log.origin", "another")
    context.store.close()

    status, out, _ = banked.run("ledger", "verify", "--json")
    assert (ExitCode.NO, False) == (status, json.loads(out)["ok"])
    assert ExitCode.NO == banked.run("ledger", "verify")[0]


def test_reconcile_and_years(shell: Shell) -> None:
    """Without a provider's movements all that is booked is missing there, and a year closes."""
    keys = {"matched", "missingInLedger", "missingAtProvider", "mismatched", "differenceCents"}
    assert keys <= set(shell.json("ledger", "reconcile"))
    assert ExitCode.DONE == shell.run("ledger", "reconcile", "--repair")[0]
    shell.run("ledger", "import", *REPORTS)

    status, out, _ = shell.run("ledger", "reconcile", "--json")
    assert ExitCode.NO == status
    assert 2682 == len(json.loads(out)["missingAtProvider"])

    assert ExitCode.USAGE == shell.run("ledger", "close-year", "2024")[0]
    assert 2024 == shell.json("ledger", "close-year", "2024", "--yes")["year"]
    assert ExitCode.CONFLICT == shell.run("ledger", "close-year", "2024", "--yes")[0]
    assert "projects" in shell.run("ledger", "close-year", "2025", "--yes")[1]
    opened = shell.json("ledger", "open-year", "2024", "--why", "A late statement.")
    assert {"year": 2024, "open": True, "approval": None} == opened


# Posting


def test_post_document(banked: Shell) -> None:
    """What was posted, posting by posting."""
    document = post_rent(banked)

    assert {"id", "index", "date", "postings"} == set(document)
    assert [
        {"account": "expenses:operations", "fund": "other", "cents": 1250},
        {"account": "assets:bank", "fund": "other", "cents": -1250},
    ] == document["postings"]
    words = ["--posting", "assets:bank other -5", "--posting", "expenses:fees:bank other 5.00"]
    status, out, err = banked.run("ledger", "post", *words, "--date", "2026-11-18")
    assert (ExitCode.DONE, True) == (status, "expenses:fees:bank" in out)
    assert "on 2026-11-18" in err


@pytest.mark.parametrize("name", ["entry.yaml", "entry.json"])
def test_post_a_file(banked: Shell, name: str) -> None:
    """YAML and JSON hold the same keys; numbers stay as they are written."""
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

    posted = banked.json("ledger", "post", name)

    assert 1050 == posted["postings"][0]["cents"]


@pytest.mark.parametrize("name", ["entry.yaml", "entry.json"])
def test_post_what_the_command_printed(banked: Shell, name: str) -> None:
    """A file may say cents, as our own JSON does."""
    posted = post_rent(banked)
    kept = {"date": posted["date"], "postings": posted["postings"]}
    text = json.dumps(kept) if name.endswith("json") else yaml.safe_dump(kept)
    (banked.folder / name).write_text(text, encoding="utf-8")

    assert posted["postings"] == banked.json("ledger", "post", name)["postings"]


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ([], 2, "Give a file"),
        (["x.yaml", "--amount", "1"], 2, "Give a file"),
        (["--amount", "1"], 2, "--debit, --credit, --fund is missing"),
        (["--posting", "assets:bank 5"], 2, "'assets:bank 5' is no posting"),
        (["missing.yaml"], 3, "There is no file 'missing.yaml'"),
        (["broken.yaml"], 2, "broken.yaml, line 1"),
        (["latin.yaml"], 2, "latin.yaml, line 1: byte 0xe9 is not UTF-8"),
        (["list.yaml"], 2, "list.yaml: The entry is no object with keys"),
        (["twice.json"], 2, "twice.json: the key 'date' stands twice"),
        (["chart.yaml"], 2, "chart.yaml: The chart of accounts has no 'assets:bankk'"),
        (["float.json"], 2, "float.json: 'cents' is '1.0'; it is a whole number."),
    ],
)
def test_post_refuses_in_one_line(
    shell: Shell, words: list[str], status: int, sentence: str
) -> None:
    """The value or the file is named, and nothing is posted."""
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

    assert (status, "") == (got, out)
    assert err.startswith("error: ")
    assert sentence in err
    assert 1 == err.count("\n")
    assert 0 == shell.json("ledger", "verify")["entries"]


@pytest.mark.parametrize("amount", ["1e3", "NaN", "10.005", "٣", "-0", "", "1,00", "0x10"])
def test_bad_amounts_are_refused(banked: Shell, amount: str) -> None:
    """Only dollars with at most two decimals are an amount (design, 'Money')."""
    words = ["--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other"]

    status, _, err = banked.run("ledger", "post", *words, f"--amount={amount}")

    assert (ExitCode.USAGE, True) == (status, f"'{amount}'" in err)
    assert 61 == banked.json("ledger", "verify")["entries"]


def test_transfers_bank_charges_and_returns(banked: Shell) -> None:
    """Each has its command."""
    posted = post_rent(banked)
    assert 4 == len(banked.json("ledger", "transfer", "projects", "other", "5")["postings"])
    charge = banked.json("ledger", "bank-charge", "0.20", "--date", "2026-11-18")
    assert 20 == sum(row["cents"] for row in charge["postings"] if row["cents"] > 0)
    back = banked.json(
        "ledger", "return", posted["id"], "2", "--received", "1.98", "--date", "today"
    )
    assert [198, -200, 2] == [row["cents"] for row in back["postings"]]
    assert 200 == banked.json("ledger", "return", posted["id"], "2")["postings"][0]["cents"]
    status, _, err = banked.run("ledger", "bank-charge", "1", "--date", "2026-11")
    assert (ExitCode.USAGE, True) == (status, "is no single day" in err)


# Settings


def test_accounts_and_fixed_costs(shell: Shell) -> None:
    """Listed, added, and removed."""
    assert "assets:bank" in {row["account"] for row in shell.json("ledger", "accounts")}
    shell.json("ledger", "accounts", "add", "expenses:rent", "--meaning", "The office")
    assert "expenses:rent" in shell.run("ledger", "accounts")[1]

    words = ["ledger", "fixed-costs", "add", "Books", "30", "--from", "2026-01", "--to", "2026"]
    line = shell.json(*words)
    assert (3000, "2026-01-01", "2026-12-31") == (line["monthlyCents"], line["from"], line["to"])
    assert [line] == shell.json("ledger", "fixed-costs")
    assert ExitCode.DONE == shell.run("ledger", "fixed-costs", "remove", line["id"])[0]
    assert [] == shell.json("ledger", "fixed-costs")


def test_over_the_limit_a_post_waits(banked: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The document holds the approval's id."""
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "1000")
    words = ["--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other"]

    status, out, err = banked.run("ledger", "post", *words, "--amount", "10", "--json")

    assert (ExitCode.DONE, ["approval"]) == (status, list(json.loads(out)))
    assert "needs a second operator" in err


def test_balance_imports_nothing_heavy(banked: Shell) -> None:
    """A reading command costs little more than Typer's own start (performance C1)."""
    environ = {name: os.environ[name] for name in os.environ if "COVERAGE" not in name}
    result = subprocess.run(
        [sys.executable, "-c", SHOW_MODULES, "ledger", "balance"],
        capture_output=True,
        text=True,
        check=True,
        env=environ,
        cwd=banked.folder,
    )

    packages = {module.partition(".")[0] for module in result.stderr.split()}
    assert set() == (HEAVY - {"pydantic"}) & packages
