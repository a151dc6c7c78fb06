"""``jara ledger``: the JSON documents that scripts depend on, and the tables."""

import json

from jara_cli.exits import ExitCode
from tests.cli.ledger.ledger_samples import ITEMISED, beginning_of, post_rent
from tests.cli.voting_shell import Shell


def test_balance_is_a_table_and_names_misspelt_words(banked: Shell) -> None:
    """The balance is shown as a table, and a misspelt account or key is named."""
    status, out, _ = banked.run("ledger", "balance", "assets")
    assert (status, "assets:bank" in out) == (ExitCode.DONE, True)
    assert banked.run("ledger", "balance", "assts")[:2] == (ExitCode.NOT_FOUND, "")
    status, _, err = banked.run("ledger", "balance", "--by", "week")
    assert (status, err) == (
        ExitCode.USAGE,
        "error: 'week' is not valid for --by; use fund, month, year.\n",
    )


def test_register_shows_the_balance_after_each_entry(banked: Shell) -> None:
    """The register shows each entry with the balance after it."""
    post_rent(banked)
    words = ["ledger", "register", "expenses:operations", "--from", "2025"]
    document = banked.json(*words)

    last = document["entries"][-1]
    assert document["account"] == "expenses:operations"
    assert set(last) == {"id", "date", "description", "kind", "reference", "cents", "balanceCents"}
    assert (last["date"], last["description"], last["kind"], last["cents"]) == (
        "2026-11-19",
        "Rent",
        "expense",
        1250,
    )
    assert "Rent" in banked.run("ledger", "register", "expenses:operations")[1]


def test_show_finds_an_entry_by_the_start_of_its_id(banked: Shell) -> None:
    """An entry is found by the start of its id and names the entry that reverses it."""
    posted = post_rent(banked)
    undone = banked.json("ledger", "reverse", posted["id"], "--why", "Twice.")

    document = banked.json("ledger", "show", posted["id"][:10])
    assert (document["reversedBy"], document["note"], document["kind"]) == (
        undone["id"],
        "Rent",
        "expense",
    )
    assert posted["id"] == banked.json("ledger", "show", undone["id"])["reverses"]
    assert "expenses:operations" in banked.run("ledger", "show", posted["id"])[1]
    assert banked.run("ledger", "show", "zzzz")[0] == ExitCode.NOT_FOUND


def test_budget_is_allocated_plus_unallocated(banked: Shell) -> None:
    """Available money is allocated plus unallocated; shares are percentages with one decimal."""
    document = banked.json("ledger", "budget", "--year", "2025")

    assert document["availableCents"] == document["allocatedCents"] + document["unallocatedCents"]
    keys = {"fund", "receivedCents", "spentCents", "heldCents", "promisedShare", "actualShare"}
    assert keys <= set(document["funds"][0])
    assert sum(row["actualShare"] for row in document["funds"]) == 100.0
    assert banked.json("ledger", "budget", "--year", "2026")["year"] == 2026
    assert "Total" in banked.run("ledger", "budget")[1]


def test_verify_tells_by_its_status(banked: Shell) -> None:
    """The exit status is 0 if all checks pass, else 1; the document names the failures."""
    document = banked.json("ledger", "verify")
    assert tuple(document[key] for key in ("ok", "entries", "size", "findings")) == (
        True,
        61,
        63,
        [],
    )
    table = banked.run("ledger", "verify")[1].splitlines()
    assert [table[0].split(), table[2].split()] == [
        ["Checked", "Entries", "Result"],
        ["all", "61", "no", "fault"],
    ]
    assert document["since"] is None
    assert banked.json("ledger", "verify", "--since-last")["since"]["entries"] == 61
    assert "their sums are the same now" in banked.run("ledger", "verify", "--since-last")[1]
    context = banked.context()
    with context.store.write() as work:
        work.payments.update(2, returned_cents=0, dispute="none")
        work.meta.put("log.origin", "another")
    context.store.close()

    status, out, _ = banked.run("ledger", "verify", "--json")
    assert (status, json.loads(out)["ok"]) == (ExitCode.NO, False)
    assert banked.run("ledger", "verify")[0] == ExitCode.NO


def test_reconcile_names_missing_movements_and_a_year_closes(shell: Shell) -> None:
    """Without movements from the provider, all booked amounts are missing there; a year closes."""
    keys = {"matched", "missingInLedger", "missingAtProvider", "mismatched", "differenceCents"}
    assert keys <= set(shell.json("ledger", "reconcile"))
    assert shell.run("ledger", "reconcile", "--repair")[0] == ExitCode.DONE
    shell.run("ledger", "import", beginning_of(ITEMISED, shell, rows=120))

    status, out, _ = shell.run("ledger", "reconcile", "--json")
    assert status == ExitCode.NO
    assert len(json.loads(out)["missingAtProvider"]) == 120
    _, shown, notes = shell.run("ledger", "reconcile")
    _, whole, _ = shell.run("ledger", "reconcile", "--all")
    causes = [line for line in shown.splitlines() if " movements " in line]
    assert sum("txn_" in line for line in shown.splitlines()) == 20
    assert sum("txn_" in line for line in whole.splitlines()) == 120
    assert sum(int(line.split(" movements")[0].split()[-1]) for line in causes) == 120
    assert "100 more differences: jara ledger reconcile --all" in notes

    assert shell.run("ledger", "close-year", "2024")[0] == ExitCode.USAGE
    assert shell.json("ledger", "close-year", "2024", "--yes")["year"] == 2024
    assert shell.run("ledger", "close-year", "2024", "--yes")[0] == ExitCode.CONFLICT
    assert "projects" in shell.run("ledger", "close-year", "2025", "--yes")[1]
    assert shell.run("ledger", "open-year", "2024", "--why", "Late.")[0] == ExitCode.CONFLICT
    for year in (2025, 2024):
        opened = shell.json("ledger", "open-year", str(year), "--why", "A late statement.")
        assert opened == {"year": year, "open": True, "approval": None}


def test_accounts_and_fixed_costs(shell: Shell) -> None:
    """Accounts and fixed costs can be listed, added and removed."""
    assert "assets:bank" in {row["account"] for row in shell.json("ledger", "accounts")}
    shell.json("ledger", "accounts", "add", "expenses:rent", "--meaning", "The office")
    assert "expenses:rent" in shell.run("ledger", "accounts")[1]
    shell.run("operators", "policy", "set", "--limit", "9", "--why", "agreed", "--yes")
    _, _, told = shell.run("ledger", "accounts", "add", "assets:cash", "--meaning", "The box")
    assert "Money moved to assets:cash counts as paid out" in " ".join(told.split())

    words = ["ledger", "fixed-costs", "add", "Books", "30", "--from", "2026-01", "--to", "2026"]
    line = shell.json(*words)
    assert (line["monthlyCents"], line["from"], line["to"]) == (3000, "2026-01-01", "2026-12-31")
    assert shell.json("ledger", "fixed-costs") == [line]
    assert shell.run("ledger", "fixed-costs", "remove", line["id"])[0] == ExitCode.DONE
    assert shell.json("ledger", "fixed-costs") == []
