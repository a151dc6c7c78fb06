"""The currency of the books in the database, on each engine: written once, read by each thread."""

from pathlib import Path
from threading import Thread

import pytest

from jara.domain.currency import books_currency, use_currency
from jara.domain.errors import Conflict
from jara.records.content import ContentItem
from jara.services.books.verification import verify_books
from jara.services.organisation import change_currency, currency_of
from jara.store.unit_of_work import BOOKS_CURRENCY
from tests.harness import make_organisation
from tests.places import database_of


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
