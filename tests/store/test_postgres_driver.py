"""The PostgreSQL driver: transactions, writes and reads."""

import threading
import time

import pytest

from jara.domain.errors import Conflict, Unavailable
from jara.store.postgres.connection import PostgresSql
from jara.store.postgres.database import PostgresDatabase
from jara.store.sql.connection import numbered
from tests.store.meta_rows import ADD_META, count_meta, put_meta


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
