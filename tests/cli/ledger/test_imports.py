"""``jara ledger imports`` and ``undo``: an import has an id and is undone as a whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.giving_shell import GivingShell
from tests.harness import DATA

BANK = str(DATA / "samples" / "bank.csv")
STRIPE = str(DATA / "samples" / "payouts_itemized.csv")
HEADER = "entry,date,description,account,fund,amount,reference\n"


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal with a new organisation."""
    return GivingShell(tmp_path, monkeypatch, capsys)


def write(shell: GivingShell, amount: str) -> str:
    """Write a ledger CSV with one grant; return its name."""
    begin = "G1,2026-01-05,Grant"
    rows = f"{begin},assets:bank,other,{amount},\n{begin},income:grants,other,-{amount},\n"
    (shell.folder / "grant.csv").write_text(HEADER + rows, "utf-8")
    return "grant.csv"


def cash(shell: GivingShell) -> int:
    """Return the cash balance."""
    total: int = shell.json("ledger", "balance", "assets")["totalCents"]
    return total


def test_a_dry_run_posts_nothing(shell: GivingShell) -> None:
    """A dry run reports what would be posted, for each format."""
    tried = shell.json("ledger", "import", BANK, "--dry-run")

    assert (shell.json("ledger", "imports"), cash(shell)) == ([], 0)
    assert tried["posted"] == shell.json("ledger", "import", BANK)["posted"]
    before = cash(shell)
    _, out, err = shell.run("ledger", "import", STRIPE, "--dry-run", "--json")
    assert json.loads(out)["posted"] > 0
    assert "nothing was posted" in err
    assert cash(shell) == before


def test_an_import_is_undone_as_a_whole(shell: GivingShell) -> None:
    """An undo asks once and reverses every entry; a second undo finds nothing to do."""
    shell.done("ledger", "import", BANK)
    (line,) = shell.json("ledger", "imports")

    assert shell.answer("n\n", "ledger", "undo", line["id"], "--why", "wrong year")[0] == 1
    assert line == shell.json("ledger", "imports")[0]
    assert shell.run("ledger", "undo", line["id"], "--why", " ", "--yes")[0] == 2
    done = shell.json("ledger", "undo", line["id"][:8], "--why", "wrong year", "--yes")

    assert (done["reversed"], done["skipped"]) == (line["posted"], 0)
    assert cash(shell) == 0
    assert shell.json("ledger", "imports")[0]["left"] == 0
    assert shell.json("ledger", "verify")["ok"]
    for answer in ([], ["--yes"]):  # it is refused before the question
        status, _, err = shell.run("ledger", "undo", line["id"], "--why", "again", *answer)
        assert (status, "is already reversed" in err) == (4, True)
    assert shell.run("ledger", "undo", "imp_none", "--why", "x", "--yes")[0] == 3


def test_a_corrected_file_can_be_imported_with_the_same_ids(shell: GivingShell) -> None:
    """Undone entries are posted again, once; entries reversed by hand stay reversed."""
    shell.done("ledger", "import", write(shell, "50.00"))
    for amount, cents in (("60.00", 6000), ("70.00", 7000)):
        newest = shell.json("ledger", "imports")[0]["id"]
        shell.done("ledger", "undo", newest, "--why", "x", "--yes")
        assert cash(shell) == 0
        assert shell.json("ledger", "import", write(shell, amount))["posted"] == 1
        assert (
            shell.json("ledger", "import", write(shell, amount))["posted"],
            shell.json("ledger", "import", write(shell, amount))["skipped"],
        ) == (0, 1)
        assert cents == cash(shell)


def test_an_undo_above_the_limit_waits(shell: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large undo waits and is carried out when another operator approves it."""
    shell.done("ledger", "import", write(shell, "50.00"))
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "1000")
    monkeypatch.setenv("JARA_OPERATOR", "ama")
    (line,) = shell.json("ledger", "imports")

    waiting = shell.waits("ledger", "undo", line["id"], "--why", "wrong", "--yes")
    assert cash(shell) == 5000
    assert "ledger.undo" in json.dumps(shell.json("approvals", "list"))
    assert "Entries     1 to be reversed\n" in shell.done("approvals", "show", waiting["id"])
    monkeypatch.setenv("JARA_OPERATOR", "kofi")
    shell.done("approvals", "approve", waiting["id"], "--yes")

    assert cash(shell) == 0


def test_an_undone_file_is_imported_again(shell: GivingShell) -> None:
    """Stripe's file is booked again as a whole; an import that is undone cannot be undone again."""
    shell.done("ledger", "import", STRIPE)
    before = cash(shell)
    (line,) = shell.json("ledger", "imports")
    shell.json("ledger", "undo", line["id"], "--why", "wrong", "--yes")
    assert cash(shell) == 0

    assert shell.json("ledger", "import", STRIPE)["skipped"] == 0
    assert cash(shell) == before
    assert shell.run("ledger", "undo", line["id"], "--why", "x", "--yes")[0] == 4
