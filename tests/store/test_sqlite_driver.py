"""The SQLite driver: transactions, versions, and every way a file can be wrong."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.store.codecs import instant_text
from jara.store.electors import SqlElectors
from jara.store.schema import STEPS
from jara.store.schema import m0001_foundation as schema
from jara.store.sql import Sql
from jara.store.sqlite import APPLICATION_ID, SqliteDatabase
from jara.store.sqlite_sql import sqlite3

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    """A new database on disk."""
    made = SqliteDatabase(tmp_path / "jara.db", durable=False)
    made.create()
    return made


def put_meta(database: SqliteDatabase, key: str, value: str) -> None:
    """Write a row that a test can look for."""
    with database.transaction(write=True) as sql:
        sql.run("INSERT INTO meta (key, value) VALUES (:key, :value)", {"key": key, "value": value})


def count_meta(database: SqliteDatabase) -> int:
    """Count the rows of that table."""
    with database.transaction(write=False) as sql:
        row = sql.one("SELECT COUNT(*) FROM meta")
    assert row is not None
    return int(row[0])


def test_a_block_that_fails_leaves_nothing(database: SqliteDatabase) -> None:
    """Everything in a transaction is kept, or nothing is."""

    def fail_halfway() -> None:
        with database.transaction(write=True) as sql:
            sql.append("INSERT INTO meta (key, value) VALUES (:k, :v)", ("a", "1"))
            sql.flush()
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway()

    assert count_meta(database) == 0


def test_a_read_sees_what_is_still_buffered(database: SqliteDatabase) -> None:
    """Appended rows are written before any read of the same transaction."""
    with database.transaction(write=True) as sql:
        sql.append("INSERT INTO meta (key, value) VALUES (:k, :v)", ("a", "1"))

        assert sql.one("SELECT value FROM meta WHERE key = 'a'") == ("1",)


def test_a_reader_keeps_the_state_it_began_with(database: SqliteDatabase) -> None:
    """A reading transaction sees one state while others write."""
    with database.transaction(write=False) as sql:
        before = sql.one("SELECT COUNT(*) FROM meta")
        writer = threading.Thread(target=put_meta, args=(database, "a", "1"))
        writer.start()
        writer.join()

        assert sql.one("SELECT COUNT(*) FROM meta") == before

    assert count_meta(database) == 1


def test_what_a_reader_writes_is_not_kept(database: SqliteDatabase) -> None:
    """A transaction opened for reading changes nothing."""
    with database.transaction(write=False) as sql:
        sql.run("INSERT INTO meta (key, value) VALUES ('a', '1')")

    assert count_meta(database) == 0


def test_one_transaction_at_a_time_in_a_thread(database: SqliteDatabase) -> None:
    """A unit of work inside another would commit half of it, so it is a mistake."""
    with (
        database.transaction(write=True),
        pytest.raises(RuntimeError, match="open in this thread"),
        database.transaction(write=True),
    ):
        pass


@pytest.mark.parametrize("table", schema.APPEND_ONLY)
def test_history_refuses_change_and_deletion(database: SqliteDatabase, table: str) -> None:
    """The tables of history have triggers that refuse UPDATE and DELETE (trust §4)."""
    with database.transaction(write=False) as sql:
        names = {
            row[0]
            for row in sql.all(
                "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = :table",
                {"table": table},
            )
        }

    assert {f"{table}_refuses_update", f"{table}_refuses_delete"} == names


def test_an_entry_cannot_be_rewritten(database: SqliteDatabase) -> None:
    """The refusal is real, not only declared."""
    with database.transaction(write=True) as sql:
        sql.run("INSERT INTO log (idx, hash, body, type) VALUES (0, x'00', x'7b7d', 't')")

    with (
        pytest.raises(Conflict, match="log is append-only"),
        database.transaction(write=True) as sql,
    ):
        sql.run("UPDATE log SET body = x'00'")


def test_every_table_is_strict(database: SqliteDatabase) -> None:
    """STRICT tables refuse a text where a number belongs."""
    with database.transaction(write=False) as sql:
        loose = sql.all(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0 "
            "AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_sqlite_%'"
        )

    assert loose == []


def test_the_pragmas_of_durability_hold(tmp_path: Path) -> None:
    """WAL, synchronous FULL, foreign keys, secure_delete, no trusted schema (trust §4)."""
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


def test_migrating_again_does_nothing(database: SqliteDatabase) -> None:
    """A step is taken once; the schema is recorded with it."""
    assert database.migrate() == []


def test_an_older_database_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures that a later step keeps are worked out from what is there."""
    monkeypatch.setattr("jara.store.sqlite.STEPS", STEPS[:1])
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

    assert ["m0002_flat_costs"] == database.migrate()
    with database.transaction(write=False) as sql:
        electors = SqlElectors(sql)
        assert frozenset({"m0", "m2"}) == electors.member_ids(NOW)
        assert (2, 30) == electors.figures(NOW)
        assert (3, 3000) == electors.contributions()
        assert [] == list(electors.wrong())


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
    """`create` never touches a database that is there."""
    with pytest.raises(Conflict, match="exists already; nothing was changed"):
        database.create()


def test_a_missing_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    """A database that is not there is not made by a read."""
    database = SqliteDatabase(tmp_path / "none.db")

    with pytest.raises(NotFound, match=r"none\.db; `jara init` makes one"):
        database.integrity_findings()
    assert not (tmp_path / "none.db").exists()


def test_an_empty_file_is_not_made_an_organisation(tmp_path: Path) -> None:
    """Only `create` begins one; what lost its content is not filled with a bare schema."""
    path = tmp_path / "empty.db"
    path.touch()

    with pytest.raises(Unavailable, match="is not a Jara database; `jara init` makes one"):
        SqliteDatabase(path).migrate()
    assert path.read_bytes() == b""


def test_a_newer_database_is_left_alone(database: SqliteDatabase) -> None:
    """A schema from the future may mean something else, so nothing is read of it."""
    with database.transaction(write=True) as sql:
        sql.run("PRAGMA user_version = 99")
    database.close()

    with pytest.raises(Unavailable, match="version 99, newer than this program"):
        database.integrity_findings()
    with pytest.raises(Unavailable, match="version 99, newer than this program"):
        database.migrate()


def test_an_older_database_asks_for_migration(database: SqliteDatabase) -> None:
    """Working on an older schema would fail halfway, so it is refused by name."""
    with database.transaction(write=True) as sql:
        sql.run("PRAGMA user_version = 0")
    database.close()

    with pytest.raises(Conflict, match="run `jara migrate`"):
        database.integrity_findings()


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    """An SQLite file that is not ours is neither read nor migrated."""
    path = tmp_path / "other.db"
    other = sqlite3.connect(str(path))
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    as_it_was = path.read_bytes()

    with pytest.raises(Unavailable, match="not a Jara database"):
        SqliteDatabase(path).integrity_findings()
    with pytest.raises(Unavailable, match="of another program; it was left alone"):
        SqliteDatabase(path).migrate()
    assert as_it_was == path.read_bytes()


def test_a_corrupt_file_is_said_to_be_so(tmp_path: Path) -> None:
    """Bytes that are no database give one sentence, never a traceback of SQLite."""
    path = tmp_path / "jara.db"
    path.write_bytes(b"not a database at all" * 500)

    with pytest.raises(Unavailable, match="not a database, or is corrupt; restore a backup"):
        SqliteDatabase(path).integrity_findings()


def test_a_locked_database_says_so(database: SqliteDatabase) -> None:
    """Another process that holds the lock gives an error to try again."""
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with database.transaction(write=False) as sql:
        sql.run("PRAGMA busy_timeout = 10")
    try:
        with pytest.raises(Unavailable, match="is locked by another process"):
            put_meta(database, "a", "1")
    finally:
        other.execute("ROLLBACK")
        other.close()

    put_meta(database, "a", "1")
    assert count_meta(database) == 1


def test_a_full_disk_changes_nothing(database: SqliteDatabase) -> None:
    """When no page is left the transaction is undone and the sentence says so."""
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
    """SQLite's own refusal to write is turned into the same sentence."""
    with database.transaction(write=False) as sql:
        sql.run("PRAGMA query_only = ON")

    with pytest.raises(Unavailable, match="cannot be written; nothing was changed"):
        put_meta(database, "a", "1")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A database in a missing folder cannot be made, and the sentence says where."""
    database = SqliteDatabase(tmp_path / "missing" / "jara.db")

    with pytest.raises(Unavailable, match="cannot be opened; check the folder"):
        database.create()


def test_a_backup_is_a_whole_database(database: SqliteDatabase, tmp_path: Path) -> None:
    """A backup taken while others write can be opened by itself."""
    put_meta(database, "a", "1")

    count = database.backup(tmp_path / "copy.db", lambda sql: sql.all("SELECT key FROM meta"))

    assert count == [("a",)]
    copy = SqliteDatabase(tmp_path / "copy.db")
    assert copy.integrity_findings() == []
    assert count_meta(copy) == 1


def test_a_backup_never_overwrites(database: SqliteDatabase, tmp_path: Path) -> None:
    """A file that is there stays as it is."""
    (tmp_path / "copy.db").write_text("precious")

    with pytest.raises(Conflict, match="a backup never overwrites"):
        database.backup(tmp_path / "copy.db", lambda sql: None)
    assert (tmp_path / "copy.db").read_text() == "precious"


def test_integrity_findings_name_a_dangling_reference(database: SqliteDatabase) -> None:
    """A row that refers to nothing is found, with its table."""
    connection = sqlite3.connect(database.path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("INSERT INTO entry_notes (entry, note) VALUES (7, 'x')")
    connection.close()

    assert database.integrity_findings() == ["row 7 of entry_notes refers to nothing in entries"]


def test_erased_bytes_leave_the_file(database: SqliteDatabase) -> None:
    """After truncating the log neither file nor log holds what was deleted (trust §4)."""
    put_meta(database, "secret", "Adaeze-was-here")
    with database.transaction(write=True) as sql:
        sql.run("DELETE FROM meta")

    database.truncate_log()

    files = Path(database.path).parent.glob("jara.db*")
    assert not any(b"Adaeze-was-here" in path.read_bytes() for path in files)


def test_a_constraint_is_a_conflict(database: SqliteDatabase) -> None:
    """What the schema refuses is reported as a conflict, and nothing is kept."""
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
