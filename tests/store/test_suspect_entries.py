"""The database finds every manipulated entry that the domain would refuse."""

from collections import defaultdict
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.journal import CENTS_MAX
from jara.domain.checks.entries import StoredPosting, check_entry
from jara.store.postgres.database import PostgresDatabase
from jara.store.repositories.inspection import suspects
from jara.store.sql.connection import Sql
from jara.store.sqlite.connection import SqliteSql, sqlite3

_TABLE = "postings (entry BIGINT, line BIGINT, fund TEXT, cents BIGINT)"

Posting = tuple[int, str, int]

_FUNDS = st.sampled_from([*(fund.value for fund in Fund), "Staff", "party", ""])
_CENTS = st.integers(-2, 2) | st.integers(-CENTS_MAX - 1, CENTS_MAX + 1)
_POSTINGS = st.lists(st.tuples(st.integers(0, 4), _FUNDS, _CENTS), max_size=30)


def _require_the_same(sql: Sql, postings: Sequence[Posting]) -> None:
    sql.run("DELETE FROM postings")
    rows = [
        {"entry": entry, "line": line, "fund": fund, "cents": cents}
        for line, (entry, fund, cents) in enumerate(postings)
    ]
    sql.run_many("INSERT INTO postings VALUES (:entry, :line, :fund, :cents)", rows)
    entries = defaultdict(list)
    for entry, fund, cents in postings:
        entries[entry].append(StoredPosting(entry, "assets:bank", fund, cents, "2026-03-01"))

    refused = [entry for entry, rows in entries.items() if list(check_entry(str(entry), rows))]
    for start in (0, 3):
        assert sorted(suspects(sql, start)) == sorted(one for one in refused if one >= start)


@given(_POSTINGS)
def test_invalid_entries_are_found(postings: Sequence[Posting]) -> None:
    """A fund may be unknown, and two unknown funds may balance each other."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"CREATE TABLE {_TABLE}")
    _require_the_same(SqliteSql(connection), postings)
    connection.close()


def test_postgresql_finds_it_too(database: PostgresDatabase) -> None:
    """PostgreSQL gives the same result, in a temporary table that hides the real one."""

    @settings(max_examples=10)
    @given(_POSTINGS)
    def compare(postings: Sequence[Posting]) -> None:
        with database.transaction(write=True) as sql:
            sql.run(f"CREATE TEMP TABLE {_TABLE} ON COMMIT DROP")
            _require_the_same(sql, postings)

    compare()


@pytest.mark.parametrize("fund", Fund)
def test_a_missing_cent_is_found_in_each_fund(fund: Fund) -> None:
    """An entry that balances in total but not in each fund is found."""
    other = Fund.STAFF if fund is not Fund.STAFF else Fund.OTHER
    postings = [(3, fund.value, 7), (3, fund.value, -6), (3, other.value, 1), (3, other.value, -2)]
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"CREATE TABLE {_TABLE}")
    _require_the_same(SqliteSql(connection), postings)
    assert list(suspects(SqliteSql(connection), 0)) == [3]
    connection.close()
