"""Subscriptions of the sandbox follow Stripe's calendar; customers are renamed and deleted."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import CardDeclined, Conflict, NotFound
from jara.domain.giving.billing_day import BillingDay, charge_dates, first_charge_on
from jara.domain.giving.pledge import PledgeState
from tests.payments.sandbox_world import START, instant, make_world, open_intent


@given(
    choice=st.sampled_from(BillingDay),
    at=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)).map(  # noqa: DTZ001 - Hypothesis wants them naive
        lambda at: at.replace(microsecond=0, tzinfo=START.tzinfo)
    ),
)
def test_the_sandbox_charges_on_the_days_of_the_core(choice: BillingDay, at: datetime) -> None:
    """Members are charged on exactly the days of charge_dates, each day once."""
    world = make_world(at)
    world.start(day=choice)
    until = at + timedelta(days=420)

    world.run(until)

    charged = [charge.date() for charge in world.charged_on()]
    days = charge_dates(first_charge_on(choice, at.date()), at.date())
    assert charged == [day for _, day in zip(charged, days, strict=False)]
    assert len(charged) >= 13


def test_a_short_month_charges_on_its_last_day() -> None:
    """31 Jan, 28 Feb, 31 Mar, at the minute of joining; other days at noon."""
    world = make_world()
    world.start()
    world.start(day=BillingDay.TWENTY_EIGHTH)

    world.run(instant(2026, 3, 31))

    assert world.charged_on() == [
        START,
        instant(2026, 2, 28, 9, 30),
        instant(2026, 2, 28),
        instant(2026, 3, 28),
        instant(2026, 3, 31, 9, 30),
    ]


def test_running_twice_charges_once() -> None:
    """A charge is not made again."""
    world = make_world()
    world.start()
    world.run(instant(2026, 6, 1))

    assert world.gateway.run_until(instant(2026, 6, 1)) == 0


def test_a_pledge_past_due_keeps_its_question_open() -> None:
    """Each retry repeats the same confirmation."""
    world = make_world()
    attempt = world.start("pm_card_authenticationRequired")
    world.gateway.confirm(attempt.client_secret or "", succeed=True)
    world.run(instant(2026, 3, 1))
    asked = open_intent(world.gateway, attempt.reference)

    world.run(instant(2026, 3, 8))

    assert asked is not None
    assert asked == open_intent(world.gateway, attempt.reference)


def test_an_unconfirmed_subscription_cannot_be_changed() -> None:
    """Stripe allows only changes of metadata before the first payment."""
    world = make_world()
    for day in BillingDay:
        attempt = world.start("pm_card_authenticationRequired", day=day)
        with pytest.raises(Conflict, match="only one that runs"):
            world.gateway.change_amount(attempt.reference, 20)


def test_a_deleted_customer_leaves_rows_without_a_person() -> None:
    """The rows stay, so they can be booked once, but identify nobody."""
    world = make_world()
    world.start()
    customer = world.gateway.find_customers(member_id="member1", email="")[0]
    assert customer == world.rows()[0].customer_id

    world.gateway.delete_customer(customer)

    row = world.rows()[0]
    assert (row.customer_id, row.member_id, row.email) == (None, None, None)


def test_a_deleted_customer_takes_gifts_of_the_same_address_along() -> None:
    """Gifts from the same address become anonymous; other people's do not."""
    world = make_world()
    attempt = world.start("pm_card_authenticationRequired")
    others = world.start()
    for email in ("giver1@example.org", "kofi@example.org"):
        world.gateway.take_gift(
            cents=500,
            email=email,
            name="Ama",
            payment_method="pm_card_visa",
            gift_id=email,
            key=email,
        )

    asked = world.start("pm_card_authenticationRequired")
    world.gateway.delete_customer(world.facts(attempt).customer_id)

    assert asked.client_secret == open_intent(world.gateway, asked.reference)
    assert [row.email for row in world.rows()] == ["giver2@example.org", None, "kofi@example.org"]
    assert PledgeState.ACTIVE is world.facts(others).state
    with pytest.raises(NotFound):
        world.gateway.confirm(attempt.client_secret or "", succeed=True)


def test_a_customer_can_be_renamed() -> None:
    """Rows show the current address."""
    world = make_world()
    world.start()
    customer = world.gateway.find_customers(member_id="member1", email="")[0]

    world.gateway.change_customer(customer, email="new@example.org", name="Ama Owusu")

    assert world.rows()[0].email == "new@example.org"


def test_the_billing_page_is_on_our_own_site() -> None:
    """The page replaces the provider's portal."""
    world = make_world()
    customer = world.customer()

    url = world.gateway.billing_url(customer, return_url="https://jara.example/dashboard")

    assert url == "https://jara.example/sandbox/billing"


def test_a_key_gives_the_same_answer_again() -> None:
    """A retry neither charges again nor turns a decline into a success."""
    world = make_world()
    gateway = world.gateway
    customer = world.customer()

    def start(dollars: int) -> str:
        return gateway.start_subscription(
            customer_id=customer,
            dollars=dollars,
            billing_day=BillingDay.CURRENT,
            member_id="member1",
            key="once",
        ).reference

    assert start(10) == start(10)
    assert len(world.charged_on()) == 1
    with pytest.raises(Conflict, match="idempotency key"):
        start(11)
    for _ in range(2):
        world.people = 6
        with pytest.raises(CardDeclined, match=r"expired"):
            world.customer("pm_card_chargeDeclinedExpiredCard")
