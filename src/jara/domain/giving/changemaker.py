"""The right to vote: which members are changemakers, from when, and how a failed charge ends it.

A changemaker has a pledge that is active, or past due for at most 14 days, and has paid lately.
A payment counts while at least the smallest pledge is left of it. One by card gives the vote for
its month and for one month that the member skips; another one for the months that it covers; both
for the days of grace after that. `jara.store.repositories.books.electors` stores the outcome, and
which payments count in SQL; ``tests/services/ballots/test_electorate.py`` compares both.

A failed charge is retried after 7, 14 and 21 days. The sandbox, the emails and the documents
share this schedule. After the last attempt the pledge ends, and the member owes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from jara.domain.dates import long_date
from jara.domain.errors import NotAChangemaker
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import Pledge, PledgeChange, PledgeState, counted_cents
from jara.domain.giving.standing import PledgePayment, covered_until
from jara.domain.texts import tr
from jara.domain.time_zone import TimeZone


class VoteWaits(StrEnum):
    """What a payer who may not vote yet waits for."""

    ADDRESS = "address"
    """An operator added the member, whose address is not confirmed."""
    PROOF = "proof"
    """Only the operator who booked it says that a payment was made."""


ADDRESS_HOLD = timedelta(days=14)
"""After an operator changed an address, its member waits in votes that open within this time."""

GRACE = timedelta(days=14)
"""A member keeps the vote for this long after a failed charge, or after the time paid for."""

CARD_PERIOD = timedelta(days=63)
"""A payment by card gives the vote for its month and for one that is skipped, or until a later
billing day: no two months have more than 62 days, and the next charge needs a day."""

RETRY_AFTER = (timedelta(days=7), timedelta(days=14), timedelta(days=21))
"""When a failed charge is retried, counted from the first attempt."""
STEPS = (timedelta(0), *RETRY_AFTER[:-1])
"""When the member gets an email; a final one reports the end of the pledge."""


@dataclass(frozen=True, slots=True)
class Changemakers:
    """The number of changemakers, and the sum of their monthly pledges in cents."""

    count: int
    monthly_cents: int


KEPT_DISPUTES = ("none", "won")
"""The states of a dispute in which its payment counts."""

VOTING_STATES = (PledgeState.ACTIVE, PledgeState.PAST_DUE)
"""The states of a pledge with which its member may vote."""


def payment_counts(*, cents: int, returned_cents: int, dispute: str) -> bool:
    """Return whether a payment is not fully refunded and has no open or lost dispute."""
    return returned_cents < cents and dispute in KEPT_DISPUTES


def card_pays_until(day: date, zone: TimeZone) -> datetime:
    """Return the last instant at which a payment by card of this day gives the vote."""
    return zone.start_of(day + CARD_PERIOD + GRACE)


def months_pay_until(covered: date, zone: TimeZone) -> datetime:
    """Return the last instant of the vote for months that end before a day."""
    return zone.start_of(covered + GRACE)


def paid_until(
    payments: Sequence[PledgePayment], changes: Sequence[PledgeChange], *, zone: TimeZone
) -> datetime | None:
    """Return until when payments give the vote; None if they do not.

    The payments are those under a pledge, with what is left of each; the changes of its amount are
    in order of time.
    """
    least = counted_cents(min((change.dollars for change in changes), default=None))
    cards = [one for one in payments if one.way is PaymentWay.CARD]
    ends = [card_pays_until(one.day, zone) for one in cards if one.left_cents >= least]
    covered = covered_until(payments, changes, zone) if len(cards) < len(payments) else None
    if covered is not None:
        ends.append(months_pay_until(covered, zone))
    return max(ends, default=None)


def votes_until(
    state: PledgeState, *, past_due_since: datetime | None, paid_until: datetime | None
) -> datetime | None:
    """Return the last instant at which a member may vote; None without the right.

    A charge is past due since `past_due_since`. The payments give the vote until `paid_until`; it
    is None without one that counts.
    """
    if paid_until is None or state not in VOTING_STATES:
        return None
    if state is PledgeState.PAST_DUE:
        return None if past_due_since is None else min(paid_until, past_due_since + GRACE)
    return paid_until


def is_changemaker(pledge: Pledge | None, paid_until: datetime | None, *, now: datetime) -> bool:
    """Return whether a member may vote, whose payments give the vote until `paid_until`."""
    if pledge is None:
        return False
    until = votes_until(pledge.state, past_due_since=pledge.past_due_since, paid_until=paid_until)
    return until is not None and now <= until


def may_vote_until(
    pledge: Pledge | None, paid_until: datetime | None, *, now: datetime, zone: TimeZone
) -> date | None:
    """Return the last whole day of the right to vote if nothing more is paid; None without it.

    The right ends in the course of the next day. The payments give the vote until `paid_until`.
    """
    if pledge is None or not is_changemaker(pledge, paid_until, now=now):
        return None
    until = votes_until(pledge.state, past_due_since=pledge.past_due_since, paid_until=paid_until)
    return None if until is None else zone.day_of(until) - timedelta(days=1)


def may_vote_from(
    pledge: Pledge | None,
    first_paid_on: date | None,
    *,
    now: datetime,
    zone: TimeZone,
    paid_until: datetime | None = None,
    waits_for: VoteWaits | None = None,
) -> date | None:
    """Return the day on which the right to vote started or will start.

    None if no day is known: without a pledge, after its cancellation, in an open-ended pause, while
    a failed charge waits for another card, or while the vote waits for somebody. The first payment
    that counts was on `first_paid_on`; the payments give the vote until `paid_until`.
    """
    if waits_for is not None:
        return None
    if pledge is None or pledge.state in {PledgeState.CANCELED, PledgeState.PAST_DUE}:
        allowed = is_changemaker(pledge, paid_until, now=now)
        return first_paid_on if allowed else None
    if is_changemaker(pledge, paid_until, now=now):
        return first_paid_on
    if pledge.state is PledgeState.PAUSED and paid_until is not None:
        resumes_on = pledge.resumes_on
        if resumes_on is None or zone.start_of(resumes_on) <= paid_until:
            return resumes_on
    return None if pledge.next_charge_on is None else max(pledge.next_charge_on, zone.day_of(now))


def require_changemaker(
    pledge: Pledge | None,
    first_paid_on: date | None,
    *,
    now: datetime,
    zone: TimeZone,
    paid_until: datetime | None = None,
    waits_for: VoteWaits | None = None,
) -> None:
    """Reject a member who may not vote; the message says when or how they may.

    Raises:
        NotAChangemaker: the member may not vote now.
    """
    if not is_changemaker(pledge, paid_until, now=now):
        begins_on = may_vote_from(
            pledge, first_paid_on, now=now, zone=zone, paid_until=paid_until, waits_for=waits_for
        )
        is_paid = paid_until is not None and now <= paid_until
        raise NotAChangemaker(_refusal(pledge, begins_on, waits_for, is_paid=is_paid))


def _refusal(
    pledge: Pledge | None, begins_on: date | None, waits_for: VoteWaits | None, *, is_paid: bool
) -> str:
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
        way = tr(pledge.way.phrase)
        return tr("Your right to vote begins with your next payment by {way}.", way=way)
    if pledge.state is PledgeState.INCOMPLETE:
        card = "Your card is not confirmed yet; once it is, your right to vote begins"
        return tr(f"{card} on {{day}}.", day=long_date(begins_on)) if begins_on else f"{card}."
    if begins_on is not None:
        day = long_date(begins_on)
        return tr("Only changemakers vote; your right to vote begins on {day}.", day=day)
    if pledge.state is PledgeState.PAUSED:
        return (
            "Your pledge is paused; your right to vote begins again when you resume it."
            if is_paid
            else "Your pledge is paused; your right to vote begins again with your next payment."
        )
    return "Your right to vote begins with your next payment; please check your card."


def due_cents(pledge: Pledge | None) -> int | None:
    """Return what a card charge that failed takes; None if none is open."""
    is_open = pledge and pledge.past_due_since and pledge.way is PaymentWay.CARD
    return pledge.open_cents if pledge and is_open else None


def retries_on(pledge: Pledge | None, *, now: datetime, zone: TimeZone) -> tuple[date, ...]:
    """Return the days on which a failed card charge is tried again; none if none will be."""
    if pledge is None or pledge.past_due_since is None or pledge.way is not PaymentWay.CARD:
        return ()
    step = step_at(now - pledge.past_due_since)
    return () if step is None else attempts_after(zone.day_of(pledge.past_due_since), step)


def step_at(passed: timedelta) -> timedelta | None:
    """Return the latest step after a failed charge; None after the last attempt."""
    if passed >= RETRY_AFTER[-1]:
        return None
    return max(step for step in STEPS if step <= max(passed, timedelta(0)))


def attempts_after(failed_on: date, step: timedelta) -> tuple[date, ...]:
    """Return the days of the remaining attempts after a step; there is at least one."""
    return tuple(failed_on + after for after in RETRY_AFTER if after > step)
