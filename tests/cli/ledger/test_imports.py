"""``jara ledger imports`` and ``undo``: an import has an id and is undone as a whole."""

import json

import pytest

from tests.cli.giving_shell import GivingShell
from tests.harness import DATA

BANK = str(DATA / "samples" / "bank.csv")
HEADER = "entry,date,description,account,fund,amount,reference\n"


def write(jara: GivingShell, amount: str) -> str:
    """Write a ledger CSV with one grant; return its name."""
    begin = "G1,2026-01-05,Grant"
    rows = f"{begin},assets:bank,other,{amount},\n{begin},income:grants,other,-{amount},\n"
    (jara.folder / "grant.csv").write_text(HEADER + rows, "utf-8")
    return "grant.csv"


def cash(jara: GivingShell) -> int:
    """Return the cash balance."""
    total: int = jara.json("ledger", "balance", "assets")["totalCents"]
    return total


def test_an_import_is_undone_as_a_whole(jara: GivingShell) -> None:
    """An undo asks once and reverses every entry; a second undo finds nothing to do."""
    jara.done("ledger", "import", BANK)
    (line,) = jara.json("ledger", "imports")

    assert jara.answer("n\n", "ledger", "undo", line["id"], "--why", "wrong year")[0] == 1
    assert line == jara.json("ledger", "imports")[0]
    assert jara.run("ledger", "undo", line["id"], "--why", " ", "--yes")[0] == 2
    done = jara.json("ledger", "undo", line["id"][:8], "--why", "wrong year", "--yes")

    assert (done["reversed"], done["skipped"]) == (line["posted"], 0)
    assert cash(jara) == 0
    assert jara.json("ledger", "imports")[0]["left"] == 0
    assert jara.json("ledger", "verify")["ok"]
    for answer in ([], ["--yes"]):  # it is refused before the question
        status, _, err = jara.run("ledger", "undo", line["id"], "--why", "again", *answer)
        assert (status, "is already reversed" in err) == (4, True)
    assert jara.run("ledger", "undo", "imp_none", "--why", "x", "--yes")[0] == 3


def test_an_undo_above_the_limit_waits(jara: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large undo waits and is carried out when another operator approves it."""
    jara.done("ledger", "import", write(jara, "50.00"))
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "1000")
    monkeypatch.setenv("JARA_OPERATOR", "ama")
    (line,) = jara.json("ledger", "imports")

    waiting = jara.waits("ledger", "undo", line["id"], "--why", "wrong", "--yes")
    assert cash(jara) == 5000
    assert "ledger.undo" in json.dumps(jara.json("approvals", "list"))
    assert "Entries     1 to be reversed\n" in jara.done("approvals", "show", waiting["id"])
    monkeypatch.setenv("JARA_OPERATOR", "kofi")
    jara.done("approvals", "approve", waiting["id"], "--yes")

    assert cash(jara) == 0
