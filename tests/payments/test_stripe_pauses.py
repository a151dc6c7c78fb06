"""Skips and pauses at Stripe: nothing is charged, nothing is owed."""

from datetime import date, datetime

import pytest

from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.services.ports.payments import Attempt
from tests.payments.stripe_world import StripeWorld, days, instant, invoices


def test_a_skipped_month_is_voided_and_nothing_is_owed(world: StripeWorld) -> None:
    """The pledge stays active, so no vote is lost, and the day stays."""
    attempt = world.start(day=BillingDay.TWENTY_EIGHTH)

    facts = world.gateway.skip_next(attempt.reference)

    assert PledgeState.ACTIVE is facts.state
    assert (facts.skips_on, facts.next_charge_on) == (date(2026, 2, 28), date(2026, 3, 28))
    assert facts == world.gateway.skip_next(attempt.reference)
    world.double.advance_to(instant(2026, 2, 28, 18))
    after = world.facts(attempt)
    assert (after.state, after.skips_on) == (PledgeState.ACTIVE, None)
    assert after.next_charge_on == date(2026, 3, 28)
    world.double.advance_to(instant(2026, 4, 1))
    assert days(world) == [date(2026, 3, 28)]
    assert invoices(world) == ["void", "paid"]


def test_a_skip_goes_with_the_day_it_was_for(world: StripeWorld) -> None:
    """A new billing day cancels the skip."""
    attempt = world.start()
    world.gateway.skip_next(attempt.reference)

    facts = world.gateway.change_day(attempt.reference, BillingDay.FIRST)

    assert (facts.skips_on, facts.next_charge_on) == (None, date(2026, 3, 1))


def test_invoices_of_a_pause_are_voided(world: StripeWorld) -> None:
    """They are created all the same; a pause ends a skip."""
    attempt = world.start()
    world.gateway.skip_next(attempt.reference)

    assert world.gateway.pause(attempt.reference).skips_on is None
    world.double.advance_to(instant(2026, 5, 10))
    assert invoices(world) == ["paid", "void", "void", "void"]


def test_a_pause_without_a_skip_is_one_call(world: StripeWorld) -> None:
    """Pausing takes one call, and pausing twice changes nothing."""
    attempt = world.start()

    assert PledgeState.PAUSED is world.gateway.pause(attempt.reference).state
    assert PledgeState.PAUSED is world.gateway.pause(attempt.reference).state


def set_pause(world: StripeWorld, attempt: Attempt, resumes_at: datetime) -> None:
    """Pause until a given time, as an operator can in the Dashboard."""
    with world.connection.asking() as v1:
        v1.subscriptions.update(
            attempt.reference,
            {"pause_collection": {"behavior": "void", "resumes_at": int(resumes_at.timestamp())}},
        )


@pytest.mark.parametrize(
    ("resumes_at", "state", "resumes_on", "next_on"),
    [
        (instant(2026, 4, 10), "paused", date(2026, 4, 10), date(2026, 4, 30)),
        (instant(2026, 4, 30, 20), "paused", date(2026, 4, 30), date(2026, 5, 31)),
        (instant(2026, 2, 10), "active", None, date(2026, 2, 28)),
    ],
)
def test_a_pause_with_an_end_names_the_charge_after_it(
    world: StripeWorld, resumes_at: datetime, state: str, resumes_on: date | None, next_on: date
) -> None:
    """A pause that omits no charge does not count as a pause."""
    attempt = world.start()
    set_pause(world, attempt, resumes_at)

    facts = world.facts(attempt)

    assert PledgeState(state) is facts.state
    assert (resumes_on, next_on) == (facts.resumes_on, facts.next_charge_on)
    world.double.advance_to(instant(2026, 6, 2))
    assert days(world)[1] == next_on
