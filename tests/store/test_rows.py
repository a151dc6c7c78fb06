"""`Rows` derives columns, statements and codecs from a record; buffered inserts store every row."""

import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from importlib import import_module
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.bank.continuity import Span
from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import Conflict
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.records.access import MailedCode, Passkey, Remembered
from jara.records.content import ContentItem
from jara.records.log import Checkpoint
from jara.records.operations import Approval, AuditRow, Email
from jara.store import repositories
from jara.store.repositories.access import CODES, PASSKEYS, REQUESTS
from jara.store.repositories.books.settings import POLICIES
from jara.store.repositories.content import ITEMS
from jara.store.repositories.log import CHECKPOINTS
from jara.store.repositories.operations import APPROVALS, AUDIT
from jara.store.repositories.people.members import MEMBERS
from jara.store.repositories.people.pledges import PLEDGES
from jara.store.repositories.queues import EMAILS
from jara.store.rows import Rows, read_row
from jara.store.sql.connection import Sql, plain_insert
from jara.store.sql.database import Database
from jara.store.sql.tables import TABLES
from jara.store.sqlite.connection import ROWS_TOGETHER
from tests.harness import open_test_database
from tests.places import NewPlace, database_of

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
DAY = date(2026, 11, 21)
ADA = Member("ada", "m_ada", "Ada", "Lovelace", "a@example.org", "France", EmailChoice.NOTHING, NOW)
CODE = MailedCode("hash", "reset", "ada", NOW)


class Parts(NamedTuple):
    """A record with an amount of each fund."""

    parts: Mapping[Fund, int]


class _Undo(Exception):
    """Rolls a transaction back."""


@pytest.fixture(scope="module")
def database(new_place: NewPlace) -> Iterator[Database]:
    """An empty database, on each engine; tests leave it empty."""
    made = open_test_database(database_of(new_place()))
    made.create()
    yield made
    made.close()


@pytest.fixture
def sql(database: Database) -> Iterator[Sql]:
    """A transaction that is rolled back."""
    with _undone(database) as sql:
        yield sql


@contextmanager
def _undone(database: Database) -> Iterator[Sql]:
    with suppress(_Undo), database.transaction(write=True) as sql:
        yield sql
        raise _Undo


def _every_rows() -> list[tuple[str, Rows[Any]]]:
    modules = (
        import_module(found.name)
        for found in pkgutil.walk_packages(repositories.__path__, f"{repositories.__name__}.")
    )
    return [
        (f"{module.__name__.rpartition('.')[2]}.{name}", value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Rows)
    ]


@pytest.mark.parametrize(("name", "rows"), _every_rows())
def test_columns_exist_in_the_schema(database: Database, name: str, rows: Rows[Any]) -> None:
    """Both engines can select the columns of every `Rows` of the store."""
    with database.transaction(write=False) as sql:
        assert rows.all(sql) == [], name


@pytest.mark.parametrize(
    ("rows", "record", "more"),
    [
        (MEMBERS, ADA, {"email_key": "a@example.org", "todo": ""}),
        (
            MEMBERS,
            ADA._replace(closed_at=NOW, email_choice=EmailChoice.MONTHLY),
            {"email_key": "", "todo": ""},
        ),
        (PASSKEYS, Passkey("id", "ada", "Phone", b"\0key", DAY), {}),
        (ITEMS, ContentItem("team", "ada", "ada", 3, True, {"é": [1, None]}), {}),
        (CHECKPOINTS, Checkpoint(2**40, b"\xff", "note\n", NOW), {}),
        (REQUESTS, Remembered("key", "mark", "attempt", NOW, NOW), {}),
        (REQUESTS, Remembered("key", "mark", "attempt", NOW, NOW, {"status": 200}), {}),
        (APPROVALS, Approval("1", "pay", {"cents": 5}, "why", "waiting", "ada", NOW), {}),
        (EMAILS, Email("1", "welcome", "a@example.org", {}, NOW, NOW, attempts=2), {}),
    ],
)
def test_a_record_is_read_back(
    sql: Sql, rows: Rows[Any], record: object, more: dict[str, object]
) -> None:
    """Days, instants, truth values, bytes, documents and None are read as they were added."""
    rows.add(sql, record, **more)

    assert rows.all(sql) == [record]
    assert list(rows.each(sql)) == [record]


def test_truth_values_are_not_read_as_numbers(sql: Sql) -> None:
    """True equals 1, but in JSON they differ."""
    MEMBERS.add(sql, ADA, email_key="", todo="")
    [member] = MEMBERS.all(sql)

    assert list(map(type, member)) == list(map(type, ADA))


def test_enums_are_stored_by_value(sql: Sql) -> None:
    """A dataclass is a record too; its enums are stored as their values."""
    pledge = Pledge(
        id="p",
        member_id="ada",
        dollars=10,
        billing_day=BillingDay.CURRENT,
        state=PledgeState.ACTIVE,
        anchor_on=DAY,
        started_at=NOW,
        skips_on=DAY,
    )
    MEMBERS.add(sql, ADA, email_key="", todo="")
    PLEDGES.append(sql, pledge)

    assert sql.all("SELECT state, anchor_on, skips_on, resumes_on FROM pledges") == [
        ("active", "2026-11-21", "2026-11-21", None)
    ]
    assert PLEDGES.one(sql, "WHERE state = :state", state=PledgeState.ACTIVE) == pledge
    assert list(PLEDGES.among(sql, "state", list(PledgeState))) == [pledge]
    assert PLEDGES.one(sql, "WHERE started_at > :now", now=NOW) is None


def test_put_replaces_the_record_with_the_key(sql: Sql) -> None:
    """A second `put` changes every column but the key."""
    CODES.put(sql, CODE)
    CODES.put(sql, CODE._replace(subject="bob", purpose="confirm"))

    assert CODES.all(sql) == [CODE._replace(subject="bob", purpose="confirm")]


def test_add_refuses_a_used_key(sql: Sql) -> None:
    """A second `add` is refused; `add_new` returns False and changes nothing."""
    assert CODES.add_new(sql, CODE)
    assert not CODES.add_new(sql, CODE._replace(subject="bob"))
    assert CODES.all(sql) == [CODE]
    with pytest.raises(Conflict):
        CODES.add(sql, CODE)


def test_update_adds_nothing(sql: Sql) -> None:
    """An update changes the row with the key, and no row without one."""
    MEMBERS.update(sql, ADA, email_key="")
    assert MEMBERS.all(sql) == []

    MEMBERS.add(sql, ADA, email_key="", todo="x")
    MEMBERS.update(sql, ADA._replace(lastname="King"), email_key="new")

    assert sql.all("SELECT lastname, email_key, todo FROM members") == [("King", "new", "x")]


def test_numbers_follow_each_other(sql: Sql) -> None:
    """Rows with a number get the next one."""
    for text in ("one", "two"):
        AUDIT.add_next(sql, AuditRow(NOW, "ada", "try", text, "why", {}, {"a": 1}))

    assert sql.all("SELECT seq, subject FROM audit ORDER BY seq") == [(1, "one"), (2, "two")]


def test_parts_are_read_in_the_order_of_their_enum(sql: Sql) -> None:
    """A document whose keys are an enum is read in the enum's order, whatever was written."""
    weights = {Fund.STAFF: 1, Fund.OTHER: 0, Fund.MARKETING: 2, Fund.PROJECTS: 7}
    POLICIES.add(sql, FundPolicy(DAY, weights, weights), log_index=3)

    [policy] = POLICIES.all(sql)
    assert list(policy.weights.items()) == sorted(
        weights.items(), key=lambda part: part[0].position
    )
    assert read_row(Parts, ('{"staff":1,"projects":2}',)).parts == {Fund.PROJECTS: 2, Fund.STAFF: 1}


def test_a_row_of_any_query_is_read() -> None:
    """`read_row` builds a record from values in the order of its fields."""
    assert read_row(Span, ("2026-11-21", "2026-11-21", 5, -7)) == Span(DAY, DAY, 5, -7)


def test_fields_are_named_after_columns() -> None:
    """Columns are named like fields, unless the table says otherwise."""
    assert CODES.columns("c.") == "c.hash, c.purpose, c.subject, c.expires_at"
    assert set(MEMBERS.columns().split(", ")) == {*TABLES["members"]} - {"email_key", "todo"}


_ADD_LEAF = "INSERT INTO log (idx, hash, body, type) VALUES (:idx, :hash, :body, :type)"
_ADD_LETTER = (
    "INSERT INTO outbox (id, kind, member_id, address, doc, created_at, due_at, sent_at) "
    "VALUES (:id, :kind, :member, :address, :doc, :created, :due, :sent)"
)

_texts = st.text(max_size=5).map(lambda text: text.replace("\0", ""))
_leaves = st.tuples(st.binary(max_size=5), st.binary(max_size=5), _texts)
_letters = st.tuples(_texts, st.none() | _texts, _texts, _texts, _texts, _texts, st.none() | _texts)


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
    with _undone(database) as sql:
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
    with _undone(database) as sql:
        for _ in range(ROWS_TOGETHER + 1):
            sql.append(add, ("assets:bank", "staff", "2026-01", 2))
        assert sql.all("SELECT cents FROM totals") == [(2 * (ROWS_TOGETHER + 1),)]
