"""SQLite: transactions, refusals and erased data; files that are new, full, locked or invalid."""

from pathlib import Path

import pytest

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.store.schema import append_only_tables
from jara.store.sqlite.connection import sqlite3
from jara.store.sqlite.database import SqliteDatabase
from jara.store.sqlite.objects import APPLICATION_ID
from tests.store.meta_rows import count_meta, put_meta


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    """A new database on disk."""
    made = SqliteDatabase(tmp_path / "jara.db", durable=False)
    made.create()
    return made


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


def test_migrating_again_does_nothing(database: SqliteDatabase) -> None:
    """Each step runs once and is recorded."""
    assert database.migrate() == []


def test_creating_over_a_file_is_refused(database: SqliteDatabase) -> None:
    """`create` never changes a database with content."""
    put_meta(database, "a")
    with pytest.raises(Conflict, match="exists already; nothing was changed"):
        database.create()


def test_a_file_without_a_row_counts_as_nothing(tmp_path: Path, database: SqliteDatabase) -> None:
    """An empty database counts as none: `create` accepts it, and `remove` keeps it."""
    other = SqliteDatabase(database.path)
    other.create()
    other.remove()
    assert count_meta(database) == 0

    with pytest.raises(Conflict, match="exists already"):
        SqliteDatabase(tmp_path).create()
    for content in (b"text", b"x" * 4096):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(Conflict, match="exists already"):
            SqliteDatabase(tmp_path / "other").create()


def test_a_missing_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    """Reading a missing database does not create it."""
    database = SqliteDatabase(tmp_path / "none.db")

    with pytest.raises(NotFound, match=r"none\.db; `jara init` creates one"):
        database.integrity_findings()
    assert not (tmp_path / "none.db").exists()


def test_an_empty_file_is_not_made_an_organisation(tmp_path: Path) -> None:
    """Only `create` fills an empty file; a database that lost its content gets no schema."""
    path = tmp_path / "empty.db"
    path.touch()

    with pytest.raises(Unavailable, match="is not a Jara database; `jara init` creates one"):
        SqliteDatabase(path).migrate()
    assert path.read_bytes() == b""


def test_a_newer_database_is_left_alone(database: SqliteDatabase) -> None:
    """A newer schema is refused before anything is read."""
    with database.transaction(write=True) as sql:
        sql.run("PRAGMA user_version = 99")
    database.close()

    with pytest.raises(Unavailable, match="version 99, newer than this program"):
        database.integrity_findings()
    with pytest.raises(Unavailable, match="version 99, newer than this program"):
        database.migrate()


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    """Another program's SQLite file is neither read nor migrated."""
    path = tmp_path / "other.db"
    other = sqlite3.connect(str(path))
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    as_it_was = path.read_bytes()

    with pytest.raises(Unavailable, match="not a Jara database"):
        SqliteDatabase(path).integrity_findings()
    with pytest.raises(Unavailable, match="of another program; it was not changed"):
        SqliteDatabase(path).migrate()
    assert as_it_was == path.read_bytes()


def test_a_corrupt_file_is_said_to_be_so(tmp_path: Path) -> None:
    """A file that is no database gives one sentence without a traceback."""
    path = tmp_path / "jara.db"
    path.write_bytes(b"not a database at all" * 500)

    with pytest.raises(Unavailable, match="not a database, or is corrupt; restore a backup"):
        SqliteDatabase(path).integrity_findings()


def test_a_locked_database_says_so(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock held by another process gives an error to retry later."""
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("jara.store.sqlite.connection.BUSY_SECONDS", 0.01)
    try:
        with pytest.raises(Unavailable, match="is locked by another process"):
            put_meta(database, "a", "1")
    finally:
        other.execute("ROLLBACK")
        other.close()

    put_meta(database, "a", "1")
    assert count_meta(database) == 1


def test_a_full_disk_changes_nothing(database: SqliteDatabase) -> None:
    """A full disk rolls the transaction back with an explanation."""
    with database.transaction(write=False) as sql:
        pages = sql.all("PRAGMA page_count")[0][0]
        sql.run(f"PRAGMA max_page_count = {pages}")

    rows = [{"key": str(number), "value": "x" * 4000} for number in range(500)]
    with (
        pytest.raises(Unavailable, match="The disk is full; nothing was changed"),
        database.transaction(write=True) as sql,
    ):
        sql.run_many("INSERT INTO meta (key, value) VALUES (:key, :value)", rows)

    assert count_meta(database) == 0


def test_a_query_only_connection_says_that_it_cannot_write(database: SqliteDatabase) -> None:
    """SQLite's error for a read-only connection becomes an explanation."""
    with database.transaction(write=False) as sql:
        sql.run("PRAGMA query_only = ON")

    with pytest.raises(Unavailable, match="cannot be written; nothing was changed"):
        put_meta(database, "a", "1")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The message names the missing folder."""
    database = SqliteDatabase(tmp_path / "missing" / "jara.db")

    with pytest.raises(NotFound, match="There is no folder"):
        database.create()
    with pytest.raises(Unavailable, match="cannot be opened; check the folder"):
        database.migrate()


def test_a_backup_tells_how_it_grows(
    database: SqliteDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reported steps never exceed the total, and later statements are not reported."""
    monkeypatch.setattr("jara.store.sqlite.database._STEPS_BETWEEN_LOOKS", 50)
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    database.backup(tmp_path / "copy.db", lambda _: None, progress=progress)
    count = len(told)
    put_meta(database, "a", "1")

    (total,) = {total for _, total in told}
    assert 0 <= sum(done for done, _ in told) <= total
    assert 1 < count == len(told)


def test_integrity_findings_name_a_dangling_reference(database: SqliteDatabase) -> None:
    """A dangling reference is reported with its table."""
    connection = sqlite3.connect(database.path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("INSERT INTO entry_notes (entry, note) VALUES (7, 'x')")
    connection.close()

    assert database.integrity_findings() == ["row 7 of entry_notes refers to nothing in entries"]
