"""Webhooks: forged ones are refused; valid ones start a fetch."""

import json
from datetime import timedelta

import pytest
from stripe.params import WebhookEndpointCreateParams

from jara.domain.errors import Unauthenticated, Unavailable
from jara.domain.giving.billing_day import BillingDay
from jara.payments.stripe.events import EVENTS
from jara.records.payments import ProviderEvent
from tests.payments.stripe_world import StripeWorld, instant
from tests.payments.webhook_forgeries import FORGERIES, NO_EVENTS, event_document, sign


def heard(world: StripeWorld) -> list[ProviderEvent]:
    """Read every waiting event."""
    return [world.events.read(body, sign) for body, sign in world.double.deliveries()]


def test_every_event_we_listen_to_exists_once() -> None:
    """All are in the SDK's list, none twice, without the event that would delay invoices."""
    known = str(WebhookEndpointCreateParams.__annotations__["enabled_events"])

    assert [kind for kind in EVENTS if f"'{kind}'" not in known] == []
    assert len(set(EVENTS)) == len(EVENTS) == 40
    assert "invoice.created" not in EVENTS


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_events_are_refused(world: StripeWorld, forgery: str) -> None:
    """Every invalid signature gets the same answer."""
    body, now = json.dumps(event_document(world)).encode(), int(world.clock.now().timestamp())
    good = sign(body, now)
    assert world.events.read(body, good).event_id == "evt_1"

    with pytest.raises(Unauthenticated):
        world.events.read(*FORGERIES[forgery](body, good, now))


@pytest.mark.parametrize("body", NO_EVENTS)
def test_invalid_events_are_refused(world: StripeWorld, body: bytes) -> None:
    """An event needs an event's fields, signed or not."""
    with pytest.raises(Unauthenticated, match="fields"):
        world.events.read(body, sign(body, int(world.clock.now().timestamp())))


def test_the_edge_of_the_tolerance_is_inside(world: StripeWorld) -> None:
    """A signature is valid for five minutes in both directions."""
    body, now = json.dumps(event_document(world)).encode(), int(world.clock.now().timestamp())

    for at in (now - 300, now + 300):
        assert world.events.read(body, sign(body, at)).object_id == "ch_1"


def test_each_event_names_the_object_to_fetch(world: StripeWorld) -> None:
    """An event means reading a subscription, the balance transactions, or both."""
    attempt = world.start()
    customer = world.facts(attempt).customer_id
    world.double.advance(minutes=1)
    world.gateway.refund(world.charge_of(attempt), 100, key="r")
    world.double.advance_to(instant(2026, 2, 4, 1))
    world.gateway.change_customer(customer, email="a@example.org", name="A")
    world.double.warn_of_fraud(world.charge_of(attempt))
    events = {event.type: event for event in heard(world)}

    assert set(events) <= set(EVENTS)
    for kind in ("customer.subscription.created", "invoice.finalized", "invoice.paid"):
        assert attempt.reference == events[kind].subscription_id
        assert customer == events[kind].customer_id
        assert not events[kind].moves_money
    for kind in ("invoice_payment.paid", "charge.updated", "refund.created", "payout.created"):
        assert events[kind].moves_money
    assert customer == events["customer.updated"].customer_id
    warning = events["radar.early_fraud_warning.created"]
    assert world.charge_of(attempt) == warning.warned_charge_id
    assert customer == events["payment_intent.succeeded"].customer_id


def test_a_renewal_tells_in_this_order(world: StripeWorld) -> None:
    """The invoice is finalised an hour after the anchor, then paid, then settled."""
    world.start(day=BillingDay.TWENTY_EIGHTH)
    heard(world)

    world.double.advance_to(instant(2026, 2, 28, 14))

    events = heard(world)
    assert [event.type for event in events] == [
        "invoice.upcoming",
        "customer.subscription.updated",
        "invoice.finalized",
        "payment_intent.succeeded",
        "invoice_payment.paid",
        "invoice.paid",
        "charge.updated",
    ]
    assert [event.type for event in events if event.opens_invoice] == ["invoice.finalized"]
    assert (events[0].object_id, events[0].subscription_id) == ("", events[2].subscription_id)


def test_a_renewal_that_asks_tells_where_to_confirm(world: StripeWorld) -> None:
    """The email to the member contains the address of Stripe's page."""
    attempt = world.start("pm_card_authenticationRequired")
    world.double.confirm(attempt.client_secret or "")
    heard(world)

    world.double.advance_to(instant(2026, 3, 1))

    (asked,) = (event for event in heard(world) if event.confirm_url)
    assert asked.type == "invoice.payment_action_required"
    assert (asked.confirm_url or "").startswith("https://invoice.stripe.com/")


def test_fields_of_another_version_are_not_read(world: StripeWorld) -> None:
    """The object is fetched in Jara's API version, which then decides what it is about."""
    attempt = world.start()
    world.double.listen("invoice.paid", "payout.created", api_version="2019-03-14")
    world.double.account.all("webhook_endpoint")[0]["status"] = "disabled"
    world.double.advance_to(instant(2026, 3, 1))
    events = {event.type: event for event in heard(world) if not event.same_version}

    paid = events["invoice.paid"]
    assert (paid.subscription_id, paid.customer_id) == (None, None)
    assert attempt.reference == world.events.look_up(paid).subscription_id
    assert events["payout.created"] == world.events.look_up(events["payout.created"])


OBJECTS = """
    subscription invoice invoice_payment customer payment_method payment_intent setup_intent
    radar.early_fraud_warning
"""


@pytest.mark.parametrize("object_type", OBJECTS.split())
def test_every_object_can_be_looked_up(world: StripeWorld, object_type: str) -> None:
    """An object that was deleted is no error."""
    attempt = world.start()
    world.start("pm_card_authenticationRequired", day=BillingDay.TWENTY_EIGHTH)
    world.double.warn_of_fraud(world.charge_of(attempt))
    found = world.double.account.all(object_type)[-1]["id"]
    event = ProviderEvent(
        "evt_1", "radar.early_fraud_warning.created", world.clock.now(), object_type, found, False
    )

    known = world.events.look_up(event)

    assert event.event_id == known.event_id
    if object_type in {"subscription", "invoice"}:
        assert attempt.reference == known.subscription_id
    gone = ProviderEvent("evt_2", "x", world.clock.now(), object_type, "gone_1", False)
    assert world.events.look_up(gone) == gone


def test_a_look_up_that_fails_is_tried_later(world: StripeWorld) -> None:
    """The event stays stored and is processed again."""
    attempt = world.start()
    event = ProviderEvent("evt_1", "x", world.clock.now(), "subscription", attempt.reference, False)
    world.double.fault("GET", "500")

    with pytest.raises(Unavailable):
        world.events.look_up(event)


def test_an_old_signature_counts_from_our_clock(world: StripeWorld) -> None:
    """The age of a signature is measured with Jara's clock."""
    world.start()
    deliveries = world.double.deliveries()
    world.clock.set(world.clock.now() + timedelta(minutes=6))

    with pytest.raises(Unauthenticated, match="seconds off"):
        world.events.read(*deliveries[0])
