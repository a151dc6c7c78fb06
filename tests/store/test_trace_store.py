"""The trace in the database equals the trace in memory."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # chosen at run time there

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.trace import build_trace, payers_of_entry, record_entry, trace_of_member
from jara.domain.books.trace_rows import MemoryTrace, Pool
from jara.domain.checks.entries import check_trace
from jara.domain.errors import NotFound
from jara.store.postgres.database import PostgresDatabase
from jara.store.repositories.journal.trace import PoolRows
from jara.store.schema import all_statements
from jara.store.sql.connection import Sql
from jara.store.sqlite.connection import SqliteSql
from tests.domain.books.trace_histories import MOVES, Move, entries_of, entry_of, pledge


@contextmanager
def _database() -> Iterator[SqliteSql]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statement in all_statements():
            if " trace_" in statement:
                connection.execute(statement)
        yield SqliteSql(connection)
    finally:
        connection.close()


def open_trace(sql: Sql) -> dict[Pool, PoolRows]:
    """Return the trace of every pool, as one transaction sees it."""
    return {pool: PoolRows(sql, pool) for pool in Pool}


def clear_trace(sql: Sql) -> None:
    """Empty the tables, to build them again from the entries."""
    for statement in ("DELETE FROM trace_lot", "DELETE FROM trace_use", "DELETE FROM trace_hole"):
        sql.run(statement)


def _record(sql: SqliteSql, history: list[JournalEntry]) -> dict[Pool, PoolRows]:
    books = open_trace(sql)
    for index, entry in enumerate(history):
        record_entry(books, entry, index, undone=None)
    return books


def _require_equality(sql: Sql, moves: list[Move]) -> None:
    memory = {pool: MemoryTrace() for pool in Pool}
    stored = open_trace(sql)
    history: list[JournalEntry] = []
    for index, entry in entries_of(moves):
        history.append(entry)
        undone = None if entry.reverses is None else history[entry.reverses]
        record_entry(memory, entry, index, undone=undone)
        record_entry(stored, entry, index, undone=undone)
        for pool in Pool:
            assert list(check_trace(pool, memory[pool], stored[pool])) == []
            assert payers_of_entry(memory[pool], index) == payers_of_entry(stored[pool], index)
        assert trace_of_member(memory, "ann") == trace_of_member(stored, "ann")
        if index % 5 == 0:  # the next transaction reads the ends from the tables
            stored = open_trace(sql)


@given(MOVES)
def test_the_database_equals_the_memory_step_by_step(moves: list[Move]) -> None:
    """The same entries give the same rows and answers in both."""
    with _database() as sql:
        _require_equality(sql, moves)


def test_postgresql_equals_the_memory_step_by_step(database: PostgresDatabase) -> None:
    """The same holds on PostgreSQL; each history starts with empty tables."""

    @settings(max_examples=10)
    @given(MOVES)
    def compare(moves: list[Move]) -> None:
        with database.transaction(write=True) as sql:
            clear_trace(sql)
            _require_equality(sql, moves)

    compare()


def test_money_in_and_out_reads_nothing() -> None:
    """Bulk imports only append rows, as long as no money is free."""
    with _database() as sql:
        books = _record(sql, [entry_of(EntryKind.EXPENSE, ("expenses:staff", Fund.STAFF, 5))])
        sql.flush()
        statements: list[str] = []
        sql.connection.set_trace_callback(statements.append)
        for index in range(1, 20):
            record_entry(books, pledge(500, "ann", fee=20), index, undone=None)
        assert statements == []
        sql.flush()
        assert all(statement.startswith("INSERT INTO trace_") for statement in statements)
        (lots,), (uses,) = sql.all(
            "SELECT count(*) FROM trace_lot UNION ALL SELECT count(*) FROM trace_use"
        )
        assert (lots, uses) == (19 * 4, 1 + 19)  # four lots each, and the fee


def test_an_unknown_lot_is_not_found() -> None:
    """An unknown lot is reported as not found."""
    with _database() as sql, pytest.raises(NotFound, match="no lot 7 in the pool 'staff'"):
        open_trace(sql)[Pool.STAFF].lot(7)


def test_cleared_tables_can_be_built_again() -> None:
    """A damaged trace can be rebuilt by clearing it and recording the entries again."""
    history = [pledge(500, "ann", fee=20), pledge(700, "bob", fee=20)]
    with _database() as sql:
        books = _record(sql, history)
        books[Pool.STAFF].add_holes([1], 3)
        expected = build_trace(enumerate(history))
        assert list(check_trace(Pool.STAFF, books[Pool.STAFF], expected[Pool.STAFF]))
        clear_trace(sql)
        rebuilt = _record(sql, history)
        assert list(check_trace(Pool.STAFF, rebuilt[Pool.STAFF], expected[Pool.STAFF])) == []


def test_reads_use_the_indexes() -> None:
    """No query for a member, an entry or a range scans a table."""
    with _database() as sql:
        _record(sql, [pledge(500, "ann", fee=20)])
        rows = open_trace(sql)[Pool.STAFF]
        statements: list[str] = []
        sql.connection.set_trace_callback(statements.append)
        rows.lot(1)
        list(rows.lots_between(1, 1))
        rows.lots_of_entries([0, 1])
        rows.lots_of_member("ann")
        rows.lots_restoring(1)
        rows.sum_holes([1, 2])
        rows.segments_of_entry(0)
        list(rows.segments_between(0, 9))
        rows.first_free()
        sql.connection.set_trace_callback(None)
        steps = [
            (step, statement)
            for statement in statements
            for *_, step in sql.all(f"EXPLAIN QUERY PLAN {statement}")
        ]
        assert len(steps) > len(statements)
        for step, statement in steps:
            assert not step.startswith("SCAN trace"), statement
            assert "trace_use_free" in step or not step.endswith("(pool=?)"), statement
