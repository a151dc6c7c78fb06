"""Every entry whose postings do not come to zero in each fund is found, whatever was falsified."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.store.postgres.database import PostgresDatabase
from jara.store.repositories.totals_audit import unbalanced
from jara.store.sql.connection import Sql
from jara.store.sqlite.connection import SqliteSql, sqlite3
from tests.postgres_server import PostgresServer

_TABLE = "postings (entry BIGINT, line BIGINT, fund TEXT, cents BIGINT)"
_ALL_AT_ONCE = (
    "SELECT entry, fund, SUM(cents) FROM postings GROUP BY entry, fund "
    "HAVING SUM(cents) <> 0 ORDER BY entry, fund"
)

Posting = tuple[int, str, int]

_FUNDS = st.sampled_from([*(fund.value for fund in Fund), "Staff", "party", ""])
_CENTS = st.integers(-2, 2) | st.integers(-(2**53), 2**53)
_POSTINGS = st.lists(st.tuples(st.integers(0, 4), _FUNDS, _CENTS), max_size=30)


def _require_the_same(sql: Sql, postings: Sequence[Posting]) -> None:
    sql.run("DELETE FROM postings")
    rows = [
        {"entry": entry, "line": line, "fund": fund, "cents": cents}
        for line, (entry, fund, cents) in enumerate(postings)
    ]
    sql.run_many("INSERT INTO postings VALUES (:entry, :line, :fund, :cents)", rows)

    at_once = [tuple(row) for row in sql.all(_ALL_AT_ONCE)]
    assert sorted(at_once) == sorted(tuple(row) for row in unbalanced(sql))


@given(_POSTINGS)
def test_what_one_sum_finds_is_found(postings: Sequence[Posting]) -> None:
    """A fund may be one that nobody knows, and two such may outweigh each other."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"CREATE TABLE {_TABLE}")
    _require_the_same(SqliteSql(connection), postings)
    connection.close()


def test_postgresql_finds_it_too(postgres: PostgresServer) -> None:
    """The same there, in a table of one transaction that stands before that of the books."""
    database = PostgresDatabase(postgres.create_database(), durable=False)
    database.create()

    @settings(max_examples=25)
    @given(_POSTINGS)
    def compare(postings: Sequence[Posting]) -> None:
        with database.transaction(write=True) as sql:
            sql.run(f"CREATE TEMP TABLE {_TABLE} ON COMMIT DROP")
            _require_the_same(sql, postings)

    compare()
    database.close()


@pytest.mark.parametrize("fund", [*(fund.value for fund in Fund), "party"])
def test_a_missing_cent_is_found_in_each_fund(fund: str) -> None:
    """An entry that balances as a whole, and not in each fund, is named fund by fund."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"CREATE TABLE {_TABLE}")
    connection.execute("INSERT INTO postings VALUES (3, 0, ?, 7), (3, 1, ?, -6)", (fund, fund))
    connection.execute("INSERT INTO postings VALUES (3, 2, 'feast', -1), (4, 0, 'feast', 2)")
    connection.execute("INSERT INTO postings VALUES (4, 1, 'feast', -2)")
    found = list(unbalanced(SqliteSql(connection)))
    connection.close()

    assert sorted(found) == sorted([(3, "feast", -1), (3, fund, 1)])
