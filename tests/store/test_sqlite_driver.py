"""The SQLite driver: transactions, refusals, and erased data."""

from pathlib import Path

import pytest

from jara.domain.errors import Conflict
from jara.store.schema import append_only_tables
from jara.store.sqlite.database import SqliteDatabase
from jara.store.sqlite.objects import APPLICATION_ID
from tests.store.meta_rows import count_meta, put_meta
from tests.store.sqlite_file import new_file


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    """A new database on disk."""
    return new_file(tmp_path)


def test_many_statements_stay_compiled(database: SqliteDatabase) -> None:
    """A server that has run every statement of the program compiles none again."""
    compiled: list[object] = []
    with database.transaction(write=False) as sql:
        for number in range(1000):
            sql.one(f"SELECT {number}")

        def note(*what: object) -> int:
            compiled.append(what)
            return 0  # allowed

        # SQLite asks for permission when it compiles a statement, and only then.
        sql.connection.set_authorizer(note)
        for _ in range(2):
            compiled.clear()
            for word in ("key", "value"):
                sql.one(f"SELECT {word} FROM meta")  # noqa: S608 - one of two words
        assert compiled == []


def test_read_transactions_change_nothing(database: SqliteDatabase) -> None:
    """A read transaction changes nothing."""
    with database.transaction(write=False) as sql:
        sql.run("INSERT INTO meta (key, value) VALUES ('a', '1')")

    assert count_meta(database) == 0


@pytest.mark.parametrize("table", append_only_tables())
def test_history_refuses_change_and_deletion(database: SqliteDatabase, table: str) -> None:
    """The tables of history have triggers that refuse UPDATE and DELETE."""
    with database.transaction(write=False) as sql:
        names = {
            row[0]
            for row in sql.all(
                "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = :table",
                {"table": table},
            )
        }

    assert names == {f"{table}_refuses_update", f"{table}_refuses_delete"}


def test_an_entry_cannot_be_rewritten(database: SqliteDatabase) -> None:
    """The triggers work, and are not only declared."""
    with database.transaction(write=True) as sql:
        sql.run("INSERT INTO log (idx, hash, body, type) VALUES (0, x'00', x'7b7d', 't')")

    with (
        pytest.raises(Conflict, match="log is append-only"),
        database.transaction(write=True) as sql,
    ):
        sql.run("UPDATE log SET body = x'00'")


def test_every_table_is_strict(database: SqliteDatabase) -> None:
    """STRICT tables refuse a text in a number column."""
    with database.transaction(write=False) as sql:
        loose = sql.all(
            "SELECT name FROM pragma_table_list "
            "WHERE schema = 'main' AND type = 'table' AND strict = 0 "
            "AND name NOT LIKE 'sqlite_%'"
        )

    assert loose == []


def test_the_pragmas_of_durability_hold(tmp_path: Path) -> None:
    """WAL, synchronous FULL, foreign keys, secure_delete, no trusted schema."""
    database = SqliteDatabase(tmp_path / "jara.db")
    database.create()
    with database.transaction(write=False) as sql:
        found = {
            name: sql.all(f"PRAGMA {name}")[0][0]
            for name in (
                "journal_mode",
                "synchronous",
                "foreign_keys",
                "secure_delete",
                "trusted_schema",
                "busy_timeout",
                "application_id",
            )
        }

    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "trusted_schema": 0,
        "busy_timeout": 5000,
        "application_id": APPLICATION_ID,
    }


def test_erased_bytes_leave_the_file(database: SqliteDatabase) -> None:
    """After truncation of the log, neither file nor log contains deleted data."""
    put_meta(database, "secret", "Adaeze-was-here")
    with database.transaction(write=True) as sql:
        sql.run("DELETE FROM meta")

    database.truncate_log()

    files = Path(database.path).parent.glob("jara.db*")
    assert not any(b"Adaeze-was-here" in path.read_bytes() for path in files)


def test_a_constraint_is_a_conflict(database: SqliteDatabase) -> None:
    """A violated constraint is a conflict, and nothing is stored."""
    put_meta(database, "a", "1")

    with pytest.raises(Conflict, match="refused the change: UNIQUE constraint"):
        put_meta(database, "a", "2")


def test_many_rows_are_streamed(database: SqliteDatabase) -> None:
    """`each` yields rows one by one, and `run_many` writes a set of them."""
    with database.transaction(write=True) as sql:
        sql.run_many(
            "INSERT INTO meta (key, value) VALUES (:k, :v)",
            [{"k": str(number), "v": "x"} for number in range(3)],
        )

        assert [row[0] for row in sql.each("SELECT key FROM meta ORDER BY key")] == ["0", "1", "2"]
