"""Joining through Stripe: each row of the table of outcomes."""

from datetime import date, datetime

import pytest

from jara.domain.errors import CardDeclined, InvalidInput, Unavailable
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.services.ports.payments import PaymentOutcome
from tests.payments.stripe_world import StripeWorld, instant, open_world

LATER = BillingDay.TWENTY_EIGHTH


def test_a_set_up_that_fails_is_declined(world: StripeWorld) -> None:
    """Before a later billing day the set-up decides; the contract has the other cards."""
    attempt = world.start("pm_double_setupFails", day=LATER)

    assert (attempt.outcome, attempt.client_secret) == (PaymentOutcome.DECLINED, None)
    assert attempt.message == "Your card was declined."
    assert PledgeState.INCOMPLETE is world.facts(attempt).state


@pytest.mark.parametrize("day", [BillingDay.CURRENT, LATER])
def test_a_question_answered_with_no_leaves_it_incomplete(
    world: StripeWorld, day: BillingDay
) -> None:
    """After a failed confirmation, Stripe says declined, and another card is needed."""
    attempt = world.start("pm_card_authenticationRequired", day=day)

    world.double.confirm(attempt.client_secret or "", succeed=False)
    again = world.gateway.start_subscription(
        customer_id=world.facts(attempt).customer_id,
        dollars=10,
        billing_day=day,
        member_id="member1",
        key="subscription:1",
    )

    assert PledgeState.INCOMPLETE is world.facts(attempt).state
    assert (again.reference, again.outcome) == (attempt.reference, PaymentOutcome.DECLINED)
    assert "unable to authenticate" in again.message


def test_a_replayed_answer_is_read_as_things_stand_now(world: StripeWorld) -> None:
    """The same key replays the first answer, but its intents are read again."""
    for day in (BillingDay.CURRENT, LATER):
        attempt = world.start("pm_card_authenticationRequired", day=day)
        world.double.confirm(attempt.client_secret or "")

        again = world.gateway.start_subscription(
            customer_id=world.facts(attempt).customer_id,
            dollars=10,
            billing_day=day,
            member_id=f"member{world.people}",
            key=f"subscription:{world.people}",
        )

        assert (again.reference, again.outcome) == (attempt.reference, PaymentOutcome.PAID)


@pytest.mark.parametrize(
    ("choice", "at", "first"),
    [
        (BillingDay.CURRENT, instant(2026, 1, 31, 23, 59), date(2026, 1, 31)),
        (BillingDay.FIRST, instant(2026, 1, 31, 23, 59), date(2026, 2, 1)),
        (BillingDay.FIRST, instant(2026, 2, 1, 0, 1), date(2026, 2, 1)),
        (BillingDay.TWENTY_EIGHTH, instant(2026, 2, 28, 23, 59), date(2026, 2, 28)),
        (BillingDay.TWENTY_EIGHTH, instant(2026, 3, 29, 0, 0), date(2026, 4, 28)),
    ],
)
def test_the_first_charge_is_on_the_chosen_day(
    choice: BillingDay, at: datetime, first: date
) -> None:
    """The first charge is today if today is the day, else on the next such day at noon UTC."""
    with open_world(at) as world:
        attempt = world.start(day=choice)
        facts = world.facts(attempt)
        world.double.advance_to(instant(2026, 6, 1))

        assert facts.anchor_on == first
        assert first == world.charged_on()[0].date()
        if first > at.date():
            assert facts.next_charge_on == first
            assert (world.charged_on()[0].hour, world.charged_on()[0].minute) == (13, 0)


def test_a_card_that_failed_cannot_be_used_again(world: StripeWorld) -> None:
    """Each try needs a new payment method, and the message asks to enter the card again."""
    card = world.double.make_card("pm_card_chargeDeclined")
    with pytest.raises(CardDeclined):
        world.customer(card)

    with pytest.raises(InvalidInput, match="enter it again") as caught:
        world.customer(card)

    assert caught.value.fields.keys() == {"paymentMethodId"}
    with pytest.raises(InvalidInput):
        world.customer("pm_unknown")


def test_a_pledge_of_any_size_is_a_quantity(world: StripeWorld) -> None:
    """The price is one dollar, with the amount as quantity."""
    attempts = [world.start(dollars=dollars) for dollars in (5, 999)]

    assert [world.facts(each).dollars for each in attempts] == [5, 999]
    assert [each["amount"] for each in world.double.account.all("charge")] == [99900, 500]


def test_no_call_sends_refused_parameters(world: StripeWorld) -> None:
    """Subscriptions have no default card and no textual anchor, and use flexible billing."""
    world.start(day=LATER)

    sent = [params for method, path, params in world.double.calls if path.endswith("subscriptions")]
    assert "default_payment_method" not in sent[0]
    assert "save_default_payment_method" not in sent[0]["payment_settings"]
    assert sent[0]["billing_mode"] == {"type": "flexible"}
    assert sent[0]["billing_cycle_anchor_config"] == {
        "day_of_month": "28",
        "hour": "12",
        "minute": "0",
        "second": "0",
    }


def test_without_setup_nobody_can_join() -> None:
    """The message says what the operator must do."""
    with open_world(is_set_up=False) as world, pytest.raises(Unavailable, match="stripe setup"):
        world.start()


def test_customers_are_found_by_address_and_by_mark(world: StripeWorld) -> None:
    """Customers are found after a change of address; those of others are not."""
    mine, _ = world.customer(), world.customer()
    world.gateway.change_customer(mine, email="new@example.org", name="Ama Owusu")

    assert world.gateway.find_customers(member_id="member1", email="giver1@example.org") == [mine]
    assert world.gateway.find_customers(member_id="member1", email="new@example.org") == [mine]
    assert world.gateway.find_customers(member_id="member1", email="") == [mine]
    assert world.gateway.find_customers(member_id="nobody", email="new@example.org") == []


def test_a_deleted_customer_is_charged_no_more(world: StripeWorld) -> None:
    """Subscriptions end, and open invoices are voided."""
    attempt = world.start("pm_card_authenticationRequired")
    customer = world.facts(attempt).customer_id

    world.gateway.delete_customer(customer)
    world.double.advance(days=100)

    assert PledgeState.CANCELED is world.facts(attempt).state
    assert [each["status"] for each in world.double.account.all("invoice")] == ["void"]
    assert world.charged_on() == []


def test_the_portal_opens_for_a_customer(world: StripeWorld) -> None:
    """The portal has Jara's configuration and return address."""
    url = world.gateway.billing_url(world.customer(), return_url="https://jara.example/dashboard")

    assert url.startswith("https://billing.stripe.com/")
    session = world.double.account.all("billing_portal.session")[0]
    assert session["return_url"] == "https://jara.example/dashboard"
