"""Tests of the write order of buffered rows: referenced rows first."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.store.sql.database import Database
from jara.store.sql.tables import TABLES, place_of
from jara.store.sqlite.database import SqliteDatabase
from tests.harness import open_test_database
from tests.places import NewPlace, database_of

LEAF = "INSERT INTO log (idx, hash, body, type) VALUES (:idx, :hash, :body, :type)"
ENTRY = (
    "INSERT INTO entries (idx, id, day, kind, description, source, booked_at) "
    "VALUES (:idx, :id, :day, :kind, :description, :source, :booked_at)"
)
IDENTITY = (
    "INSERT INTO identities (category, source_id, ordinal, entry, cents) "
    "VALUES (:category, :source_id, :ordinal, :entry, :cents)"
)
ROWS = (
    (LEAF, (0, b"h", b"b", "entry")),
    (ENTRY, (0, "e0", "2026-01-01", "gift", "Gift", "bank", "2026-01-01T00:00:00Z")),
    (IDENTITY, ("charge", "ch_0", 0, 0, 100)),
)


@pytest.fixture(scope="module")
def database(new_place: NewPlace) -> Iterator[Database]:
    """An empty database, on each engine."""
    made = open_test_database(database_of(new_place()))
    made.create()
    yield made
    made.close()


class _UndoneError(Exception):
    """Rolls a transaction back."""


@given(order=st.permutations(ROWS))
def test_buffered_rows_are_written_in_the_order_of_their_keys(
    database: Database, order: list[tuple[str, tuple[object, ...]]]
) -> None:
    """The order does not depend on the order of buffering, also across transactions."""
    found: list[tuple[object, ...]] = []
    with suppress(_UndoneError), database.transaction(write=True) as sql:
        for insert, row in order:
            sql.append(insert, row)
        found = [tuple(row) for row in sql.all("SELECT entry, cents FROM identities")]
        raise _UndoneError

    assert found == [(0, 100)]


def test_every_table_follows_those_that_its_rows_refer_to() -> None:
    """The order is derived from the statements, so it also works for future schemas."""
    database = SqliteDatabase(":memory:")
    database.create()
    places = {table: place_of(f"INSERT INTO {table} VALUES (1)") for table in TABLES}  # noqa: S608 - our own tables

    with database.transaction(write=False) as sql:
        pairs = [
            (table, str(row[2]))
            for table in TABLES
            for row in sql.all(f"SELECT * FROM pragma_foreign_key_list('{table}')")  # noqa: S608 - our own tables
        ]
    database.close()

    assert len(pairs) > 10
    assert [(table, of) for table, of in pairs if places[of] > places[table]] == []
    assert -1 not in places.values()
