"""A failed charge is paid by hand: once, with the stored card, and booked like any other."""

from datetime import UTC, datetime

import pytest

from jara.domain.errors import CardDeclined, Conflict, TooManyRequests, Unavailable
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving.pledge_changes import pay_failed_charge
from jara.services.giving.pledging import (
    cancel_pledge,
    change_amount,
    change_day,
    find_pledge,
    replace_card,
)
from jara.services.members.documents import read_profile
from jara.services.members.profiles import require_member
from jara.services.notices.outbox import list_outbox
from jara.services.payments.importing import collect_movements
from jara.services.ports.payments import Attempt, PaymentOutcome
from jara.services.rate_limits import Allowance, Limit, Limits
from tests.sent_emails import values_of
from tests.services.giving import joiners
from tests.services.giving.joiners import charges, pass_time
from tests.services.members.codes_world import LIMITS

FAILED = datetime(2026, 12, 20, 12, tzinfo=UTC)


def pay(
    context: Context, member_id: str, *, key: str | None = None, limits: Limits = LIMITS
) -> Attempt | None:
    """Press "pay now"."""
    with context.store.read() as work:
        member = require_member(work, member_id)
    return pay_failed_charge(context, limits, member, address="192.0.2.1", key=key)


@pytest.fixture
def late_id(context: Context, member_id: str) -> str:
    """A member whose second charge failed; the card pays again."""
    replace_card(context, member_id, joiners.FAILS)
    pass_time(context, FAILED)
    assert find_pledge(context, member_id).state is PledgeState.PAST_DUE
    replace_card(context, member_id, "pm_card_visa")
    return member_id


def booked(context: Context) -> list[int]:
    """Book what the provider moved, as the webhook and the daily run do; return the payments."""
    collect_movements(context)
    with context.store.read() as work:
        return [
            one.cents
            for member in work.members.all()
            for one in work.payments.of_member(member.key)
        ]


def test_a_failed_charge_is_paid_once(context: Context, late_id: str) -> None:
    """The pledge is active at once; a second press and the retries take nothing."""
    attempt = pay(context, late_id)

    assert attempt is not None
    assert attempt.outcome is PaymentOutcome.PAID
    assert find_pledge(context, late_id).state is PledgeState.ACTIVE
    assert pay(context, late_id) is None
    assert booked(context) == booked(context) == [1000, 1000]
    pass_time(context, datetime(2027, 1, 12, tzinfo=UTC))
    assert charges(context) == [1000, 1000]
    assert booked(context) == [1000, 1000]


def test_the_same_key_has_the_same_answer(context: Context, late_id: str) -> None:
    """A request that is repeated because its answer was lost charges nothing more."""
    first = pay(context, late_id, key="lost-answer")

    assert pay(context, late_id, key="lost-answer") == first
    assert charges(context) == [1000, 1000]


def test_an_answer_that_is_lost_at_the_provider(context: Context, late_id: str) -> None:
    """The charge was made; trying again with the same or with another key makes none."""
    with pytest.raises(Unavailable):
        pay(joiners.breaking(context, "pay_due", after=True), late_id, key="cut-short-1")

    again = pay(context, late_id, key="cut-short-1")

    assert again is not None
    assert again.outcome is PaymentOutcome.PAID
    assert pay(context, late_id, key="cut-short-2") is None
    assert find_pledge(context, late_id).state is PledgeState.ACTIVE
    assert booked(context) == [1000, 1000]


@pytest.mark.parametrize("by_hand", [True, False])
def test_another_amount_leaves_the_open_charge(
    context: Context, late_id: str, *, by_hand: bool
) -> None:
    """Emails, profile, charge and books name the amount that failed; the next month the new one."""
    change_amount(context, late_id, 25)

    pledge = find_pledge(context, late_id)
    assert (pledge.dollars, pledge.due_cents) == (25, 1000)
    with context.store.read() as work:
        profile = read_profile(context, work, require_member(work, late_id))
    assert (profile.subscription_amount, profile.due_cents) == (25, 1000)
    emails = {email.kind: values_of(context, email) for email in list_outbox(context)}
    assert emails["charge_failed"]["amountCents"] == 1000
    assert emails["amount_changed"]["dueCents"] == 1000
    if by_hand:
        pay(context, late_id)
    pass_time(context, datetime(2026, 12, 27, 13, tzinfo=UTC))
    assert find_pledge(context, late_id).due_cents is None
    assert booked(context) == [1000, 1000]
    pass_time(context, datetime(2027, 1, 20, 13, tzinfo=UTC))
    assert booked(context) == [1000, 1000, 2500]


def test_the_day_waits_for_the_open_charge(context: Context, late_id: str) -> None:
    """At Stripe another day would end the retries; the member pays first."""
    with pytest.raises(Conflict, match="pay it first"):
        change_day(context, late_id, "28")
    pay(context, late_id)

    assert change_day(context, late_id, "28").billing_day is BillingDay.TWENTY_EIGHTH


def test_a_charge_paid_by_a_retry_is_not_paid_again(context: Context, late_id: str) -> None:
    """A page that was opened before the retry shows the button still."""
    joiners.sandbox_of(context).run_until(datetime(2026, 12, 27, 13, tzinfo=UTC))

    assert pay(context, late_id) is None
    assert find_pledge(context, late_id).state is PledgeState.ACTIVE
    assert booked(context) == [1000, 1000]


def test_a_second_refusal_leaves_the_pledge_as_it_is(context: Context, late_id: str) -> None:
    """The reason is the bank's; the pledge and its retries stay as they are."""
    replace_card(context, late_id, joiners.FAILS)
    before = find_pledge(context, late_id)

    with pytest.raises(CardDeclined, match="Your card was declined"):
        pay(context, late_id, key="refused-once")

    assert find_pledge(context, late_id) == before
    replace_card(context, late_id, "pm_card_visa")
    pass_time(context, datetime(2026, 12, 27, 13, tzinfo=UTC))
    assert find_pledge(context, late_id).state is PledgeState.ACTIVE
    assert charges(context) == [1000, 1000]


def test_refused_cards_are_limited(context: Context, late_id: str) -> None:
    """A press that pays does not count; refused ones do."""
    limits = {**LIMITS, Limit.DECLINED_EMAIL: Allowance(2, 3600)}
    replace_card(context, late_id, joiners.FAILS)
    for _ in range(2):
        with pytest.raises(CardDeclined):
            pay(context, late_id, limits=limits)

    with pytest.raises(TooManyRequests):
        pay(context, late_id, limits=limits)


def test_the_bank_s_question_is_answered_on_the_page(context: Context, late_id: str) -> None:
    """The bank's question is answered on the page; refusing it leaves the charge open."""
    replace_card(context, late_id, joiners.ASKS)
    sandbox = joiners.sandbox_of(context)
    asked = pay(context, late_id, key="bank-asks")
    assert asked is not None
    assert asked.outcome is PaymentOutcome.REQUIRES_ACTION
    assert charges(context) == [1000]
    assert pay(context, late_id, key="bank-asks") == asked
    sandbox.confirm(asked.client_secret or "", succeed=False)

    again = pay(context, late_id)
    assert again is not None
    assert again.client_secret != asked.client_secret
    sandbox.confirm(again.client_secret or "", succeed=True)

    assert pay(context, late_id) is None
    assert find_pledge(context, late_id).state is PledgeState.ACTIVE
    assert booked(context) == [1000, 1000]


def test_only_a_failed_charge_can_be_paid(context: Context, member_id: str) -> None:
    """An active pledge owes nothing, and neither does one that has ended."""
    assert pay(context, member_id) is None
    unpaid = joiners.join(context, "kofi@example.org", card=joiners.ASKS).member.id
    with pytest.raises(Conflict, match="nothing was taken"):
        pay(context, unpaid)
    replace_card(context, member_id, joiners.FAILS)
    pass_time(context, FAILED)
    cancel_pledge(context, member_id)

    with pytest.raises(Conflict, match="nothing was taken"):
        pay(context, member_id)

    assert charges(context) == [1000]
