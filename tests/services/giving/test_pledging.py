"""A member's changes of the pledge, and a new one after it ended."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from jara.domain.errors import (
    CardDeclined,
    Conflict,
    IllegalTransition,
    NotFound,
    Unavailable,
)
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.giving.pledging import (
    cancel_pledge,
    find_pledge,
    refresh_pledge,
    replace_card,
    start_again,
)
from jara.services.members.accounts import add_member
from jara.services.payments.charging import cancel_overdue, charge_due, refresh_pledges
from jara.services.payments.importing import collect_movements
from jara.services.ports.payments import PaymentOutcome
from tests.harness import clock_of
from tests.payments.sandbox_world import open_intent
from tests.services.giving.joiners import (
    ASKS,
    FAILS,
    breaking,
    charges,
    form,
    join,
    pass_time,
    sandbox_of,
)


def noon(month: int, day: int, year: int = 2026) -> datetime:
    """Return noon of a day."""
    return datetime(year, month, day, 12, tzinfo=UTC)


def test_a_new_amount_holds_from_the_next_charge(context: Context, member_id: str) -> None:
    """The pledge's history contains both amounts."""
    assert pledging.change_amount(context, member_id, "25").dollars == 25

    pass_time(context, noon(12, 20))

    assert charges(context) == [1000, 2500]
    with context.store.read() as work:
        assert [change.dollars for change in work.pledges.changes()] == [10, 25]


def test_a_new_day_comes_after_the_month_that_is_paid(context: Context, member_id: str) -> None:
    """A change from the 20th to the 1st charges on 1 January, not on 1 December."""
    pledge = pledging.change_day(context, member_id, "1")

    assert (pledge.next_charge_on, pledge.billing_day) == (date(2027, 1, 1), "1")
    pass_time(context, noon(1, 1, 2027))
    assert charges(context) == [1000, 1000]


def test_a_skip_leaves_one_month_out(context: Context, member_id: str) -> None:
    """A second skip changes nothing; a skip can be undone until its day."""
    skipped = pledging.skip_next(context, member_id)

    assert skipped == pledging.skip_next(context, member_id)
    assert (skipped.skips_on, skipped.next_charge_on) == (date(2026, 12, 20), date(2027, 1, 20))
    kept = pledging.keep_next(context, member_id)
    assert kept == pledging.keep_next(context, member_id)
    assert (kept.skips_on, kept.next_charge_on) == (None, date(2026, 12, 20))

    pledging.skip_next(context, member_id)
    pass_time(context, noon(1, 20, 2027))
    assert charges(context) == [1000, 1000]
    assert find_pledge(context, member_id).skips_on is None


def test_a_pause_takes_nothing(context: Context, member_id: str) -> None:
    """Repeating a pause or a resume changes nothing."""
    paused = pledging.pause_pledge(context, member_id)

    assert paused == pledging.pause_pledge(context, member_id)
    assert (paused.state, paused.next_charge_on) == (PledgeState.PAUSED, None)
    pass_time(context, noon(1, 5, 2027))
    assert charges(context) == [1000]
    resumed = pledging.resume_pledge(context, member_id)
    assert resumed == pledging.resume_pledge(context, member_id)
    assert (resumed.state, resumed.next_charge_on) == (PledgeState.ACTIVE, date(2027, 1, 20))


def test_a_canceled_pledge_is_not_charged_again(context: Context, member_id: str) -> None:
    """A cancellation is immediate, and nothing changes a canceled pledge."""
    canceled = cancel_pledge(context, member_id)

    assert canceled == cancel_pledge(context, member_id)
    assert canceled == refresh_pledge(context, member_id)
    pass_time(context, noon(6, 1, 2027))
    assert charges(context) == [1000]
    with pytest.raises(Conflict, match="canceled"):
        pledging.change_amount(context, member_id, 20)


def test_a_refusal_of_the_provider_changes_nothing(context: Context, member_id: str) -> None:
    """Without an answer from the provider, the pledge stays as it was."""
    before = find_pledge(context, member_id)
    with pytest.raises(Unavailable):
        pledging.change_amount(breaking(context, "change_amount"), member_id, 20)
    with pytest.raises(Unavailable):
        cancel_pledge(breaking(context, "cancel"), member_id)

    assert find_pledge(context, member_id) == before


def test_the_retry_takes_the_new_card(context: Context, member_id: str) -> None:
    """A failed charge makes the pledge past due; the next retry takes the new card."""
    replace_card(context, member_id, FAILS)
    pass_time(context, noon(12, 20))

    late = find_pledge(context, member_id)
    assert (late.state, late.past_due_since) == (PledgeState.PAST_DUE, noon(12, 20))
    replace_card(context, member_id, "pm_card_mastercard")
    assert charges(context) == [1000]
    pass_time(context, noon(12, 27))
    assert PledgeState.ACTIVE is find_pledge(context, member_id).state
    assert charges(context) == [1000, 1000]


def test_a_refused_card_replaces_nothing(context: Context, member_id: str) -> None:
    """The old card stays, and is charged."""
    with pytest.raises(CardDeclined):
        replace_card(context, member_id, "pm_card_chargeDeclined")

    pass_time(context, noon(12, 20))
    assert charges(context) == [1000, 1000]


def test_confirming_a_renewal_makes_the_charge(context: Context) -> None:
    """AuthenticationRequired asks at every renewal; confirming it makes the charge."""
    started = join(context, card=ASKS)
    sandbox = sandbox_of(context)
    sandbox.confirm(started.client_secret or "", succeed=True)
    pass_time(context, noon(12, 20))
    pledge = find_pledge(context, started.member.id)
    assert PledgeState.PAST_DUE is pledge.state

    sandbox.confirm(open_intent(sandbox, pledge.subscription_id or "") or "", succeed=True)

    assert PledgeState.ACTIVE is refresh_pledge(context, started.member.id).state
    assert charges(context) == [1000, 1000]


def test_a_pledge_past_due_for_thirty_days_ends(context: Context, member_id: str) -> None:
    """The pledge ends after thirty days, and the debt with it."""
    replace_card(context, member_id, FAILS)
    sandbox = sandbox_of(context)
    clock_of(context).set(noon(12, 20))
    charge_due(context, sandbox)
    assert cancel_overdue(context) == 0
    clock_of(context).advance(days=30)

    assert cancel_overdue(context) == 1
    assert PledgeState.CANCELED is find_pledge(context, member_id).state


def test_a_pledge_that_is_lost_at_the_provider_is_reported(
    context: Context, member_id: str
) -> None:
    """A pledge that cannot be read is reported, and the others are still refreshed."""
    pledge = find_pledge(context, member_id)
    sandbox_of(context).delete_customer(pledge.customer_id or "")
    join(context, "kofi@example.org")

    report = refresh_pledges(context)

    assert report.changed == 0
    assert len(report.failures) == 1
    assert pledge.id in report.failures[0]


def test_an_impossible_step_is_reported(context: Context, member_id: str) -> None:
    """A provider state that the pledge cannot reach is reported and not applied."""
    pledging.pause_pledge(context, member_id)
    pledge = find_pledge(context, member_id)
    sandbox = sandbox_of(context)
    doc = sandbox._state.get("subscription", pledge.subscription_id or "")
    assert doc is not None
    sandbox._state.put("subscription", pledge.subscription_id or "", {**doc, "setup_pending": True})

    assert "cannot become incomplete" in refresh_pledges(context).failures[0]
    with pytest.raises(IllegalTransition):
        refresh_pledge(context, member_id)


def test_a_stranger_has_no_pledge(context: Context) -> None:
    """The message names the unknown member."""
    for act in (cancel_pledge, refresh_pledge, pledging.require_pledge, pledging.skip_next):
        with pytest.raises(NotFound, match="nobody"):
            act(context, "nobody")
    with pytest.raises(NotFound):
        start_again(context, "nobody", payment_method="pm_card_visa")


def test_an_unconfirmed_pledge_cannot_be_changed(context: Context) -> None:
    """Before the first payment, Stripe allows changes to metadata only."""
    member_id = join(context, card=ASKS).member.id

    with pytest.raises(Conflict, match="not confirmed"):
        pledging.change_amount(context, member_id, 20)
    with pytest.raises(Conflict, match="starts a new one"):
        replace_card(context, member_id, "pm_card_visa")


def test_a_pledge_unknown_to_the_provider_stays(context: Context, member_id: str) -> None:
    """A pledge without a subscription or customer id is unchanged, and has no billing page."""
    started = find_pledge(context, member_id)
    unknown = replace(started, customer_id=None, subscription_id=None)
    with context.store.write() as work:
        key = work.members.find(member_id).key
        work.pledges.put(unknown, member_key=key, at=context.now())

    assert unknown == refresh_pledge(context, member_id)
    with pytest.raises(Conflict, match="has not confirmed your pledge yet"):
        pledging.billing_url(context, member_id)


def test_a_stopped_pledge_can_be_restarted(context: Context, member_id: str) -> None:
    """The same customer, a new pledge; amount and day are the old ones unless given."""
    old = cancel_pledge(context, member_id)

    again = start_again(context, member_id, payment_method="pm_card_visa")

    assert PaymentOutcome.PAID is again.outcome
    assert (old.dollars, old.billing_day) == (again.pledge.dollars, again.pledge.billing_day)
    assert old.customer_id == again.pledge.customer_id
    assert old.id != again.pledge.id
    assert charges(context) == [1000, 1000]
    with pytest.raises(Conflict, match="already active"):
        start_again(context, member_id, payment_method="pm_card_visa")


def test_a_member_without_a_pledge_starts_one(context: Context) -> None:
    """A member added at the terminal starts with the defaults or with given values."""
    ama = add_member(context, form())
    kofi = add_member(context, form("kofi@example.org"))

    first = start_again(context, ama.id, payment_method="pm_card_visa")
    second = start_again(context, kofi.id, payment_method="pm_card_visa", amount=15)

    assert (first.pledge.dollars, second.pledge.dollars) == (10, 15)
    collect_movements(context)
    with context.store.read() as work:
        assert [p.cents for p in work.payments.of_member(ama.key)] == [1000]


def test_a_bad_card_makes_no_customer(context: Context) -> None:
    """A first card that cannot be attached leaves the member without a pledge."""
    member = add_member(context, form())

    with pytest.raises(CardDeclined):
        start_again(context, member.id, payment_method="pm_card_chargeDeclined")

    with context.store.read() as work:
        assert work.pledges.get(member.id) is None


@pytest.mark.parametrize("card", ["pm_card_chargeDeclined", FAILS])
def test_a_restart_with_a_bad_card_changes_nothing(
    context: Context, member_id: str, card: str
) -> None:
    """The account stays, the pledge stays canceled, nothing runs at the provider."""
    pledge = cancel_pledge(context, member_id)

    with pytest.raises(CardDeclined):
        start_again(context, member_id, payment_method=card)

    assert PledgeState.CANCELED is find_pledge(context, member_id).state
    assert {
        facts.state for facts in context.gateway.subscriptions_of(pledge.customer_id or "")
    } == {PledgeState.CANCELED}


def test_another_card_completes_an_unfinished_registration(context: Context) -> None:
    """The unconfirmed attempt is ended first; then the registration is completed."""
    first = join(context, card=ASKS)

    again = start_again(context, first.member.id, payment_method="pm_card_visa")

    assert PaymentOutcome.PAID is again.outcome
    assert charges(context) == [1000]
    with context.store.read() as work:
        assert work.registrations.all() == []


def test_a_pledge_confirmed_meanwhile_is_kept(context: Context) -> None:
    """The provider is asked before another pledge is begun; another amount is refused."""
    first = join(context, card=ASKS)
    sandbox_of(context).confirm(first.client_secret or "", succeed=True)

    with pytest.raises(Conflict, match="already active"):
        start_again(context, first.member.id, payment_method="pm_card_visa", amount=99)
    assert charges(context) == [1000]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", ["start_subscription", "subscription"])
def test_a_restart_cut_off_is_not_charged_twice(
    context: Context, member_id: str, call: str, after: bool
) -> None:
    """The pledge is stored before the provider is called, and found by the retry."""
    cancel_pledge(context, member_id)
    with pytest.raises(Unavailable):
        start_again(breaking(context, call, after=after), member_id, payment_method="pm_card_visa")
    clock_of(context).advance(seconds=1)

    again = start_again(context, member_id, payment_method="pm_card_visa")

    assert again.outcome is PaymentOutcome.PAID
    assert PledgeState.ACTIVE is find_pledge(context, member_id).state
    assert charges(context) == [1000, 1000]


def test_a_restart_that_the_provider_refuses_is_canceled(context: Context, member_id: str) -> None:
    """A refusal by the provider leaves a canceled pledge, not a waiting one."""
    cancel_pledge(context, member_id)
    refused = breaking(context, "start_subscription", error=Conflict("no such price"))

    with pytest.raises(Conflict, match="no such price"):
        start_again(refused, member_id, payment_method="pm_card_visa")

    assert PledgeState.CANCELED is find_pledge(context, member_id).state


def test_a_pledge_without_a_subscription_waits(context: Context) -> None:
    """A restart that never reached the provider cannot be changed yet, but can be canceled."""
    member_id = join(context).member.id
    cancel_pledge(context, member_id)
    with pytest.raises(Unavailable):
        start_again(
            breaking(context, "start_subscription"), member_id, payment_method="pm_card_visa"
        )

    with pytest.raises(Conflict, match="provider has not confirmed"):
        pledging.require_pledge(context, member_id)
    assert PledgeState.INCOMPLETE is refresh_pledge(context, member_id).state
    assert PledgeState.CANCELED is cancel_pledge(context, member_id).state
