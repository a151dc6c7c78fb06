"""A copied database records who copied it, from where, and what arrived."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.records.operations import AuditRow
from tests.cli.giving_shell import GivingShell
from tests.postgres_server import PostgresServer


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal in a folder with an organisation in a file."""
    return GivingShell(tmp_path, monkeypatch, capsys)


def acts(url: str) -> list[AuditRow]:
    """Return the audit log of a database."""
    context = build_from_environ({}, overrides={"database_url": url}).context
    with context.store.read() as work:
        rows = work.operations.audit()
    context.store.close()
    return rows


def test_each_copy_records_its_operator(shell: GivingShell, postgres: PostgresServer) -> None:
    """Each copy, there and back, adds one line without a password."""
    url = postgres.create_database().replace("owner@", "owner:hushhush@")
    there = shell.json("db", "copy", "jara.db", url)
    back = shell.json("db", "copy", url, "back.db")

    facts = {"logSize": there["size"], "root": there["root"]}
    first, second = (row for row in acts("back.db") if row.action == "database.copy")
    assert (first.operator, first.subject, first.after) == ("tester", "jara.db", facts)
    assert (second.operator, second.subject, second.after) == ("tester", back["from"], facts)
    assert "hushhush" not in f"{acts('back.db')}"
    assert not [row for row in acts("jara.db") if row.action == "database.copy"]


def test_a_copy_by_anybody_is_recorded(shell: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody who can read the file may copy it, and the copy is recorded with their name."""
    shell.done("operators", "add", "tester")
    monkeypatch.setenv("JARA_OPERATOR", "night-timer")

    shell.done("db", "copy", "jara.db", "copy.db")

    assert [row for row in acts("copy.db") if row.action == "database.copy"][
        -1
    ].operator == "night-timer"
