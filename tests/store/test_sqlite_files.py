"""SQLite files: creation, migration, backup, and every way one can be invalid."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.time_zone import TimeZone
from jara.store.repositories.books.electors import ElectorRepository
from jara.store.schema import STEPS, name_of
from jara.store.sql.codecs import instant_text
from jara.store.sql.connection import Sql
from jara.store.sqlite.connection import sqlite3
from jara.store.sqlite.database import SqliteDatabase
from tests.store.meta_rows import count_meta, put_meta
from tests.store.sqlite_file import new_file

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    """A new database on disk."""
    return new_file(tmp_path)


def test_migrating_again_does_nothing(database: SqliteDatabase) -> None:
    """Each step runs once and is recorded."""
    assert database.migrate() == []


def test_an_older_database_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures that a later step adds are computed from existing rows."""
    monkeypatch.setattr("jara.store.sqlite.migrations.STEPS", STEPS[:1])
    older = SqliteDatabase(tmp_path / "jara.db", durable=False)
    older.create()
    with older.transaction(write=True) as sql:
        for number, (state, dispute) in enumerate(
            [("active", "none"), ("active", "open"), ("past_due", "won"), ("paused", "none")]
        ):
            add_giver(sql, number, state=state, dispute=dispute)
    older.close()
    monkeypatch.undo()
    database = SqliteDatabase(tmp_path / "jara.db", durable=False)

    assert [name_of(step) for step in STEPS[1:]] == database.migrate()
    with database.transaction(write=True) as sql:
        renewed = ElectorRepository(sql, TimeZone)
        renewed.renew()
        renewed.save()
    with database.transaction(write=False) as sql:
        electors = ElectorRepository(sql, TimeZone)
        assert electors.member_ids(NOW) == frozenset({"m0", "m2"})
        assert electors.figures(NOW) == (2, 30)
        assert electors.contributions() == (3, 3000)
        assert list(electors.discrepancies()) == []


def add_giver(sql: Sql, number: int, *, state: str, dispute: str) -> None:
    """Add a member with a pledge and one payment of ten dollars."""
    sql.run(
        "INSERT INTO members (id, member_key, firstname, lastname, email, email_key, country, "
        "notifications, joined_at, todo) "
        "VALUES (:id, :key, 'A', 'B', :id, :id, 'Canada', 0, :at, '')",
        {"id": f"m{number}", "key": f"k{number}", "at": instant_text(NOW)},
    )
    sql.run(
        "INSERT INTO pledges (member_id, id, dollars, billing_day, state, anchor_on, started_at, "
        "past_due_since) VALUES (:id, :id, :dollars, '1', :state, '2026-11-01', :at, :since)",
        {
            "id": f"m{number}",
            "dollars": 10 + 5 * number,
            "state": state,
            "at": instant_text(NOW),
            "since": instant_text(NOW) if state == "past_due" else None,
        },
    )
    sql.run(
        "INSERT INTO log (idx, hash, body, type) VALUES (:idx, x'00', x'7b7d', 't')",
        {"idx": number},
    )
    sql.run(
        "INSERT INTO entries (idx, id, day, booked_at, kind, description, source, member_key) "
        "VALUES (:idx, :id, '2026-11-01', :at, 'pledge', '', 'stripe', :key)",
        {"idx": number, "id": f"e{number}", "at": instant_text(NOW), "key": f"k{number}"},
    )
    sql.run(
        "INSERT INTO payments (entry, kind, member_key, account, parts, cents, dispute, day) "
        "VALUES (:idx, 'pledge', :key, 'income:pledges', '{}', 1000, :dispute, '2026-11-01')",
        {"idx": number, "key": f"k{number}", "dispute": dispute},
    )


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


def test_an_older_database_asks_for_migration(database: SqliteDatabase) -> None:
    """An older schema is refused with a hint to migrate."""
    with database.transaction(write=True) as sql:
        sql.run("PRAGMA user_version = 0")
    database.close()

    with pytest.raises(Conflict, match="run `jara migrate`"):
        database.integrity_findings()


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


def test_a_backup_is_a_whole_database(database: SqliteDatabase, tmp_path: Path) -> None:
    """A backup is a complete database that can be opened by itself."""
    put_meta(database, "a", "1")

    count = database.backup(tmp_path / "copy.db", lambda sql: sql.all("SELECT key FROM meta"))

    assert count == [("a",)]
    copy = SqliteDatabase(tmp_path / "copy.db")
    assert copy.integrity_findings() == []
    assert count_meta(copy) == 1


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


def test_a_backup_never_overwrites(database: SqliteDatabase, tmp_path: Path) -> None:
    """An existing file is left unchanged."""
    (tmp_path / "copy.db").write_text("precious")

    with pytest.raises(Conflict, match="a backup never overwrites"):
        database.backup(tmp_path / "copy.db", lambda sql: None)
    assert (tmp_path / "copy.db").read_text() == "precious"


def test_integrity_findings_name_a_dangling_reference(database: SqliteDatabase) -> None:
    """A dangling reference is reported with its table."""
    connection = sqlite3.connect(database.path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("INSERT INTO entry_notes (entry, note) VALUES (7, 'x')")
    connection.close()

    assert database.integrity_findings() == ["row 7 of entry_notes refers to nothing in entries"]
