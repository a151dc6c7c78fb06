"""PostgreSQL: schema and guards, versions and server; transactions, writes and reads."""

import threading
import time

import psycopg
import pytest

from jara.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from jara.store.postgres.connection import PostgresSql
from jara.store.postgres.database import PostgresDatabase
from jara.store.postgres.schema import trigger_names
from jara.store.schema import latest_version
from jara.store.sql.connection import numbered
from tests.postgres_server import PostgresServer
from tests.store.meta_rows import ADD_META, count_meta, put_meta

HELPER = (
    "CREATE OR REPLACE FUNCTION helper() RETURNS trigger LANGUAGE plpgsql "
    "AS 'BEGIN RETURN NULL; END'"
)


def execute(url: str, statement: str) -> None:
    """Execute a statement without the driver."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


@pytest.mark.parametrize("act", ["UPDATE log SET type = 'x'", "DELETE FROM log", "TRUNCATE log"])
def test_history_refuses_change_and_deletion(database: PostgresDatabase, act: str) -> None:
    """History tables refuse changes, even when empty."""
    with (
        pytest.raises(Conflict, match="log is append-only"),
        database.transaction(write=True) as sql,
    ):
        sql.run(act + (" CASCADE" if act.startswith("TRUNCATE") else ""))


def test_integrity_findings_name_dropped_triggers(url: str, database: PostgresDatabase) -> None:
    """The findings name dropped or disabled triggers and unvalidated constraints."""
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


FOREIGN = {
    "CREATE TABLE more (a INT)": "table more",
    "CREATE VIEW everybody AS SELECT * FROM members": "view everybody",
    "CREATE MATERIALIZED VIEW everyone AS SELECT * FROM members": "view everyone",
    "CREATE SEQUENCE counter": "sequence counter",
    "CREATE FUNCTION f() RETURNS BIGINT LANGUAGE sql AS 'SELECT 1'; "
    "DROP VIEW balances; CREATE VIEW balances AS SELECT f() AS cents": "view balances as it is now",
    "ALTER TABLE members ADD COLUMN more TEXT": "column members.more",
    "ALTER TABLE members ADD COLUMN g TEXT GENERATED ALWAYS AS (upper(email)) STORED": (
        "column members.g"
    ),
    "ALTER TABLE members ALTER COLUMN todo SET DEFAULT md5('x')": "default of members.todo",
    "CREATE INDEX slow ON members (country)": "index slow",
    "CREATE RULE quiet AS ON DELETE TO members DO INSTEAD NOTHING": "rule quiet",
    "CREATE POLICY own ON members USING (true)": "policy own",
    f"{HELPER}": "function helper",
    f"{HELPER}; CREATE TRIGGER t AFTER UPDATE ON members FOR EACH ROW "
    "EXECUTE FUNCTION helper()": "trigger t",
    f"{HELPER}; DROP TRIGGER log_refuses_change ON log; CREATE TRIGGER log_refuses_change "
    "BEFORE UPDATE OR DELETE OR TRUNCATE ON log FOR EACH STATEMENT EXECUTE FUNCTION helper()": (
        "trigger log_refuses_change as it is now"
    ),
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
    "'BEGIN RETURN NULL; END'": "function refuse_change as it is now",
    "CREATE FUNCTION ok(TEXT) RETURNS BOOL LANGUAGE sql IMMUTABLE AS 'SELECT true'; "
    "ALTER TABLE members ADD CONSTRAINT c CHECK (ok(email))": "constraint c",
}


def test_foreign_additions_and_changes_are_named(url: str, database: PostgresDatabase) -> None:
    """Whatever an administrator or an attacker adds to the schema, or changes in it."""
    assert database.schema_findings() == []

    for statements, label in FOREIGN.items():
        before = database.schema_findings()
        execute(url, statements)
        assert f"the {label} is not Jara's" in {*database.schema_findings()} - {*before}


def test_a_trigger_that_refuses_less_is_named(url: str, database: PostgresDatabase) -> None:
    """A trigger of the same name must refuse every change."""
    execute(
        url,
        "DROP TRIGGER log_refuses_change ON log; CREATE TRIGGER log_refuses_change "
        "BEFORE UPDATE ON log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
    )

    [finding] = database.schema_findings()
    assert finding == "the trigger log_refuses_change as it is now is not Jara's"


def test_every_commit_is_noticed(url: str, database: PostgresDatabase) -> None:
    """The mark changes with every commit, from any process, and only then."""
    first = database.revision()
    count_meta(database)
    assert database.revision() == first

    elsewhere = PostgresDatabase(url)
    put_meta(elsewhere, "a")
    elsewhere.close()

    assert database.revision() != first


def test_creating_twice_is_refused(url: str, database: PostgresDatabase) -> None:
    """`create` refuses an existing organisation, and a `remove` after that keeps it."""
    put_meta(database, "a")
    other = PostgresDatabase(url, location="postgresql://here/jara")
    for act in (other.create, other.require_absent):
        with pytest.raises(Conflict, match="exists already; nothing was changed"):
            act()
    other.remove()

    assert count_meta(database) == 1
    assert database.migrate() == []


def test_an_empty_schema_counts_as_nothing(url: str, database: PostgresDatabase) -> None:
    """`create` accepts an empty schema, as an interrupted `jara init` leaves; `remove` keeps it."""
    other = PostgresDatabase(url)
    other.require_absent()
    other.create()
    other.remove()

    assert count_meta(database) == 0


def test_a_created_database_can_be_removed(url: str, database: PostgresDatabase) -> None:
    """After `remove` the database is empty again."""
    database.remove()

    database.require_absent()
    with pytest.raises(NotFound, match="no organisation in postgresql://here/jara; `jara init`"):
        count_meta(database)
    with pytest.raises(NotFound, match="`jara init` creates one"):
        database.migrate()


def test_another_programs_database_is_left_alone(url: str) -> None:
    """A database with other tables is refused."""
    execute(url, "CREATE TABLE recipes (name TEXT)")

    with pytest.raises(Unavailable, match="belongs to another program; it was not changed"):
        PostgresDatabase(url).create()


def test_other_versions_are_refused(url: str, database: PostgresDatabase) -> None:
    """A newer schema is refused, and one that is older than 0.2.0."""
    database.close()
    execute(url, "INSERT INTO schema_steps VALUES (99, 'm0099_future')")
    for act in (database.facts, database.migrate):
        with pytest.raises(Unavailable, match="version 99, newer than this program's"):
            act()

    execute(url, "DELETE FROM schema_steps")
    for act in (database.facts, database.migrate):
        with pytest.raises(Conflict, match="is older than Jara 0"):
            act()


def test_two_organisations_share_a_database_by_schemas(url: str) -> None:
    """Each organisation sees only its own tables, and removing one keeps the other's."""
    pair = []
    for name in ("lagos", "accra"):
        execute(url, f"CREATE SCHEMA {name}")
        pair.append(PostgresDatabase(f"{url}&options=-csearch_path%3D{name}"))
        pair[-1].create()
    lagos, accra = pair
    put_meta(lagos, "a")

    assert (count_meta(lagos), count_meta(accra)) == (1, 0)
    assert [one.integrity_findings() for one in pair] == [[], []]
    lagos.remove()
    assert count_meta(accra) == 0
    accra.close()


def test_migrations_wait_for_each_other(url: str) -> None:
    """Of three parallel calls of `create`, one creates the schema and the others find it."""
    made = [PostgresDatabase(url) for _ in range(3)]
    threads = [threading.Thread(target=one.create) for one in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [one.migrate() for one in made] == [[], [], []]
    put_meta(made[0], "a")
    assert count_meta(made[1]) == 1


def test_values_that_no_column_holds_are_refused(database: PostgresDatabase) -> None:
    """U+0000 and numbers beyond 64 bits are input errors."""
    with pytest.raises(InvalidInput, match="cannot store this value"):
        put_meta(database, "a\0b")
    with (
        pytest.raises(InvalidInput, match="cannot store this value: bigint out of range"),
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
    """The first query fails immediately with one line."""
    url = address.format(
        url=postgres.url("jara_x"), nobody=postgres.url("postgres", user="nobody")
    ).replace(f"?host={postgres.folder}_none", f"_none?host={postgres.folder}")

    with pytest.raises(Unavailable, match=sentence) as caught:
        PostgresDatabase(url, location="postgresql://there/jara").facts()

    assert "postgresql://there/jara" in caught.value.message
    assert "\n" not in caught.value.message


def test_a_wrong_address_is_not_repeated() -> None:
    """The message omits the address, because it contains the password."""
    database = PostgresDatabase("postgresql://jara:hushhush@db:port%/jara", location="db")

    with pytest.raises(InvalidInput, match=r"^db is not a database address\.$"):
        database.facts()


def test_a_server_that_was_started_again_costs_nobody_an_error() -> None:
    """Broken connections are replaced, and committed data are there."""
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
    """Settings that risk data loss, such as fsync off, are named."""
    facts = database.facts()

    assert (facts.engine, facts.schema_version) == ("PostgreSQL", latest_version())
    assert facts.journal_mode == "fsync and full_page_writes and synchronous_commit off"
    assert facts.size_bytes > 1_000_000


def test_parameters_are_numbered_and_texts_left_alone() -> None:
    """Each name has one number, and quoted texts are unchanged."""
    assert numbered("SELECT :b, ':a', 'it''s :c', :a, :b WHERE x LIKE 'assets:%'", "$") == (
        "SELECT $1, ':a', 'it''s :c', $2, $1 WHERE x LIKE 'assets:%'",
        ("b", "a"),
    )


def test_a_failure_that_was_caught_is_not_taken_for_success(database: PostgresDatabase) -> None:
    """After an error that was caught, PostgreSQL rolls back, and the driver raises an error."""
    put_meta(database, "a")

    def carry_on() -> None:
        with database.transaction(write=True) as sql:
            sql.run(ADD_META, {"key": "b", "value": "1"})
            with pytest.raises(Conflict, match="refused the change: duplicate key"):
                sql.run(ADD_META, {"key": "a", "value": "1"})

    with pytest.raises(Unavailable, match="rolled back the change; nothing was saved"):
        carry_on()

    assert count_meta(database) == 1


def test_a_reader_cannot_write(database: PostgresDatabase) -> None:
    """A read transaction refuses a change."""
    with (
        pytest.raises(Unavailable, match="cannot be written; nothing was changed"),
        database.transaction(write=False) as sql,
    ):
        sql.run("DELETE FROM meta")


def test_a_writer_waits_and_sees_what_the_other_wrote(database: PostgresDatabase) -> None:
    """Write transactions run one after the other, so each check sees the latest state."""
    begun, seen = threading.Event(), []

    def second() -> None:
        begun.set()
        with database.transaction(write=True) as sql:
            seen.append(sql.all("SELECT key FROM meta"))

    with database.transaction(write=True) as sql:
        thread = threading.Thread(target=second)
        thread.start()
        begun.wait()
        time.sleep(0.2)  # a writer that does not wait would have read by now
        sql.run(ADD_META, {"key": "a", "value": "1"})
    thread.join()

    assert seen == [[("a",)]]


def test_waiting_too_long_for_a_lock_is_an_error(url: str, database: PostgresDatabase) -> None:
    """Waiting too long for a lock gives an error to retry later."""
    quick = PostgresDatabase(url, location="postgresql://here/jara")
    quick._begin_write = quick._begin_write.replace("'5s'", "'50ms'")
    with database.transaction(write=True), pytest.raises(Unavailable, match="is locked by another"):
        put_meta(quick, "a")

    put_meta(quick, "a")
    assert count_meta(database) == 1
    quick.close()


def test_large_and_small_batches_arrive_alike(database: PostgresDatabase) -> None:
    """Bytes, null, quotes and tabs are read back unchanged, with COPY and without it."""
    rows = [
        (number, f"k{number}", "2026", None if number % 2 else "a\tb\\n'", "{}")
        for number in range(120)
    ]
    insert = "INSERT INTO sandbox_rows (seq, id, created_at, payout_id, doc) VALUES "
    with database.transaction(write=True) as sql:
        for row in rows:
            sql.append(f"{insert}(:n, :id, :at, :due, :doc)", row)
        for number in range(3):
            sql.append(
                "INSERT INTO log (idx, hash, body, type) VALUES (:n, :hash, :hash, 't')",
                (number, bytes([0, 92, 255, number])),
            )

        found = list(sql.each("SELECT seq, id, payout_id FROM sandbox_rows ORDER BY seq"))
        hashes = [row[0] for row in sql.all("SELECT hash FROM log ORDER BY idx")]

    assert found == [(row[0], row[1], row[3]) for row in rows]
    assert hashes == [bytes([0, 92, 255, number]) for number in range(3)]


@pytest.mark.parametrize("count", [2, 200])
def test_a_refused_buffered_row_rolls_back_all(database: PostgresDatabase, count: int) -> None:
    """If one of many buffered rows breaks a rule, it is a conflict and nothing is stored."""

    def write_twice() -> None:
        with database.transaction(write=True) as sql:
            for number in range(count):
                sql.append(ADD_META, (f"k{number // 2}", "x"))

    with pytest.raises(Conflict, match="refused the change: duplicate key"):
        write_twice()

    assert count_meta(database) == 0
    put_meta(database, "k0")


def test_a_part_is_undone_alone(database: PostgresDatabase) -> None:
    """A failed savepoint also drops its buffered rows, and the transaction continues."""

    def add(sql: PostgresSql, *keys: str) -> None:
        with sql.savepoint():
            for key in keys:
                sql.append(ADD_META, (key, "1"))

    with database.transaction(write=True) as sql:
        sql.append(ADD_META, ("a", "1"))
        with pytest.raises(Conflict, match="duplicate key"):
            add(sql, "b", "a")
        add(sql, "c")
        stands = sql.is_open
        kept = sql.all("SELECT key FROM meta ORDER BY key")

    assert kept == [("a",), ("c",)]
    assert (stands, sql.is_open) == (True, False)
    assert count_meta(database) == 2


def test_single_queries_need_no_transaction(database: PostgresDatabase) -> None:
    """A single query uses its own connection, also during a transaction."""
    single = database.read_once()
    with database.transaction(write=True) as sql:
        sql.run(ADD_META, {"key": "a", "value": "1"})
        assert single.one("SELECT COUNT(*) FROM meta") == (0,)

    assert single.all("SELECT key FROM meta WHERE value = :v", {"v": "1"}) == [("a",)]


def test_many_rows_are_streamed_side_by_side(database: PostgresDatabase) -> None:
    """Two streams of one transaction can be read alternately or left unfinished."""
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
    """Sums are integers, also beyond 64 bits, although PostgreSQL returns decimals."""
    with database.transaction(write=False) as sql:
        row = sql.one(
            "SELECT SUM(x) FROM (SELECT CAST(9223372036854775807 AS BIGINT) AS x "
            "UNION ALL SELECT 9223372036854775807) AS both_sides"
        )

    assert row == (18446744073709551614,)
    assert type(row[0]) is int


def test_texts_are_in_the_order_of_their_bytes(database: PostgresDatabase) -> None:
    """Texts sort by their bytes, as in SQLite, for any server locale."""
    words = ["Zebra", "apple", "Äpfel", "zebra", "_", "a-b", "ab"]
    with database.transaction(write=True) as sql:
        sql.run_many(ADD_META, [{"key": word, "value": "x"} for word in words])
        found = [row[0] for row in sql.all("SELECT key FROM meta ORDER BY key")]
        below = sql.all("SELECT key FROM meta WHERE key >= :a AND key < :b", {"a": "Z", "b": "a"})

    assert found == sorted(words, key=str.encode)
    assert sorted(row[0] for row in below) == ["Zebra", "_"]
