"""Subscriptions of the sandbox follow Stripe's calendar."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import Conflict
from jara.domain.giving.billing_day import BillingDay, charge_dates, first_charge_on
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
