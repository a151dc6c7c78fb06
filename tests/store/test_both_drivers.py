"""What both drivers do alike: transactions, steps of the schema, locks, backups."""

import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from threading import Thread

import pytest

from jara.domain.currency import books_currency, use_currency
from jara.domain.errors import Conflict, Unavailable
from jara.records.content import ContentItem
from jara.services.books.verification import verify_books
from jara.services.organisation import change_currency, currency_of
from jara.store.schema import STEPS, Step, all_steps
from jara.store.sql.database import Database
from jara.store.sqlite.database import SqliteDatabase
from jara.store.unit_of_work import BOOKS_CURRENCY
from tests.harness import make_organisation, open_test_database
from tests.places import database_of
from tests.store.meta_rows import ADD_META, count_meta, put_meta

LATER = "m0036_later"
LATER_STEP = Step(("CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT",), ("later",))


@pytest.fixture
def database(place: Path) -> Iterator[Database]:
    """A new database, on each engine."""
    made = open_test_database(database_of(place))
    made.create()
    yield made
    made.close()


def test_a_block_that_fails_leaves_nothing(database: Database) -> None:
    """A transaction that fails is rolled back as a whole."""

    def fail_halfway() -> None:
        with database.transaction(write=True) as sql:
            sql.append(ADD_META, ("a", "1"))
            assert sql.one("SELECT value FROM meta WHERE key = 'a'") == ("1",)  # none is buffered
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway()

    assert count_meta(database) == 0


def test_a_reader_keeps_the_state_it_began_with(database: Database) -> None:
    """A read transaction sees one snapshot while others write."""
    with database.transaction(write=False) as sql:
        before = sql.one("SELECT COUNT(*) FROM meta")
        writer = threading.Thread(target=put_meta, args=(database, "a"))
        writer.start()
        writer.join()

        assert sql.one("SELECT COUNT(*) FROM meta") == before

    assert count_meta(database) == 1


def test_one_transaction_at_a_time_in_a_thread(database: Database) -> None:
    """A nested unit of work is refused, because it would commit half of the outer one."""
    with (
        database.transaction(write=True),
        pytest.raises(RuntimeError, match="open in this thread"),
        database.transaction(write=True),
    ):
        pass


def test_a_later_step_brings_a_database_up_to_date(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step is taken once, and its table refuses changes; a new database has it."""
    database.close()
    monkeypatch.setitem(STEPS, LATER, LATER_STEP)
    with pytest.raises(Conflict, match="older version; run `jara migrate`"):
        database.integrity_findings()

    assert (database.migrate(), database.migrate()) == ([LATER], [])
    with database.transaction(write=True) as sql:
        sql.run("INSERT INTO later (id) VALUES (1)")
    with (
        pytest.raises(Conflict, match="later is append-only"),
        database.transaction(write=True) as sql,
    ):
        sql.run("DELETE FROM later")
    new = SqliteDatabase(":memory:")
    new.create()
    assert new.schema_findings() == []
    if isinstance(database, SqliteDatabase):
        assert database.schema_findings() == []


def test_a_step_that_fails_changes_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All statements are carried out, or none."""
    broken = Step((*LATER_STEP.statements, "DELETE FROM nowhere"))
    monkeypatch.setitem(STEPS, LATER, broken)

    with pytest.raises(Unavailable, match="nowhere"):
        database.migrate()
    monkeypatch.undo()
    assert database.schema_findings() == []


def test_a_backup_is_an_sqlite_file(database: Database, tmp_path: Path) -> None:
    """The backup is whole, opens by itself, and overwrites nothing."""
    put_meta(database, "a")
    copied = tmp_path / "copy.db"

    assert database.backup(copied, lambda sql: sql.all("SELECT key FROM meta")) == [("a",)]

    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
    copy = SqliteDatabase(copied)
    assert (copy.integrity_findings(), count_meta(copy)) == ([], 1)
    copy.close()
    as_it_was = copied.read_bytes()
    with pytest.raises(Conflict, match="exists already"):
        database.backup(copied, lambda sql: None)
    assert copied.read_bytes() == as_it_was


def test_an_organisation_of_an_earlier_version_is_in_us_dollars(place: Path) -> None:
    """Without a stored currency the books are in US dollars, and the log has no leaf of it."""
    context = make_organisation(place)
    with context.store.read() as work:
        stored, leaves = work.meta.get(BOOKS_CURRENCY), work.log.leaves_of("jara/v1/currency")

        assert (stored, list(leaves)) == (None, [])
    assert currency_of(context) == "USD"


def test_each_thread_gets_the_currency_of_the_books_it_opens(place: Path) -> None:
    """A transaction says it for its thread, whatever the thread read before."""
    context = make_organisation(place, database=database_of(place))
    change_currency(context, "EUR")
    seen: list[str] = []

    def look() -> None:
        seen.append(books_currency())
        with context.store.read():
            seen.append(books_currency())
        use_currency("GBP")
        context.store.use_books_currency()
        seen.append(books_currency())

    thread = Thread(target=look)
    thread.start()
    thread.join()

    assert seen == ["USD", "EUR", "EUR"]


def test_verify_compares_it_with_the_log(place: Path) -> None:
    """A currency that was changed behind the log is found."""
    context = make_organisation(place)
    change_currency(context, "CAD")
    assert list(verify_books(context).findings) == []

    with context.store.write() as work:
        work.meta.put(BOOKS_CURRENCY, "EUR")

    (finding,) = verify_books(context).findings
    assert (finding.check, finding.message) == (
        "currency",
        "The books are in EUR, but the log says CAD.",
    )


def test_a_refusal_names_the_use(place: Path) -> None:
    """Amounts never become amounts of another currency; setting their own changes nothing."""
    context = make_organisation(place)
    with context.store.write() as work:
        item = ContentItem("grants", "g", "g", 1, published=True, doc={"amount": "$5"})
        work.content.put(item, at=context.now())

    change_currency(context, "USD")
    with context.store.read() as work:
        assert work.operations.audit() == []
    with pytest.raises(Conflict, match="There are grants in USD, so the currency stays USD"):
        change_currency(context, "CAD")


RELEASED = {"baseline": "aba9a78486681d218333e0a6a6875b63fbf58b3a61df966bbcee917a9a49e28c"}
"""SHA-256 of the statements of each released step, joined by an empty line."""


def test_released_steps_keep_their_text() -> None:
    """Editing one would make new databases differ from those that exist."""
    steps = {
        name: sha256("\n\n".join(step.statements).encode()).hexdigest()
        for name, step in all_steps().items()
    }

    assert {**steps, **RELEASED} == steps
