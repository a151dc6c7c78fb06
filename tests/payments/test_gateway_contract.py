"""One contract for both gateways: pledges behave the same in the sandbox and at Stripe."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from jara.domain.books.provider_row import RowCategory
from jara.domain.errors import CardDeclined, Conflict, NotFound
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.services.ports.payments import Attempt, IntentType, PaymentOutcome
from tests.payments.both_gateways import LATER, START, World, open_gateway
from tests.payments.stripe_world import instant


@pytest.fixture(params=["sandbox", "stripe"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Return one gateway after the other."""
    with open_gateway(request.param) as opened:
        yield opened


OUTCOMES = [
    ("pm_card_visa", BillingDay.CURRENT, "paid", None, "active"),
    ("pm_card_visa", LATER, "paid", None, "active"),
    ("pm_card_authenticationRequired", BillingDay.CURRENT, "requires_action", "payment", None),
    ("pm_card_authenticationRequired", LATER, "requires_action", "setup", None),
    ("pm_card_authenticationRequiredOnSetup", LATER, "requires_action", "setup", None),
    ("pm_card_chargeCustomerFail", BillingDay.CURRENT, "declined", None, "incomplete"),
]


@pytest.mark.parametrize(("card", "day", "outcome", "asks", "state"), OUTCOMES)
def test_outcomes_are_the_same(
    world: World, card: str, day: BillingDay, outcome: str, asks: str | None, state: str | None
) -> None:
    """Each test card has the same outcome."""
    attempt = world.start(card, day)

    assert PaymentOutcome(outcome) is attempt.outcome
    assert (asks and IntentType(asks)) == attempt.intent_type
    assert attempt.message == ("Your card was declined." if outcome == "declined" else "")
    assert PledgeState(state or "incomplete") is world.facts(attempt).state


@pytest.mark.parametrize("day", [BillingDay.CURRENT, LATER])
def test_a_confirmed_card_is_active(world: World, day: BillingDay) -> None:
    """A confirmed card is charged today or on its billing day."""
    attempt = world.start("pm_card_authenticationRequiredOnSetup", day)

    world.provider.confirm(attempt.client_secret or "", succeed=True)

    assert PledgeState.ACTIVE is world.facts(attempt).state
    world.pass_time(instant(2026, 3, 1, 14))
    assert world.charge_days()[-1].day == 28


def test_cards_differ_in_asking_at_renewals(world: World) -> None:
    """Both ask at the start; then one renews without confirmation."""
    cards = ("pm_card_authenticationRequiredOnSetup", "pm_card_authenticationRequired")
    once, always = (world.start(card) for card in cards)
    for attempt in (once, always):
        world.provider.confirm(attempt.client_secret or "", succeed=True)

    world.pass_time(instant(2026, 3, 1))

    assert PledgeState.ACTIVE is world.facts(once).state
    assert PledgeState.PAST_DUE is world.facts(always).state


@pytest.mark.parametrize("day", BillingDay)
def test_facts_of_a_new_pledge_are_the_same(world: World, day: BillingDay) -> None:
    """Anchor and next charge are the same for each billing day, before and after charges."""
    attempt = world.start(day=day)
    seen = []
    for at in (START, instant(2026, 2, 2, 15), instant(2026, 3, 2, 15), instant(2026, 5, 1, 15)):
        world.pass_time(at)
        facts = world.facts(attempt)
        seen.append((facts.anchor_on, facts.next_charge_on))

    anchors = {"current": date(2026, 1, 31), "1": date(2026, 2, 1), "28": date(2026, 2, 28)}
    nexts = {
        "current": [(2, 28), (2, 28), (3, 31), (5, 31)],
        "1": [(2, 1), (3, 1), (4, 1), (6, 1)],
        "28": [(2, 28), (2, 28), (3, 28), (5, 28)],
    }
    wanted = [(anchors[day], date(2026, month, of)) for month, of in nexts[day]]
    assert seen == wanted


def test_changes_have_the_same_effect(world: World) -> None:
    """Amount, skip, pause, resume, billing day and cancellation have the same effect."""
    attempt = world.start()
    gateway, reference = world.gateway, attempt.reference

    assert gateway.change_amount(reference, 25).dollars == 25
    skipped = gateway.skip_next(reference)
    assert (skipped.state, skipped.skips_on, skipped.next_charge_on) == (
        PledgeState.ACTIVE,
        date(2026, 2, 28),
        date(2026, 3, 31),
    )
    paused = gateway.pause(reference)
    assert (paused.state, paused.skips_on, paused.next_charge_on) == (
        PledgeState.PAUSED,
        None,
        None,
    )
    resumed = gateway.resume(reference)
    assert (resumed.state, resumed.skips_on, resumed.next_charge_on) == (
        PledgeState.ACTIVE,
        None,
        date(2026, 2, 28),
    )
    moved = gateway.change_day(reference, BillingDay.FIRST)
    assert (moved.state, moved.anchor_on, moved.next_charge_on) == (
        PledgeState.ACTIVE,
        date(2026, 3, 1),
        date(2026, 3, 1),
    )
    world.pass_time(instant(2026, 4, 2))
    assert world.charge_days() == [date(2026, 1, 31), date(2026, 3, 1), date(2026, 4, 1)]
    for cancelled in (reference, reference, "sub_unknown"):
        gateway.cancel(cancelled)
    assert (world.facts(attempt).state, world.facts(attempt).next_charge_on) == (
        PledgeState.CANCELED,
        None,
    )
    with pytest.raises(Conflict):
        gateway.change_amount(reference, 30)
    with pytest.raises(NotFound):
        gateway.subscription("sub_unknown")


def test_a_skip_is_over_after_its_day(world: World) -> None:
    """Two calls are one skip, and the month after it is charged again."""
    attempt = world.start()
    skipped = world.gateway.skip_next(attempt.reference)

    assert skipped == world.gateway.skip_next(attempt.reference)
    world.pass_time(instant(2026, 2, 28, 12))
    assert (world.facts(attempt).skips_on, world.facts(attempt).next_charge_on) == (
        None,
        date(2026, 3, 31),
    )
    world.pass_time(instant(2026, 4, 1))
    assert world.charge_days() == [date(2026, 1, 31), date(2026, 3, 31)]


def test_a_skip_can_be_taken_back(world: World) -> None:
    """Resuming before the day makes the charge."""
    attempt = world.start()
    world.gateway.skip_next(attempt.reference)

    facts = world.gateway.resume(attempt.reference)

    assert (facts.skips_on, facts.next_charge_on) == (None, date(2026, 2, 28))
    world.pass_time(instant(2026, 3, 1))
    assert world.charge_days() == [date(2026, 1, 31), date(2026, 2, 28)]


def test_a_pause_takes_nothing_until_resumed(world: World) -> None:
    """Nothing can be skipped in a pause; afterwards the old day applies."""
    attempt = world.start()

    paused = world.gateway.pause(attempt.reference)

    assert paused == world.gateway.pause(attempt.reference)
    assert (paused.state, paused.next_charge_on) == (PledgeState.PAUSED, None)
    with pytest.raises(Conflict, match="active"):
        world.gateway.skip_next(attempt.reference)
    world.pass_time(instant(2026, 5, 10))
    resumed = world.gateway.resume(attempt.reference)
    assert (resumed.state, resumed.next_charge_on) == (PledgeState.ACTIVE, date(2026, 5, 31))
    world.pass_time(instant(2026, 6, 1))
    assert world.charge_days() == [date(2026, 1, 31), date(2026, 5, 31)]


def test_a_failing_card_ends_the_same_way(world: World) -> None:
    """A pledge is past due after a failure and ends after three more; a new card repairs it."""
    attempts = [world.start(), world.start()]
    for attempt in attempts:
        customer = world.facts(attempt).customer_id
        world.gateway.set_card(customer, "pm_card_chargeCustomerFail")

    world.pass_time(instant(2026, 3, 1))
    for attempt in attempts:
        facts = world.facts(attempt)
        assert PledgeState.PAST_DUE is facts.state
        assert facts.past_due_since is not None
        assert date(2026, 2, 28) == facts.past_due_since.date()
    world.gateway.set_card(world.facts(attempts[0]).customer_id, "pm_card_visa")
    world.pass_time(instant(2026, 3, 25))

    assert PledgeState.ACTIVE is world.facts(attempts[0]).state
    assert PledgeState.CANCELED is world.facts(attempts[1]).state
    assert [world.facts(attempt).ended_unpaid for attempt in attempts] == [False, True]
    assert world.charge_days() == [date(2026, 1, 31)] * 2 + [date(2026, 3, 7)]


def test_an_unconfirmed_payment_expires(world: World) -> None:
    """An unconfirmed payment expires after 23 hours, and nothing is charged."""
    attempt = world.start("pm_card_authenticationRequired")

    world.pass_time(START + timedelta(hours=23))

    assert PledgeState.CANCELED is world.facts(attempt).state
    assert world.charge_days() == []


def _past_due(world: World, card: str) -> Attempt:
    """Start a pledge whose second charge failed, and which has another card since."""
    attempt = world.start()
    customer = world.facts(attempt).customer_id
    world.gateway.set_card(customer, "pm_card_chargeCustomerFail")
    world.pass_time(instant(2026, 3, 1))
    assert PledgeState.PAST_DUE is world.facts(attempt).state
    world.gateway.set_card(customer, card)
    return attempt


def test_a_month_that_is_due_is_charged_once(world: World) -> None:
    """The pledge is active again; neither a second call nor a retry charges it."""
    attempt = _past_due(world, "pm_card_visa")

    paid = world.gateway.pay_due(attempt.reference, key="press 1")

    assert (paid.outcome, paid.client_secret) == (PaymentOutcome.PAID, None)
    with pytest.raises(Conflict, match="nothing was taken"):
        world.gateway.pay_due(attempt.reference, key="press 2")
    assert PledgeState.ACTIVE is world.facts(attempt).state
    world.pass_time(instant(2026, 3, 25))
    assert world.charge_days() == [date(2026, 1, 31), date(2026, 3, 1)]


def test_a_month_that_is_due_can_be_refused_again(world: World) -> None:
    """The retries stay as they were, and the last one ends the pledge."""
    attempt = _past_due(world, "pm_card_chargeCustomerFail")
    for press in range(4):
        with pytest.raises(CardDeclined, match="Your card was declined"):
            world.gateway.pay_due(attempt.reference, key=f"press {press}")

    assert PledgeState.PAST_DUE is world.facts(attempt).state
    world.pass_time(instant(2026, 3, 20))
    assert PledgeState.PAST_DUE is world.facts(attempt).state
    world.pass_time(instant(2026, 3, 22))
    assert PledgeState.CANCELED is world.facts(attempt).state
    with pytest.raises(Conflict):
        world.gateway.pay_due(attempt.reference, key="too late")


def test_a_month_that_is_due_may_need_its_cardholder(world: World) -> None:
    """Asking again shows the same payment; it is charged once the bank has the answer."""
    attempt = _past_due(world, "pm_card_authenticationRequired")

    asked = world.gateway.pay_due(attempt.reference, key="press 1")
    again = world.gateway.pay_due(attempt.reference, key="press 2")

    assert asked == again
    assert (asked.outcome, asked.intent_type) == (
        PaymentOutcome.REQUIRES_ACTION,
        IntentType.PAYMENT,
    )
    assert len(world.charge_days()) == 1
    world.provider.confirm(asked.client_secret or "", succeed=True)
    assert PledgeState.ACTIVE is world.facts(attempt).state
    world.settle()
    assert len(world.charge_days()) == 2


@pytest.mark.parametrize("by_hand", [True, False])
def test_an_open_charge_keeps_its_amount(world: World, *, by_hand: bool) -> None:
    """Another amount holds from the next month on; what failed is taken as it was."""
    attempt = _past_due(world, "pm_card_visa")
    before = world.facts(attempt).due_cents

    changed = world.gateway.change_amount(attempt.reference, 25)

    assert (before, changed.dollars, changed.due_cents) == (1000, 25, 1000)
    if by_hand:
        world.gateway.pay_due(attempt.reference, key="press 1")
    world.pass_time(instant(2026, 4, 1))
    assert world.facts(attempt).due_cents is None
    assert _charged(world) == [1000, 1000, 2500]


def test_the_bank_is_asked_about_the_open_charge(world: World) -> None:
    """The payment that the cardholder confirms has the amount of the month that failed."""
    attempt = _past_due(world, "pm_card_authenticationRequired")
    world.gateway.change_amount(attempt.reference, 25)

    asked = world.gateway.pay_due(attempt.reference, key="press 1")
    world.provider.confirm(asked.client_secret or "", succeed=True)
    world.settle()

    assert _charged(world) == [1000, 1000]


def test_an_open_charge_limits_changes(world: World) -> None:
    """The day waits; the end of the pledge ends the charge too."""
    attempt = _past_due(world, "pm_card_visa")
    before = world.facts(attempt)

    with pytest.raises(Conflict, match="pay it first"):
        world.gateway.change_day(attempt.reference, BillingDay.FIRST)
    with pytest.raises(Conflict):
        world.gateway.skip_next(attempt.reference)
    assert world.facts(attempt) == before
    world.gateway.cancel(attempt.reference)

    assert (world.facts(attempt).state, world.facts(attempt).due_cents) == (
        PledgeState.CANCELED,
        None,
    )
    with pytest.raises(Conflict, match="nothing was taken"):
        world.gateway.pay_due(attempt.reference, key="too late")
    world.pass_time(instant(2026, 5, 1))
    assert _charged(world) == [1000]


def _charged(world: World) -> list[int]:
    """Return the amounts of the charges in the rows."""
    rows = world.gateway.rows()
    return [row.amount for row in rows if row.category is RowCategory.CHARGE]
