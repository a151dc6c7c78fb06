"""Buffered inserts store every row, in any number of rows per statement."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import Conflict
from jara.store.sql.connection import plain_insert
from jara.store.sql.database import Database
from jara.store.sqlite.connection import ROWS_TOGETHER
from tests.harness import open_test_database
from tests.places import NewPlace, database_of
from tests.store.test_rows import undone

_ADD_LEAF = "INSERT INTO log (idx, hash, body, type) VALUES (:idx, :hash, :body, :type)"
_ADD_LETTER = (
    "INSERT INTO outbox (id, kind, member_id, address, doc, created_at, due_at, sent_at) "
    "VALUES (:id, :kind, :member, :address, :doc, :created, :due, :sent)"
)

_texts = st.text(max_size=5).map(lambda text: text.replace("\0", ""))
_leaves = st.tuples(st.binary(max_size=5), st.binary(max_size=5), _texts)
_letters = st.tuples(_texts, st.none() | _texts, _texts, _texts, _texts, _texts, st.none() | _texts)


@pytest.fixture(scope="module")
def database(new_place: NewPlace) -> Iterator[Database]:
    """An empty database, on each engine; tests leave it empty."""
    made = open_test_database(database_of(new_place()))
    made.create()
    yield made
    made.close()


def _append(database: Database, rows: list[tuple[object, ...]]) -> None:
    with database.transaction(write=True) as sql:
        for row in rows:
            sql.append(_ADD_LEAF, row)


@given(
    st.lists(_leaves, max_size=2 * ROWS_TOGETHER + 5),
    st.lists(_letters, max_size=ROWS_TOGETHER + 5),
)
def test_every_row_arrives_as_it_is(
    database: Database, leaves: list[tuple[object, ...]], letters: list[tuple[object, ...]]
) -> None:
    """Bytes, texts, numbers and nulls are read back, for single and combined rows."""
    with undone(database) as sql:
        for number, leaf in enumerate(leaves):
            sql.append(_ADD_LEAF, (number, *leaf))
        for number, letter in enumerate(letters):
            sql.append(_ADD_LETTER, (f"{number:04}", *letter))

        found = sql.all("SELECT hash, body, type FROM log ORDER BY idx")
        sent = sql.all(
            "SELECT kind, member_id, address, doc, created_at, due_at, sent_at FROM outbox "
            "ORDER BY id"
        )
    assert (leaves, letters) == (found, sent)


@pytest.mark.parametrize("place", [0, ROWS_TOGETHER - 1, ROWS_TOGETHER, ROWS_TOGETHER + 3])
def test_a_refused_row_rolls_back_all_rows(database: Database, place: int) -> None:
    """If one row is refused, the whole transaction is rolled back."""
    rows: list[tuple[object, ...]] = [(n, b"", b"", "x") for n in range(ROWS_TOGETHER + 4)]
    rows[place] = (place, None, b"", "x")
    with pytest.raises(Conflict, match=r"NOT NULL|not-null"):
        _append(database, rows)
    with database.transaction(write=False) as sql:
        assert sql.all("SELECT idx FROM log") == []


def test_only_plain_inserts_are_put_together() -> None:
    """Updates, repeated names and expressions are executed row by row."""
    assert plain_insert(_ADD_LEAF) == ("log", "idx, hash, body, type")
    assert plain_insert("INSERT INTO t (a, b) VALUES (:a, :a)") is None
    assert plain_insert("INSERT INTO t (a) VALUES (:a) ON CONFLICT (a) DO NOTHING") is None
    assert plain_insert("INSERT INTO t (a, b) VALUES (:a, lower(:b))") is None
    assert plain_insert("UPDATE t SET a = :a") is None


def test_rows_that_update_wait_as_well(database: Database) -> None:
    """A statement that is no plain insert runs once for each row."""
    add = (
        "INSERT INTO totals (account, fund, month, cents) VALUES (:account, :fund, :month, :cents) "
        "ON CONFLICT (account, fund, month) DO UPDATE SET cents = totals.cents + excluded.cents"
    )
    with undone(database) as sql:
        for _ in range(ROWS_TOGETHER + 1):
            sql.append(add, ("assets:bank", "staff", "2026-01", 2))
        assert sql.all("SELECT cents FROM totals") == [(2 * (ROWS_TOGETHER + 1),)]
