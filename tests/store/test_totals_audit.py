"""Adding up page by page finds the same errors as one sum over all postings."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # chosen at run time there

from jara.store.postgres.database import PostgresDatabase
from jara.store.repositories import inspection
from jara.store.repositories.inspection import wrong_totals
from jara.store.sql.connection import Sql
from jara.store.sqlite.connection import SqliteSql

_TABLES = {
    "postings": "entry BIGINT, account TEXT, fund TEXT, cents BIGINT, day TEXT",
    "totals": "account TEXT, fund TEXT, month TEXT, cents BIGINT",
    "day_totals": "account TEXT, fund TEXT, day TEXT, cents BIGINT",
}
"""As in the schema, but without the guards."""

_ALL_AT_ONCE = """
SELECT account, fund, period, SUM(kept), SUM(real) FROM (
    SELECT 'month' AS unit, account, fund, month AS period, cents AS kept, 0 AS real FROM totals
    UNION ALL SELECT 'month', account, fund, substr(day, 1, 7), 0, cents FROM postings
    UNION ALL SELECT 'day', account, fund, day, cents, 0 FROM day_totals
    UNION ALL SELECT 'day', account, fund, day, 0, cents FROM postings) AS both_sides
GROUP BY unit, account, fund, period HAVING SUM(kept) <> SUM(real)
"""

Posting = tuple[int, str, str, int, str]
Total = tuple[str, str, str, int]


class Falsified(NamedTuple):
    """Books with arbitrary errors."""

    postings: Sequence[Posting]
    months: Sequence[Total]
    days: Sequence[Total]

    def rows(self) -> dict[str, Sequence[Posting | Total]]:
        """Return the rows of each table."""
        return dict(zip(_TABLES, (self.postings, self.months, self.days), strict=True))


_ENTRIES = st.integers(0, 12) | st.integers(2**63 - 3, 2**63 - 1) | st.integers(-(2**63), -1)
_ACCOUNTS = st.sampled_from(["assets:bank", "income:gifts", "Assets:bank", "nowhere"])
_FUNDS = st.sampled_from(["staff", "other", "party"])
_DAYS = st.sampled_from(["2026-01-31", "2026-02-01", "2026-02-02", "no day", ""])
_CENTS = st.integers(-3, 3) | st.integers(-(2**53), 2**53)


@st.composite
def _books(draw: st.DrawFn) -> Falsified:
    """Draw postings and totals, some of them changed, missing or invented."""
    postings = draw(st.lists(st.tuples(_ENTRIES, _ACCOUNTS, _FUNDS, _CENTS, _DAYS), max_size=30))
    right: tuple[dict[tuple[str, str, str], int], ...] = ({}, {})
    for _, account, fund, cents, day in postings:
        for sums, period in zip(right, (day[:7], day), strict=True):
            sums[account, fund, period] = sums.get((account, fund, period), 0) + cents
    for sums in right:
        cells = st.tuples(_ACCOUNTS, _FUNDS, _DAYS) | st.sampled_from(sorted(sums) or [("",) * 3])
        for cell in draw(st.lists(cells, max_size=2)):
            sums[cell] = draw(_CENTS)
        for cell in draw(st.lists(cells, max_size=2)):
            sums.pop(cell, None)
    months, days = ([(*cell, cents) for cell, cents in sums.items()] for sums in right)
    return Falsified(postings, months, days)


def _store(sql: Sql, books: Falsified) -> None:
    for table, rows in books.rows().items():
        sql.run(f"DELETE FROM {table}")  # noqa: S608 - names of our own tables
        names = [column.split()[0] for column in _TABLES[table].split(", ")]
        marks = ", ".join(f":{name}" for name in names)
        statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 - see above
        sql.run_many(statement, [dict(zip(names, row, strict=True)) for row in rows])


def _require_the_same(sql: Sql, books: Falsified) -> None:
    _store(sql, books)
    at_once = [tuple(row) for row in sql.all(_ALL_AT_ONCE)]
    assert sorted(at_once) == sorted(wrong_totals(sql))


@given(_books(), st.integers(1, 4))
def test_pages_find_the_same_as_one_sum(books: Falsified, page_entries: int) -> None:
    """Each wrong, missing or invented total is named with actual and expected value."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inspection, "PAGE_ENTRIES", page_entries)
        for table, columns in _TABLES.items():
            connection.execute(f"CREATE TABLE {table} ({columns})")
        _require_the_same(SqliteSql(connection), books)
    connection.close()


def test_pages_find_it_on_postgresql(database: PostgresDatabase) -> None:
    """PostgreSQL gives the same result, in temporary tables that hide the real ones."""

    @settings(max_examples=10)
    @given(_books(), st.integers(1, 4))
    def compare(books: Falsified, page_entries: int) -> None:
        with database.transaction(write=True) as sql, pytest.MonkeyPatch.context() as patch:
            patch.setattr(inspection, "PAGE_ENTRIES", page_entries)
            for table, columns in _TABLES.items():
                sql.run(f"CREATE TEMP TABLE {table} ({columns}) ON COMMIT DROP")
            _require_the_same(sql, books)

    compare()


def test_months_come_before_days_and_each_in_order() -> None:
    """The order of the findings does not depend on the physical order of rows."""
    books = Falsified(
        [(5, "b:x", "staff", 7, "2026-02-01"), (1, "a:x", "other", -7, "2026-01-31")], [], []
    )
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for table, columns in _TABLES.items():
        connection.execute(f"CREATE TABLE {table} ({columns})")
    sql = SqliteSql(connection)
    _store(sql, books)
    found = list(wrong_totals(sql))
    connection.close()

    assert found == [
        ("a:x", "other", "2026-01", 0, -7),
        ("b:x", "staff", "2026-02", 0, 7),
        ("a:x", "other", "2026-01-31", 0, -7),
        ("b:x", "staff", "2026-02-01", 0, 7),
    ]
