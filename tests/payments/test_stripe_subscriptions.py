"""Active pledges at Stripe: renewals, changes, skips, pauses, the end."""

from datetime import date, datetime

import pytest

from jara.domain.errors import CardDeclined, Conflict, NotFound, Unavailable
from jara.domain.giving.billing_day import BillingDay, charge_dates
from jara.domain.giving.pledge import PledgeState
from jara.services.ports.payments import Attempt
from tests.payments.stripe_world import StripeWorld, days, instant, invoices, open_world
from tests.sizes import some

DAY = 86_400


@pytest.mark.parametrize("choice", some(BillingDay, step=2))
def test_stripe_charges_on_the_days_of_the_core(choice: BillingDay) -> None:
    """Short months are charged on their last day, other months on the chosen day."""
    with open_world() as world:
        attempt = world.start(day=choice)
        anchor = world.facts(attempt).anchor_on
        for _ in range(400):
            world.double.advance(days=1)
            told = world.facts(attempt).next_charge_on
            assert told is not None
            assert told > world.clock.now().date() or world.clock.now().hour < 12

        wanted = charge_dates(anchor, anchor)
        assert [next(wanted) for _ in days(world)] == days(world)
        assert len(days(world)) >= 13


def test_a_day_that_stripe_set_otherwise_is_told(world: StripeWorld) -> None:
    """The difference is reported, not corrected, because a correction could charge immediately."""
    attempt = world.start()
    world.double.account.trials_slip_by = DAY

    with pytest.raises(Conflict, match="an operator has to look"):
        world.gateway.change_day(attempt.reference, BillingDay.FIRST)


def test_arrears_are_never_collected(world: StripeWorld) -> None:
    """When a renewal is finalised, an older open invoice is voided."""
    world.double.account.retries = (40 * DAY,)
    attempt = world.start()
    customer = world.facts(attempt).customer_id
    world.gateway.set_card(customer, world.double.make_card("pm_card_authenticationRequired"))
    world.double.advance_to(instant(2026, 3, 1))
    world.double.advance_to(instant(2026, 4, 1))
    assert invoices(world) == ["paid", "open", "open"]

    assert world.events.void_arrears(attempt.reference) == 1

    assert invoices(world) == ["paid", "void", "open"]
    assert world.events.void_arrears(attempt.reference) == 0
    assert PledgeState.PAST_DUE is world.facts(attempt).state


def test_stopping_voids_open_invoices(world: StripeWorld) -> None:
    """Missed payments are not collected after the end."""
    attempt = world.start()
    customer = world.facts(attempt).customer_id
    world.gateway.set_card(customer, world.double.make_card("pm_card_chargeCustomerFail"))
    world.double.advance_to(instant(2026, 3, 1))

    world.gateway.cancel(attempt.reference)

    assert invoices(world) == ["paid", "void"]


def test_an_unconfirmed_subscription_cannot_be_changed(world: StripeWorld) -> None:
    """Before the first payment and after the end, changes are refused."""
    attempt = world.start("pm_card_authenticationRequired")
    for act in (world.gateway.pause, world.gateway.resume, world.gateway.skip_next):
        with pytest.raises(Conflict, match="incomplete"):
            act(attempt.reference)
    world.gateway.cancel(attempt.reference)
    with pytest.raises(Conflict, match="canceled"):
        world.gateway.change_amount(attempt.reference, 20)
    with pytest.raises(NotFound):
        world.gateway.subscription("sub_unknown")


@pytest.mark.parametrize(
    ("status", "ours"),
    [
        ("incomplete", "incomplete"),
        ("incomplete_expired", "canceled"),
        ("canceled", "canceled"),
        ("trialing", "active"),
        ("active", "active"),
        ("past_due", "past_due"),
        ("unpaid", "past_due"),
        ("paused", "paused"),
    ],
)
def test_every_status_has_a_state(world: StripeWorld, status: str, ours: str) -> None:
    """Each Stripe status maps to one state."""
    attempt = world.start()
    world.double.account.get("subscription", attempt.reference)["status"] = status

    assert PledgeState(ours) is world.facts(attempt).state
    assert [
        each.state for each in world.gateway.subscriptions_of(world.facts(attempt).customer_id)
    ] == [PledgeState(ours)]


def test_a_status_that_nobody_knows_is_named(world: StripeWorld) -> None:
    """An unknown status is an error."""
    attempt = world.start()
    world.double.account.get("subscription", attempt.reference)["status"] = "resting"

    with pytest.raises(Unavailable, match="'resting'"):
        world.facts(attempt)


def test_a_trial_that_waits_for_a_card_is_active(world: StripeWorld) -> None:
    """An active pledge stays active when its day is changed."""
    attempt = world.start("pm_card_authenticationRequired", day=BillingDay.TWENTY_EIGHTH)
    world.double.account.get("subscription", attempt.reference)["status"] = "trialing"

    assert PledgeState.ACTIVE is world.facts(attempt).state


def test_a_skip_goes_with_the_day_it_was_for(world: StripeWorld) -> None:
    """A new billing day cancels the skip."""
    attempt = world.start()
    world.gateway.skip_next(attempt.reference)

    facts = world.gateway.change_day(attempt.reference, BillingDay.FIRST)

    assert (facts.skips_on, facts.next_charge_on) == (None, date(2026, 3, 1))


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


def test_another_card_becomes_the_default(world: StripeWorld) -> None:
    """The next attempt uses the new card; a refused card changes nothing."""
    attempt = world.start()
    customer = world.facts(attempt).customer_id
    world.gateway.set_card(customer, world.double.make_card("pm_card_chargeCustomerFail"))

    world.double.advance_to(instant(2026, 3, 1))
    assert PledgeState.PAST_DUE is world.facts(attempt).state
    with pytest.raises(CardDeclined):
        world.gateway.set_card(customer, world.double.make_card("pm_card_chargeDeclined"))
    world.gateway.set_card(customer, world.double.make_card("pm_card_visa"))
    world.double.advance_to(instant(2026, 3, 8))

    assert PledgeState.ACTIVE is world.facts(attempt).state


@pytest.mark.parametrize("when", [instant(2026, 2, 10), instant(2026, 2, 28, 10)])
def test_a_stopped_pledge_is_charged_no_more(world: StripeWorld, when: datetime) -> None:
    """A stopped pledge is safe even in a renewal's draft hour; stopping twice is no error."""
    attempt = world.start()
    world.double.advance_to(when)

    world.gateway.cancel(attempt.reference)
    world.gateway.cancel(attempt.reference)
    world.gateway.cancel("sub_unknown")
    world.double.advance_to(instant(2026, 8, 1))

    facts = world.facts(attempt)
    assert (facts.state, facts.next_charge_on) == (PledgeState.CANCELED, None)
    assert len(days(world)) == 1
