"""Setting up and checking the Stripe account, in any currency, and what needs a person."""

from collections.abc import Iterator

import pytest
import stripe

from jara.domain.books.movements import require_bookable
from jara.domain.currency import use_currency
from jara.domain.errors import Unavailable
from jara.payments.stripe.account import StripeAccount
from jara.payments.stripe.events import EVENTS
from jara.services.ports.payments import AccountCheck
from tests.payments.stripe_world import SITE, StripeWorld, open_world

BY_HAND = {"settlement-usd", "retries", "trial-mails", "statement-descriptor"}


@pytest.fixture
def world() -> Iterator[StripeWorld]:
    """Return a world whose account is empty."""
    with open_world(is_set_up=False) as opened:
        yield opened


def account(
    world: StripeWorld,
    *,
    site: str = SITE,
    secret: str | None = "whsec_x",  # noqa: S107
) -> StripeAccount:
    """Return the account as seen with another configuration."""
    return StripeAccount(world.connection, world.clock, site_url=site, webhook_secret=secret)


def checks(seen: StripeAccount) -> dict[str, AccountCheck]:
    """Return the checks by name."""
    return {check.name: check for check in seen.checks()}


def test_setting_up_twice_makes_everything_once(world: StripeWorld) -> None:
    """Existing objects are found by their mark; only a new endpoint shows its secret."""
    first = world.account.set_up()
    made = {table: len(docs) for table, docs in world.double.account.tables.items()}
    second = world.account.set_up()

    assert [step.action for step in first] == ["made"] * 4
    assert [step.action for step in second] == ["found"] * 4
    assert [step.object_id for step in first] == [step.object_id for step in second]
    assert sum(step.secret is not None for step in (*first, *second)) == 1
    assert made == {table: len(docs) for table, docs in world.double.account.tables.items()}


def test_the_price_is_a_dollar_a_month(world: StripeWorld) -> None:
    """The price is licensed and per unit in US dollars; the endpoint has the SDK's version."""
    world.account.set_up()
    (price,) = world.double.account.all("price")
    (endpoint,) = world.double.account.all("webhook_endpoint")

    assert (price["currency"], price["unit_amount"], price["billing_scheme"]) == (
        "usd",
        100,
        "per_unit",
    )
    assert (
        price["recurring"]["interval"],
        price["recurring"]["interval_count"],
        price["recurring"]["usage_type"],
    ) == ("month", 1, "licensed")
    assert (endpoint["url"], endpoint["api_version"]) == (
        f"{SITE}/api/webhooks/stripe",
        stripe.api_version,
    )
    assert set(endpoint["enabled_events"]) == set(EVENTS)


def test_the_portal_changes_neither_amount_nor_address(world: StripeWorld) -> None:
    """Otherwise a member could set the quantity to 1, or the addresses could differ."""
    world.account.set_up()
    (portal,) = world.double.account.all("billing_portal.configuration")
    features = portal["features"]

    assert not features["subscription_update"]["enabled"]
    assert not features["customer_update"]["enabled"]
    assert "subscription_pause" not in features
    assert features["payment_method_update"]["enabled"]
    assert features["invoice_history"]["enabled"]
    assert (
        features["subscription_cancel"]["mode"],
        features["subscription_cancel"]["proration_behavior"],
    ) == ("immediately", "none")


def test_a_price_that_is_another_is_not_used(world: StripeWorld) -> None:
    """A marked price with other terms stays, and a correct one is created."""
    world.account.set_up()
    world.double.account.all("price")[0]["unit_amount"] = 500

    steps = {step.name: step.action for step in world.account.set_up()}

    assert steps["price"] == "made"
    assert len(world.double.account.all("price")) == 2


def test_an_endpoint_of_another_version_is_replaced(world: StripeWorld) -> None:
    """An endpoint's version cannot be changed, and its events have other fields."""
    world.account.set_up()
    old = world.double.account.all("webhook_endpoint")[0]
    old["api_version"] = "2019-03-14"
    assert not checks(world.account)["webhook settings"].ok

    steps = {step.name: step for step in world.account.set_up()}

    assert steps["webhook endpoint"].action == "made"
    assert [each["id"] for each in world.double.account.all("webhook_endpoint")] == [
        steps["webhook endpoint"].object_id
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"url": "https://old.example/api/webhooks/stripe"},
        {"enabled_events": ["invoice.paid", "invoice.created"]},
        {"status": "disabled"},
    ],
)
def test_an_endpoint_that_differs_is_mended(world: StripeWorld, change: dict[str, object]) -> None:
    """The status names the differences; setup corrects them and keeps the secret."""
    world.account.set_up()
    endpoint = world.double.account.all("webhook_endpoint")[0]
    endpoint |= change
    assert not checks(world.account)["webhook settings"].ok

    steps = {step.name: step for step in world.account.set_up()}

    assert (steps["webhook endpoint"].action, steps["webhook endpoint"].secret) == ("mended", None)
    assert checks(world.account)["webhook settings"].ok
    assert endpoint["status"] == "enabled"


def test_a_second_endpoint_of_ours_is_removed(world: StripeWorld) -> None:
    """Otherwise every event would come twice; endpoints of others stay."""
    world.account.set_up()
    with world.connection.asking() as v1:
        for mark in ({"jara": "1"}, {}):
            v1.webhook_endpoints.create(
                {
                    "url": "https://other.example",
                    "enabled_events": ["invoice.paid"],
                    "api_version": "2026-10-28.endive",
                    "metadata": mark,
                }
            )
    assert not checks(world.account)["webhook endpoint"].ok

    world.account.set_up()

    assert len(world.double.account.all("webhook_endpoint")) == 2
    assert checks(world.account)["webhook endpoint"].ok


def test_without_https_no_endpoint_is_made(world: StripeWorld) -> None:
    """Stripe could not reach it; everything else is set up."""
    steps = {
        step.name: step.action for step in account(world, site="http://127.0.0.1:8000").set_up()
    }

    assert steps.pop("webhook endpoint") == "skipped"
    assert set(steps.values()) == {"made"}


def test_an_empty_account_fails_its_checks(world: StripeWorld) -> None:
    """Each missing part is named, with what to do."""
    seen = checks(account(world, secret=None))

    for name in ("product", "price", "billing portal", "webhook endpoint"):
        assert (seen[name].ok, seen[name].is_grave) == (False, True)
        assert "jara stripe setup" in seen[name].message
    assert not seen["webhook secret"].ok


def test_a_finished_account_leaves_what_only_a_person_sees(world: StripeWorld) -> None:
    """Settlement in USD is an error until a person confirms it; the others are warnings."""
    world.account.set_up()

    failing = {name: check for name, check in checks(world.account).items() if not check.ok}

    assert failing.keys() == BY_HAND
    assert all(check.by_hand for check in failing.values())
    assert [name for name, check in failing.items() if check.is_grave] == ["settlement-usd"]


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
    assert not checks["currency of the transactions"].ok
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
