"""The audit log: who did what, changed personal fields by name only, and no rewriting."""

import pytest

from tests.cli.giving_shell import GivingShell
from tests.cli.operations.audit_walk import acts

pytestmark = pytest.mark.usefixtures("stopped_clock")


def test_a_restored_database_records_its_operator(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The restore is logged under the name that the operator has on the new machine."""
    jara.done("operators", "add", "tester")
    jara.done("backup", "b.db", "--secrets", "b.keys")
    (jara.folder / "new").mkdir()
    monkeypatch.setenv("JARA_OPERATOR", "somebody-else")
    jara.lose()
    jara.done("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys")
    last = jara.json("--db", "new/jara.db", "operators", "log")[-1]

    assert (last["operator"], last["action"], last["subject"]) == (
        "somebody-else",
        "backup.restore",
        "b.db",
    )


def test_a_timer_makes_backups_under_its_own_name(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup by a timer needs no listed operator, and it is recorded."""
    jara.done("operators", "add", "tester")
    monkeypatch.setenv("JARA_OPERATOR", "jara-backup")
    jara.done("backup", "b.db")

    assert (acts()[-1].operator, acts()[-1].action) == ("jara-backup", "backup.make")


def test_the_log_of_acts_is_shown_in_part(jara: GivingShell) -> None:
    """The list can be limited to the newest lines or to one subject."""
    jara.done("ledger", "accounts", "add", "expenses:rent", "--meaning", "The office")
    jara.done("ledger", "accounts", "add", "expenses:tea", "--meaning", "Tea")

    assert [a["subject"] for a in jara.json("operators", "log", "--limit", "1")] == ["expenses:tea"]
    (act,) = jara.json("operators", "log", "--of", "expenses:rent")
    assert (act["operator"], act["action"], act["after"]) == (
        "tester",
        "accounts.add",
        {"changed": [], "meaning": "The office"},
    )
    assert jara.run("operators", "log", "--limit", "0")[0] == 2
