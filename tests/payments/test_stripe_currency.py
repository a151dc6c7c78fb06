"""Stripe in the organisation's own currency: price, gifts, movements, checks and adoption."""

from collections.abc import Iterator

import pytest

from jara.domain.books.movements import require_bookable
from jara.domain.currency import use_currency
from jara.domain.errors import InvalidInput, Unavailable
from tests.payments.stripe_world import StripeWorld, open_world


@pytest.fixture
def canadian() -> Iterator[StripeWorld]:
    """A Canadian account that settles in Canadian dollars, set up for books in them."""
    use_currency("CAD")
    with open_world(is_set_up=False) as world:
        world.double.account.currency = "cad"
        world.account.set_up()
        yield world


def test_everything_is_in_the_currency(canadian: StripeWorld) -> None:
    """Price, pledge and gift are in CAD, and their movements can be booked."""
    canadian.start("pm_card_visa")
    canadian.give()
    canadian.double.advance(minutes=1)
    rows = list(canadian.gateway.rows())
    (price,) = canadian.double.account.all("price")
    intents = canadian.double.account.all("payment_intent")

    for row in rows:
        require_bookable(row)
    assert price["currency"] == "cad"
    assert {row.currency for row in rows} == {"cad"}
    assert {intent["currency"] for intent in intents} == {"cad"}


def test_the_checks_name_the_currency(canadian: StripeWorld) -> None:
    """An operator confirms that CAD settles in CAD; movements in USD are an error."""
    canadian.give()
    canadian.double.advance(minutes=1)
    checks = {check.name: check for check in canadian.account.checks()}

    assert checks["settlement-cad"].message.startswith("Charges in CAD settle in CAD")
    assert checks["currency of the balance"].message == "All in cad."

    use_currency("USD")
    checks = {check.name: check for check in canadian.account.checks()}

    assert "settlement-usd" in checks
    assert not checks["currency of the balance"].ok
    assert (
        checks["currency of the balance"].message == "Also in cad; the books are kept in usd only."
    )


def test_a_price_of_another_currency_is_not_ours(canadian: StripeWorld) -> None:
    """The price of CAD books does not serve euro books; the set-up makes one that does."""
    use_currency("EUR")
    canadian.double.account.currency = "eur"
    with pytest.raises(Unavailable, match="has no price of ours"):
        canadian.start("pm_card_visa")

    canadian.account.set_up()

    assert {price["currency"] for price in canadian.double.account.all("price")} == {"cad", "eur"}


def test_a_movement_in_us_dollars_is_refused_by_name(canadian: StripeWorld) -> None:
    """It is neither booked nor put into suspense."""
    canadian.give()
    canadian.double.advance(minutes=1)
    row = next(iter(canadian.gateway.rows()))._replace(currency="usd")

    with pytest.raises(InvalidInput, match="the currency is 'usd'; only rows in cad are booked"):
        require_bookable(row)
