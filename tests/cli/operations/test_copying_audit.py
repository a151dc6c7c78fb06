"""A moved database records who moved it, from where, and what arrived; the old one is closed."""

import os
import time
from pathlib import Path

import pytest

from jara.bootstrap import Application, build_from_environ, transfer
from jara.domain.errors import Conflict
from jara.records.operations import AuditRow
from jara.store.postgres import database
from jara.store.sql.database import Database
from tests.cli.giving_shell import GivingShell
from tests.postgres_server import PostgresServer


def acts(url: str) -> list[AuditRow]:
    """Return the audit log of a database."""
    context = build_from_environ(os.environ, overrides={"database_url": url}).context
    with context.store.read() as work:
        rows = work.operations.audit()
    context.store.close()
    return rows


def test_each_copy_records_its_operator(jara: GivingShell, postgres: PostgresServer) -> None:
    """Each copy, there and back, adds one line without a password."""
    url = postgres.create_database().replace("owner@", "owner:hushhush@")
    there = jara.json("db", "copy", "jara.db", url)
    back = jara.json("db", "copy", url, "back.db")

    facts = {"logSize": there["size"], "root": there["root"]}
    first, second = (row for row in acts("back.db") if row.action == "database.copy")
    assert (first.operator, first.subject, first.after) == ("tester", "jara.db", facts)
    assert (second.operator, second.subject, second.after) == ("tester", back["from"], facts)
    assert "hushhush" not in f"{acts('back.db')}"
    assert not [row for row in acts("jara.db") if row.action == "database.copy"]


def test_a_copy_by_anybody_is_recorded(jara: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody who can read the file may copy it, and the copy is recorded with their name."""
    jara.done("operators", "add", "tester")
    monkeypatch.setenv("JARA_OPERATOR", "night-timer")

    jara.done("db", "copy", "jara.db", "copy.db")

    assert [row for row in acts("copy.db") if row.action == "database.copy"][
        -1
    ].operator == "night-timer"


def test_a_copy_may_take_longer_than_a_transaction_may_wait(
    jara: GivingShell, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL ends a transaction that waits for minutes, and with it what closes the source."""
    url = postgres.create_database()
    jara.done("db", "copy", "jara.db", url)
    shorter = database._WRITE.replace("2min", "300ms")
    monkeypatch.setattr(database, "_WRITE", shorter)
    real = transfer._fill

    def slow(reader: Database, target: Application) -> None:
        real(reader, target)
        time.sleep(1)

    monkeypatch.setattr(transfer, "_fill", slow)

    jara.done("db", "copy", url, "back.db")

    assert jara.run("--db", url, "run", "daily")[0] in {1, 4}


@pytest.mark.parametrize("on_server", [False, True])
def test_the_old_database_takes_no_more_changes(
    jara: GivingShell, postgres: PostgresServer, *, on_server: bool
) -> None:
    """A server that still runs refuses too; reading goes on, and the new one takes changes."""
    start, target = "jara.db", "new.db"
    if on_server:
        start, target = postgres.create_database(), "back.db"
        jara.done("db", "copy", "jara.db", start)
    running = build_from_environ(os.environ, overrides={"database_url": start}).context
    with running.store.write() as work:
        work.meta.put("a server", "that runs")
    _, _, moved = jara.run("db", "copy", start, target)
    status, _, err = jara.run("--db", start, "run", "daily")

    with pytest.raises(Conflict, match="moved to"), running.store.write():
        pass
    with pytest.raises(Conflict, match="moved to"):
        running.store.write_grouped(lambda work: work.meta.put("a vote", ""))
    running.store.close()
    assert status in {1, 4}
    assert "takes no more changes" in err
    assert "takes no more changes" in moved
    assert jara.json("--db", start, "ledger", "verify")["ok"]
    assert jara.run("db", "copy", start, "third.db")[0] == 4
    assert not Path("third.db").exists()
    jara.done("--db", target, "run", "daily")


def test_a_copy_that_fails_closes_nothing(jara: GivingShell) -> None:
    """The old database goes on."""
    Path("taken.db").write_bytes(b"")

    assert jara.run("db", "copy", "jara.db", "taken.db")[0] == 4
    jara.done("run", "daily")
