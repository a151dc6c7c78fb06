"""SQLite files: creation, migration, backup, and every way one can be invalid."""

from pathlib import Path

import pytest

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.store.sqlite.connection import sqlite3
from jara.store.sqlite.database import SqliteDatabase
from tests.store.meta_rows import count_meta, put_meta
from tests.store.sqlite_file import new_file


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    """A new database on disk."""
    return new_file(tmp_path)


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
