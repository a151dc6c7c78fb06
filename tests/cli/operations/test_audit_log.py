"""The audit log: who did what, changed personal fields by name only, and no rewriting."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.giving_shell import GivingShell, stop_clock
from tests.cli.operations.audit_walk import acts


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal in a folder with a new organisation, at noon of a set day."""
    stop_clock(monkeypatch)
    return GivingShell(tmp_path, monkeypatch, capsys)


def test_a_restored_database_records_its_operator(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The restore is logged under the name that the operator has on the new machine."""
    shell.done("operators", "add", "tester")
    shell.done("backup", "b.db", "--secrets", "b.keys")
    (shell.folder / "new").mkdir()
    monkeypatch.setenv("JARA_OPERATOR", "somebody-else")
    shell.lose()
    shell.done("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys")
    last = shell.json("--db", "new/jara.db", "operators", "log")[-1]

    assert (
        last["operator"],
        last["action"],
        last["subject"],
    ) == ("somebody-else", "backup.restore", "b.db")


def test_a_stranger_changes_nothing(shell: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once an operator is listed, a command by anybody else is refused before it acts."""
    shell.done("operators", "add", "tester")
    monkeypatch.setenv("JARA_OPERATOR", "mallory")
    for words in (
        ["ledger", "accounts", "add", "expenses:x", "--meaning", "x"],
        ["pledges", "charge"],
        ["operators", "add", "mallory"],
    ):
        status, _, err = shell.run(*words)
        assert (status, "is not among the operators" in err) == (4, True), (words, err)
    assert acts()[-1].operator == "tester"


def test_a_timer_makes_backups_under_its_own_name(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup by a timer needs no listed operator, and it is recorded."""
    shell.done("operators", "add", "tester")
    monkeypatch.setenv("JARA_OPERATOR", "jara-backup")
    shell.done("backup", "b.db")

    assert (acts()[-1].operator, acts()[-1].action) == ("jara-backup", "backup.make")


def test_the_log_of_acts_is_shown_in_part(shell: GivingShell) -> None:
    """The list can be limited to the newest lines or to one subject."""
    shell.done("ledger", "accounts", "add", "expenses:rent", "--meaning", "The office")
    shell.done("ledger", "accounts", "add", "expenses:tea", "--meaning", "Tea")

    assert [a["subject"] for a in shell.json("operators", "log", "--limit", "1")] == [
        "expenses:tea"
    ]
    (act,) = shell.json("operators", "log", "--of", "expenses:rent")
    assert (
        act["operator"],
        act["action"],
        act["after"],
    ) == ("tester", "accounts.add", {"changed": [], "meaning": "The office"})
    assert shell.run("operators", "log", "--limit", "0")[0] == 2


def test_of_a_person_only_the_changed_fields_are_told(shell: GivingShell) -> None:
    """The audit log holds the names of changed personal fields, not their values."""
    shell.add("ama@example.org")
    shell.done("pledges", "start", "ama@example.org", "--amount", "73", "--day", "current")
    shell.done("pledges", "amount", "ama@example.org", "74")
    shell.done("members", "erase", "ama@example.org", "--why", "asked", "--yes")
    log = shell.json("operators", "log")

    # Ids and times may contain any digits.
    text = str([(act["action"], act["why"], act["before"], act["after"]) for act in log])
    assert not any(word in text for word in ("Ama", "Mensah", "ama@", "73", "74", "Ghana"))
    changes = {act["action"]: act["after"].get("changed") for act in log}
    assert changes["pledges.amount"] == ["dollars"]
    assert {"email", "firstname"} <= set(changes["members.erase"])
