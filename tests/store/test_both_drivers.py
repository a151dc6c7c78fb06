"""What both drivers do alike: transactions, steps of the schema, locks, backups."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, Unavailable
from jara.store.schema import STEPS, Step
from jara.store.sql.database import Database
from jara.store.sqlite.database import SqliteDatabase
from tests.harness import open_test_database
from tests.places import database_of
from tests.store.meta_rows import ADD_META, count_meta, put_meta

LATER = "m0036_later"
LATER_STEP = Step(("CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT",), ("later",))


@pytest.fixture
def database(place: Path) -> Iterator[Database]:
    """A new database, on each engine."""
    made = open_test_database(database_of(place))
    made.create()
    yield made
    made.close()


def test_a_block_that_fails_leaves_nothing(database: Database) -> None:
    """A transaction that fails is rolled back as a whole."""

    def fail_halfway() -> None:
        with database.transaction(write=True) as sql:
            sql.append(ADD_META, ("a", "1"))
            assert sql.one("SELECT value FROM meta WHERE key = 'a'") == ("1",)  # none is buffered
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway()

    assert count_meta(database) == 0


def test_a_reader_keeps_the_state_it_began_with(database: Database) -> None:
    """A read transaction sees one snapshot while others write."""
    with database.transaction(write=False) as sql:
        before = sql.one("SELECT COUNT(*) FROM meta")
        writer = threading.Thread(target=put_meta, args=(database, "a"))
        writer.start()
        writer.join()

        assert sql.one("SELECT COUNT(*) FROM meta") == before

    assert count_meta(database) == 1


def test_one_transaction_at_a_time_in_a_thread(database: Database) -> None:
    """A nested unit of work is refused, because it would commit half of the outer one."""
    with (
        database.transaction(write=True),
        pytest.raises(RuntimeError, match="open in this thread"),
        database.transaction(write=True),
    ):
        pass


def test_a_later_step_brings_a_database_up_to_date(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step is taken once, and its table refuses changes; a new database has it."""
    database.close()
    monkeypatch.setitem(STEPS, LATER, LATER_STEP)
    with pytest.raises(Conflict, match="older version; run `jara migrate`"):
        database.integrity_findings()

    assert (database.migrate(), database.migrate()) == ([LATER], [])
    with database.transaction(write=True) as sql:
        sql.run("INSERT INTO later (id) VALUES (1)")
    with (
        pytest.raises(Conflict, match="later is append-only"),
        database.transaction(write=True) as sql,
    ):
        sql.run("DELETE FROM later")
    new = SqliteDatabase(":memory:")
    new.create()
    assert new.schema_findings() == []
    if isinstance(database, SqliteDatabase):
        assert database.schema_findings() == []


def test_a_step_that_fails_changes_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All statements are carried out, or none."""
    broken = Step((*LATER_STEP.statements, "DELETE FROM nowhere"))
    monkeypatch.setitem(STEPS, LATER, broken)

    with pytest.raises(Unavailable, match="nowhere"):
        database.migrate()
    monkeypatch.undo()
    assert database.schema_findings() == []


def test_a_backup_is_an_sqlite_file(database: Database, tmp_path: Path) -> None:
    """The backup is whole, opens by itself, and overwrites nothing."""
    put_meta(database, "a")
    copied = tmp_path / "copy.db"

    assert database.backup(copied, lambda sql: sql.all("SELECT key FROM meta")) == [("a",)]

    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
    copy = SqliteDatabase(copied)
    assert (copy.integrity_findings(), count_meta(copy)) == ([], 1)
    copy.close()
    as_it_was = copied.read_bytes()
    with pytest.raises(Conflict, match="exists already"):
        database.backup(copied, lambda sql: None)
    assert copied.read_bytes() == as_it_was
