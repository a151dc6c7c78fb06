"""The right to vote: which members are changemakers, from when, and how a failed charge ends it.

A changemaker has a pledge that is active, or past due for at most 14 days, and has made a
pledge payment that still counts. `jara.store.repositories.books.electors` holds the same rule in
SQL; ``tests/services/ballots/test_changemakers_agree.py`` keeps the two equal.

A failed charge is retried after 7, 14 and 21 days. The sandbox, the emails and the documents
share this schedule. After the last attempt the pledge ends, and the member owes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from jara.domain.errors import NotAChangemaker
from jara.domain.giving.billing_day import spell_day
from jara.domain.giving.payment_way import PaymentProof, PaymentWay
from jara.domain.giving.pledge import Pledge, PledgeState


class VoteWaits(StrEnum):
    """What a payer who may not vote yet waits for."""

    ADDRESS = "address"
    """An operator added the member, whose address is not confirmed."""
    PROOF = "proof"
    """Only the operator who booked it says that a payment was made."""


GRACE = timedelta(days=14)
"""A member keeps the vote for this long after a failed charge."""

RETRY_AFTER = (timedelta(days=7), timedelta(days=14), timedelta(days=21))
"""When a failed charge is retried, counted from the first attempt."""
STEPS = (timedelta(0), *RETRY_AFTER[:-1])
"""When the member gets an email; a final one reports the end of the pledge."""


@dataclass(frozen=True, slots=True)
class Changemakers:
    """The number of changemakers, and the sum of their monthly pledges in cents."""

    count: int
    monthly_cents: int


def payment_counts(*, cents: int, returned_cents: int, dispute: str) -> bool:
    """Return whether a payment is not fully refunded and has no open or lost dispute."""
    return returned_cents < cents and dispute in {"none", "won"}


def payment_gives_vote(*, kind: str, is_kept: bool, proof: PaymentProof) -> bool:
    """Return whether a payment gives its payer the right to vote."""
    return kind == "pledge" and is_kept and proof is not PaymentProof.NONE


def pledge_gives_vote(
    state: PledgeState, *, past_due_since: datetime | None, now: datetime
) -> bool:
    """Return whether a pledge in this state lets a paying member vote."""
    if state is PledgeState.PAST_DUE:
        return past_due_since is not None and now - past_due_since <= GRACE
    return state is PledgeState.ACTIVE


def is_changemaker(pledge: Pledge | None, first_paid_on: date | None, *, now: datetime) -> bool:
    """Return whether a member may vote.

    Args:
        pledge: the member's pledge.
        first_paid_on: the day of the first pledge payment that counts, if there is one.
        now: the current time.
    """
    if pledge is None or first_paid_on is None:
        return False
    return pledge_gives_vote(pledge.state, past_due_since=pledge.past_due_since, now=now)


def may_vote_from(
    pledge: Pledge | None,
    first_paid_on: date | None,
    *,
    now: datetime,
    waits_for: VoteWaits | None = None,
) -> date | None:
    """Return the day on which the right to vote started or will start.

    None if no day is known: without a pledge, after its cancellation, in an open-ended
    pause, while a failed charge waits for another card, or while the vote waits for somebody.
    """
    if waits_for is not None:
        return None
    if pledge is None or pledge.state is PledgeState.CANCELED:
        return None
    if first_paid_on is not None:
        allowed = is_changemaker(pledge, first_paid_on, now=now)
        return first_paid_on if allowed else pledge.resumes_on
    if pledge.state is PledgeState.PAST_DUE or pledge.next_charge_on is None:
        return None
    return max(pledge.next_charge_on, now.date())


def require_changemaker(
    pledge: Pledge | None,
    first_paid_on: date | None,
    *,
    now: datetime,
    waits_for: VoteWaits | None = None,
) -> None:
    """Reject a member who may not vote; the message says when or how they may.

    Raises:
        NotAChangemaker: the member may not vote now.
    """
    if not is_changemaker(pledge, first_paid_on, now=now):
        begins_on = may_vote_from(pledge, first_paid_on, now=now, waits_for=waits_for)
        raise NotAChangemaker(_refusal(pledge, begins_on, waits_for))


def _refusal(pledge: Pledge | None, begins_on: date | None, waits_for: VoteWaits | None) -> str:
    if pledge is None or pledge.state is PledgeState.CANCELED:
        return "Only changemakers vote; start a monthly pledge to become one."
    if waits_for is VoteWaits.ADDRESS:
        return "Your right to vote begins when you confirm your email address, by the emailed link."
    if waits_for is VoteWaits.PROOF:
        return (
            "Your payment is booked; your right to vote begins when a second operator confirms "
            "it, or the bank's statement shows it."
        )
    if pledge.way is not PaymentWay.CARD:
        return f"Your right to vote begins with your next payment by {pledge.way.phrase}."
    if pledge.state is PledgeState.INCOMPLETE:
        begins = f" on {spell_day(begins_on)}" if begins_on else ""
        return f"Your card is not confirmed yet; once it is, your right to vote begins{begins}."
    if begins_on is not None:
        return f"Only changemakers vote; your right to vote begins on {spell_day(begins_on)}."
    if pledge.state is PledgeState.PAUSED:
        return "Your pledge is paused; your right to vote begins again when you resume it."
    return "Your right to vote begins with your next payment; please check your card."


def step_at(passed: timedelta) -> timedelta | None:
    """Return the latest step after a failed charge; None after the last attempt."""
    if passed >= RETRY_AFTER[-1]:
        return None
    return max(step for step in STEPS if step <= max(passed, timedelta(0)))


def attempts_after(failed_on: date, step: timedelta) -> tuple[date, ...]:
    """Return the days of the remaining attempts after a step; there is at least one."""
    return tuple(failed_on + after for after in RETRY_AFTER if after > step)


def vote_rests_on(failed_on: date, step: timedelta) -> date | None:
    """Return the day until which the member can vote; None if it has passed."""
    return failed_on + GRACE if step < GRACE else None
