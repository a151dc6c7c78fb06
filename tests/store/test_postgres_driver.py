"""The PostgreSQL driver: transactions, versions, and every way a server can be wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from jara.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from jara.store.postgres import PostgresDatabase
from jara.store.postgres_schema import trigger_names
from jara.store.postgres_sql import PostgresSql, numbered
from jara.store.schema import SCHEMA_VERSION
from jara.store.sqlite import SqliteDatabase
from tests.postgres_server import PostgresServer

ADD_META = "INSERT INTO meta (key, value) VALUES (:key, :value)"


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    """The address of an empty database."""
    return postgres.create_database()


@pytest.fixture
def database(url: str) -> Iterator[PostgresDatabase]:
    """A new database."""
    made = PostgresDatabase(url, location="postgresql://here/jara", durable=False)
    made.create()
    yield made
    made.close()


def put_meta(database: PostgresDatabase, key: str, value: str = "x") -> None:
    """Write a row that a test can look for."""
    with database.transaction(write=True) as sql:
        sql.run(ADD_META, {"key": key, "value": value})


def count_meta(database: PostgresDatabase) -> int:
    """Count the rows of that table."""
    with database.transaction(write=False) as sql:
        row = sql.one("SELECT COUNT(*) FROM meta")
    assert row is not None
    return int(row[0])


def execute(url: str, statement: str) -> None:
    """Do something behind the driver's back."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


def test_parameters_are_numbered_and_texts_left_alone() -> None:
    """Each name has one number; what stands in quotes is no parameter."""
    assert numbered("SELECT :b, ':a', 'it''s :c', :a, :b WHERE x LIKE 'assets:%'") == (
        b"SELECT $1, ':a', 'it''s :c', $2, $1 WHERE x LIKE 'assets:%'",
        ("b", "a"),
    )


def test_a_block_that_fails_leaves_nothing(database: PostgresDatabase) -> None:
    """Everything in a transaction is kept, or nothing is."""

    def fail_halfway() -> None:
        with database.transaction(write=True) as sql:
            sql.append(ADD_META, {"key": "a", "value": "1"})
            sql.flush()
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway()

    assert count_meta(database) == 0


def test_a_failure_that_was_caught_is_not_taken_for_success(database: PostgresDatabase) -> None:
    """PostgreSQL undoes the whole transaction then, and says so only to who asks."""
    put_meta(database, "a")

    def carry_on() -> None:
        with database.transaction(write=True) as sql:
            sql.run(ADD_META, {"key": "b", "value": "1"})
            with pytest.raises(Conflict, match="refused the change: duplicate key"):
                sql.run(ADD_META, {"key": "a", "value": "1"})

    with pytest.raises(Unavailable, match="undid the change; nothing was kept"):
        carry_on()

    assert count_meta(database) == 1


def test_a_reader_keeps_the_state_it_began_with(database: PostgresDatabase) -> None:
    """A reading transaction sees one state while others write, and changes nothing."""
    with database.transaction(write=False) as sql:
        before = sql.one("SELECT COUNT(*) FROM meta")
        writer = threading.Thread(target=put_meta, args=(database, "a"))
        writer.start()
        writer.join()

        assert sql.one("SELECT COUNT(*) FROM meta") == before

    assert count_meta(database) == 1
    with (
        pytest.raises(Unavailable, match="cannot be written; nothing was changed"),
        database.transaction(write=False) as sql,
    ):
        sql.run("DELETE FROM meta")


def test_one_transaction_at_a_time_in_a_thread(database: PostgresDatabase) -> None:
    """A unit of work inside another would commit half of it, so it is a mistake."""
    with (
        database.transaction(write=True),
        pytest.raises(RuntimeError, match="open in this thread"),
        database.transaction(write=True),
    ):
        pass


def test_a_writer_waits_and_sees_what_the_other_wrote(database: PostgresDatabase) -> None:
    """No two writers begin from the same state, so that no check is made on an old one."""
    begun, seen = threading.Event(), []

    def second() -> None:
        begun.set()
        with database.transaction(write=True) as sql:
            seen.append(sql.all("SELECT key FROM meta"))

    with database.transaction(write=True) as sql:
        thread = threading.Thread(target=second)
        thread.start()
        begun.wait()
        time.sleep(0.2)  # who does not wait would have read by now
        sql.run(ADD_META, {"key": "a", "value": "1"})
    thread.join()

    assert seen == [[("a",)]]


def test_who_waits_too_long_is_told_so(url: str, database: PostgresDatabase) -> None:
    """A lock that another holds gives an error to try again, not a thread for ever."""
    quick = PostgresDatabase(url, location="postgresql://here/jara")
    quick._begin_write = quick._begin_write.replace("'5s'", "'50ms'")
    with database.transaction(write=True), pytest.raises(Unavailable, match="is locked by another"):
        put_meta(quick, "a")

    put_meta(quick, "a")
    assert count_meta(database) == 1
    quick.close()


def test_large_and_small_batches_arrive_alike(database: PostgresDatabase) -> None:
    """Bytes, nothing, quotes and tabs come back as they went in, by COPY and without it."""
    rows: list[dict[str, Any]] = [
        {"id": f"k{number}", "due": None if number % 2 else "a\tb\\n'", "n": number}
        for number in range(120)
    ]
    insert = "INSERT INTO sandbox_rows (seq, id, created_at, payout_id, doc) VALUES "
    with database.transaction(write=True) as sql:
        for row in rows:
            sql.append(f"{insert}(:n, :id, :id, :due, :id)", row)
        for row in rows[:3]:
            log = {"n": row["n"], "hash": bytes([0, 92, 255, row["n"]])}
            sql.append(
                "INSERT INTO log (idx, hash, body, type) VALUES (:n, :hash, :hash, 't')", log
            )

        found = list(sql.each("SELECT seq, id, payout_id FROM sandbox_rows ORDER BY seq"))
        hashes = [row[0] for row in sql.all("SELECT hash FROM log ORDER BY idx")]

    assert found == [(row["n"], row["id"], row["due"]) for row in rows]
    assert hashes == [bytes([0, 92, 255, number]) for number in range(3)]


@pytest.mark.parametrize("count", [2, 200])
def test_what_was_held_back_is_refused_as_well(database: PostgresDatabase, count: int) -> None:
    """A rule broken by one of many buffered rows is a conflict, and nothing is kept."""

    def write_twice() -> None:
        with database.transaction(write=True) as sql:
            for number in range(count):
                sql.append(ADD_META, {"key": f"k{number // 2}", "value": "x"})

    with pytest.raises(Conflict, match="refused the change: duplicate key"):
        write_twice()

    assert count_meta(database) == 0
    put_meta(database, "k0")


def test_a_part_is_undone_alone(database: PostgresDatabase) -> None:
    """What failed inside goes with what was held back there; the transaction goes on."""

    def add(sql: PostgresSql, *keys: str) -> None:
        with sql.part():
            for key in keys:
                sql.append(ADD_META, {"key": key, "value": "1"})

    with database.transaction(write=True) as sql:
        sql.append(ADD_META, {"key": "a", "value": "1"})
        with pytest.raises(Conflict, match="duplicate key"):
            add(sql, "b", "a")
        add(sql, "c")
        stands = sql.is_open
        kept = sql.all("SELECT key FROM meta ORDER BY key")

    assert kept == [("a",), ("c",)]
    assert (stands, sql.is_open) == (True, False)
    assert count_meta(database) == 2


def test_one_question_needs_no_transaction(database: PostgresDatabase) -> None:
    """Each is asked on a connection of its own, also while a transaction is open."""
    glance = database.glance()
    with database.transaction(write=True) as sql:
        sql.run(ADD_META, {"key": "a", "value": "1"})
        assert glance.one("SELECT COUNT(*) FROM meta") == (0,)

    assert glance.all("SELECT key FROM meta WHERE value = :v", {"v": "1"}) == [("a",)]


def test_many_rows_are_streamed_side_by_side(database: PostgresDatabase) -> None:
    """Two streams of one transaction are read in turn, and one may be left unread."""
    with database.transaction(write=True) as sql:
        sql.run_many(ADD_META, [{"key": f"{n:05}", "value": str(n)} for n in range(4500)])
        keys, values = (
            sql.each("SELECT key FROM meta ORDER BY key"),
            sql.each("SELECT value FROM meta ORDER BY key"),
        )
        pairs = [(int(key[0]), int(value[0])) for key, value in zip(keys, values, strict=True)]
        next(sql.each("SELECT key FROM meta"))

    assert pairs == [(number, number) for number in range(4500)]


def test_sums_are_whole_numbers(database: PostgresDatabase) -> None:
    """PostgreSQL adds integers up as decimals; cents stay integers beyond 64 bits too."""
    with database.transaction(write=False) as sql:
        row = sql.one(
            "SELECT SUM(x) FROM (SELECT CAST(9223372036854775807 AS BIGINT) AS x "
            "UNION ALL SELECT 9223372036854775807) AS both_sides"
        )

    assert row == (18446744073709551614,)
    assert type(row[0]) is int


def test_texts_are_in_the_order_of_their_bytes(database: PostgresDatabase) -> None:
    """As in SQLite, whatever the language of the server."""
    words = ["Zebra", "apple", "Äpfel", "zebra", "_", "a-b", "ab"]
    with database.transaction(write=True) as sql:
        sql.run_many(ADD_META, [{"key": word, "value": "x"} for word in words])
        found = [row[0] for row in sql.all("SELECT key FROM meta ORDER BY key")]
        below = sql.all("SELECT key FROM meta WHERE key >= :a AND key < :b", {"a": "Z", "b": "a"})

    assert found == sorted(words, key=str.encode)
    assert sorted(row[0] for row in below) == ["Zebra", "_"]


@pytest.mark.parametrize("act", ["UPDATE log SET type = 'x'", "DELETE FROM log", "TRUNCATE log"])
def test_history_refuses_change_and_deletion(database: PostgresDatabase, act: str) -> None:
    """The tables of history refuse it, the empty ones too (trust §4)."""
    with (
        pytest.raises(Conflict, match="log is append-only"),
        database.transaction(write=True) as sql,
    ):
        sql.run(act + (" CASCADE" if act.startswith("TRUNCATE") else ""))


def test_integrity_findings_name_what_was_taken_away(url: str, database: PostgresDatabase) -> None:
    """Guards that somebody removed or switched off, and constraints nobody checked."""
    assert database.integrity_findings() == []

    execute(url, "ALTER TABLE log DISABLE TRIGGER log_refuses_change")
    execute(url, "DROP TRIGGER postings_refuses_change ON postings")
    execute(url, "ALTER TABLE pledges ADD CONSTRAINT young CHECK (dollars < 6) NOT VALID")

    assert database.integrity_findings() == [
        "the constraint young was never checked",
        "the trigger log_refuses_change is missing or disabled",
        "the trigger postings_refuses_change is missing or disabled",
    ]
    assert len(trigger_names()) == len(set(trigger_names())) > 10


def test_nothing_tells_who_cast_a_ballot_once_its_key_is_destroyed(
    url: str, database: PostgresDatabase
) -> None:
    """The hidden numbers of transactions and places part with the key too (trust §2)."""
    with database.transaction(write=True) as sql:
        sql.run(
            "INSERT INTO proposals (id, slug, title, status, ends_at, doc, created_at) "
            "VALUES ('wells', 'wells', 'Wells', 'passed', '', '{}', '')"
        )
    for member in ("zoe", "ada", "mia"):
        with database.transaction(write=True) as sql:
            sql.run("INSERT INTO participations VALUES ('wells', :who)", {"who": member})
    hidden = "SELECT member_id, CAST(xmin AS TEXT) FROM participations ORDER BY ctid"
    with psycopg.connect(url) as connection:
        before = connection.execute(hidden).fetchall()

    with database.transaction(write=True) as sql:
        sql.run("UPDATE proposals SET key_destroyed_at = 'now' WHERE id = 'wells'")

    with psycopg.connect(url) as connection:
        after = connection.execute(hidden).fetchall()
    assert (["zoe", "ada", "mia"], 3) == (
        [row[0] for row in before],
        len({row[1] for row in before}),
    )
    assert (["ada", "mia", "zoe"], 1) == ([row[0] for row in after], len({row[1] for row in after}))
    with (
        pytest.raises(Conflict, match="participations is append-only"),
        database.transaction(write=True) as sql,
    ):
        sql.run("DELETE FROM participations")


def test_every_commit_is_noticed(url: str, database: PostgresDatabase) -> None:
    """The mark stays while nothing is committed, and changes with a commit from anywhere."""
    first = database.change_mark()
    count_meta(database)
    assert database.change_mark() == first

    elsewhere = PostgresDatabase(url)
    put_meta(elsewhere, "a")
    elsewhere.close()

    assert database.change_mark() != first


def test_creating_twice_is_refused(url: str, database: PostgresDatabase) -> None:
    """`create` never touches an organisation, and takes none away that it did not make."""
    put_meta(database, "a")
    other = PostgresDatabase(url, location="postgresql://here/jara")
    for act in (other.create, other.require_absent):
        with pytest.raises(Conflict, match="exists already; nothing was changed"):
            act()
    other.remove()

    assert count_meta(database) == 1
    assert database.migrate() == []


def test_what_was_made_can_be_taken_away(url: str, database: PostgresDatabase) -> None:
    """After `remove` the database is as empty as it was."""
    database.remove()

    database.require_absent()
    with pytest.raises(NotFound, match="no organisation in postgresql://here/jara; `jara init`"):
        count_meta(database)
    with pytest.raises(NotFound, match="`jara init` makes one"):
        database.migrate()


def test_another_programs_database_is_left_alone(url: str) -> None:
    """Tables that are not ours stay by themselves."""
    execute(url, "CREATE TABLE recipes (name TEXT)")

    with pytest.raises(Unavailable, match="is of another program; it was left alone"):
        PostgresDatabase(url).create()


def test_other_versions_are_refused(url: str, database: PostgresDatabase) -> None:
    """A newer schema may mean something else; an older one asks for `jara migrate`."""
    database.close()
    execute(url, "INSERT INTO schema_steps VALUES (99, 'm0099_future')")
    for act in (database.facts, database.migrate):
        with pytest.raises(Unavailable, match="version 99, newer than this program's"):
            act()

    execute(url, "DELETE FROM schema_steps")
    with pytest.raises(Conflict, match="of an older version; run `jara migrate`"):
        database.facts()


def test_two_organisations_share_a_database_by_schemas(url: str) -> None:
    """Each sees its own tables alone, and the destroyed key of one leaves the other's votes."""
    pair = []
    for name in ("lagos", "accra"):
        execute(url, f"CREATE SCHEMA {name}")
        pair.append(PostgresDatabase(f"{url}&options=-csearch_path%3D{name}"))
        pair[-1].create()
    lagos, accra = pair
    put_meta(lagos, "a")

    assert (1, 0) == (count_meta(lagos), count_meta(accra))
    assert [[], []] == [one.integrity_findings() for one in pair]
    lagos.remove()
    assert count_meta(accra) == 0
    accra.close()


def test_migrations_wait_for_each_other(url: str) -> None:
    """Of two that begin at once one makes the schema; the other finds it made."""
    answers = []

    def create() -> None:
        one = PostgresDatabase(url, location="postgresql://here/jara")
        try:
            one.create()
        except Conflict as error:
            answers.append(error.message)
        else:
            answers.append("made")

    threads = [threading.Thread(target=create) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    taken = "postgresql://here/jara exists already; nothing was changed."
    assert sorted(answers) == ["made", taken, taken]


def test_values_that_no_column_holds_are_refused(database: PostgresDatabase) -> None:
    """U+0000 and numbers beyond 64 bits are the input's fault."""
    with pytest.raises(InvalidInput, match="cannot keep this value"):
        put_meta(database, "a\0b")
    with (
        pytest.raises(InvalidInput, match="cannot keep this value: bigint out of range"),
        database.transaction(write=True) as sql,
    ):
        sql.run("INSERT INTO fixed_costs VALUES ('a', 'a', :cents, '', '')", {"cents": 1 << 70})


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("postgresql://owner@127.0.0.1:1/jara", "Connection refused"),
        ("{url}_none", 'database "jara_.*_none" does not exist'),
        ("{nobody}", 'role "nobody" does not exist'),
    ],
)
def test_a_server_that_is_not_there_is_named(
    postgres: PostgresServer, address: str, sentence: str
) -> None:
    """The first question says what is wrong, at once and in one line."""
    url = address.format(
        url=postgres.url("jara_x"), nobody=postgres.url("postgres", user="nobody")
    ).replace(f"?host={postgres.folder}_none", f"_none?host={postgres.folder}")

    with pytest.raises(Unavailable, match=sentence) as caught:
        PostgresDatabase(url, location="postgresql://there/jara").facts()

    assert "postgresql://there/jara" in caught.value.message
    assert "\n" not in caught.value.message


def test_a_wrong_address_is_not_repeated() -> None:
    """The library's own words would show the password."""
    database = PostgresDatabase("postgresql://jara:hushhush@db:port%/jara", location="db")

    with pytest.raises(InvalidInput, match=r"^db is no address of a database\.$"):
        database.facts()


def test_a_server_that_was_started_again_costs_nobody_an_error() -> None:
    """Connections that the server took along are replaced; what was committed is there."""
    server = PostgresServer(durable=True)
    database = PostgresDatabase(server.create_database())
    database.create()
    gate = threading.Barrier(4)

    def hold() -> None:
        with database.transaction(write=False):
            gate.wait()

    threads = [threading.Thread(target=hold) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    put_meta(database, "a")
    server.kill()
    server.start()

    assert count_meta(database) == 1
    put_meta(database, "b")
    database.close()
    server.stop()


def test_facts_tell_what_a_server_may_lose(database: PostgresDatabase) -> None:
    """A server that does not wait for the disk is known by name."""
    facts = database.facts()

    assert ("PostgreSQL", SCHEMA_VERSION) == (facts.engine, facts.schema_version)
    assert "fsync and full_page_writes and synchronous_commit off" == facts.journal_mode
    assert facts.size_bytes > 1_000_000


def test_a_backup_is_an_sqlite_file(database: PostgresDatabase, tmp_path: Path) -> None:
    """It can be opened without PostgreSQL, and it never overwrites."""
    put_meta(database, "a")

    found = database.backup(tmp_path / "copy.db", lambda sql: sql.all("SELECT key FROM meta"))

    assert found == [("a",)]
    assert [tmp_path / "copy.db"] == list(tmp_path.iterdir())
    copy = SqliteDatabase(tmp_path / "copy.db")
    assert copy.integrity_findings() == []
    copy.close()
    with pytest.raises(Conflict, match="exists already"):
        database.backup(tmp_path / "copy.db", lambda sql: None)
