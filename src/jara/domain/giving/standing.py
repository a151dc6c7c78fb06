"""The standing of a pledge that is paid without a card.

A payment covers the months that it was made for, at the amount of its day. A month stands while at
least the smallest pledge of it is left; a refund takes from the last month first. Charges of an
earlier pledge by card cover a month each.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import accumulate
from typing import NamedTuple

from jara.domain.giving.payment_way import PaymentWay, end_of_months
from jara.domain.giving.pledge import (
    Pledge,
    PledgeChange,
    PledgeState,
    counted_cents,
    move_pledge,
    steps_to,
)
from jara.domain.time_zone import TimeZone


class PledgePayment(NamedTuple):
    """A payment under a pledge."""

    member_key: str  # who paid
    day: date
    way: PaymentWay
    cents: int
    left_cents: int  # what is left of it; 0 while a dispute is open or lost
    booked_at: datetime
    returned_on: date | None = None  # the day of its last refund or dispute, if any
    card_fingerprint: str | None = None  # the card or account that paid, if it is known


def amount_paid(payment: PledgePayment, changes: Sequence[PledgeChange], zone: TimeZone) -> int:
    """Return the dollars a month that a payment is for: the amount that held on its day.

    If the amount changed on that day, it is the one at the booking, or for a payment that is booked
    later, the last one that it pays. If no pledge ran on that day, it is the amount at the booking,
    else of the next pledge. `changes` are those of the payer's pledges, at least one, in the order
    in which they were stored.
    """
    # A pledge that becomes past due is dated back, with the amount of when that was noticed.
    known_at = accumulate((change.at for change in changes), max)
    changes = [one._replace(at=at) for one, at in zip(changes, known_at, strict=True)]
    until_booking = [change for change in changes if change.at <= payment.booked_at]
    until_day = [change for change in until_booking if change.at < zone.end_of(payment.day)]
    for known in (until_day, until_booking, changes):
        held = _amounts_since(known, zone.start_of(payment.day))
        if held:
            is_exact = payment.booked_at < zone.end_of(payment.day)
            paying = [] if is_exact else [one for one in held if one * 100 <= payment.cents]
            return (paying or held)[-1]
    return changes[-1].dollars


def months_paid(payment: PledgePayment, changes: Sequence[PledgeChange], zone: TimeZone) -> int:
    """Return how many months a payment covers, with its refunds; `changes` are in order of time."""
    if not changes:
        return 0
    amount = 100 * amount_paid(payment, changes, zone)
    paid = 1 if payment.way is PaymentWay.CARD else payment.cents // amount
    least = counted_cents(min(change.dollars for change in changes))
    return max(0, min(paid, (payment.left_cents - least) // amount + 1))


def loses_months(
    payment: PledgePayment, cents: int, changes: Sequence[PledgeChange], zone: TimeZone
) -> bool:
    """Return whether a payment covers fewer months once so much of it went back."""
    after = payment._replace(left_cents=payment.left_cents - cents)
    return months_paid(after, changes, zone) < months_paid(payment, changes, zone)


def covered_until(
    payments: Iterable[PledgePayment], changes: Sequence[PledgeChange], zone: TimeZone
) -> date | None:
    """Return the first day that payments do not cover; None if they cover no month.

    Each covers its months from its day, or from the end of the months already covered, whichever is
    later. The payments of the payer are in any order, the changes of the pledges in order of time.
    """
    return end_of_months((one.day, months_paid(one, changes, zone)) for one in payments)


def due_on(
    payments: Sequence[PledgePayment],
    changes: Sequence[PledgeChange],
    *,
    begins: date,
    zone: TimeZone,
) -> date | None:
    """Return the first day since which a pledge is not paid; None if it was never paid.

    A refund makes a pledge due on the day of the refund, if it was paid until then. Of several
    refunds of one payment the last day counts, so that each leaves its time to pay again. Months
    that ended before the pledge began do not count for it. The payments of the payer are in any
    order, the changes of the pledges in order of time.
    """
    returns = {one.returned_on for one in payments if one.returned_on is not None}
    ends = [
        (covered_until(_before_returns(payments, day), changes, zone), day)
        for day in (*(day for day in returns if day >= begins), date.max)
    ]
    due = [min(end, day) for end, day in ends if end is not None and end > begins]
    return max(due, default=None)


def stand(
    pledge: Pledge,
    payments: Sequence[PledgePayment],
    changes: Sequence[PledgeChange],
    *,
    now: datetime,
    zone: TimeZone,
) -> Pledge:
    """Return a pledge that is not paid by card with the state that follows from its payments.

    It is active while payments cover the day, and past due from the first instant that they do not
    cover. Before its first payment it is incomplete, also when that payment turns out to be a
    mistake. A canceled pledge never restarts. `payments` are all that its member made under
    pledges, without those booked by mistake; `changes` are those of the member's pledges, in order
    of time.
    """
    if pledge.state is PledgeState.CANCELED:
        return pledge
    due = due_on(payments, changes, begins=zone.day_of(pledge.started_at), zone=zone)
    if due is None:
        waiting = PledgeState.INCOMPLETE
        return replace(pledge, state=waiting, past_due_since=None, next_charge_on=None)
    until = zone.start_of(due)
    state = PledgeState.ACTIVE if now < until else PledgeState.PAST_DUE
    for step in steps_to(pledge.state, state):
        pledge = move_pledge(pledge, step, at=until)
    since = until if state is PledgeState.PAST_DUE else None
    return replace(pledge, past_due_since=since, next_charge_on=due)


def _before_returns(payments: Iterable[PledgePayment], day: date) -> Iterable[PledgePayment]:
    """Yield payments as they were before what was returned on a day and later."""
    for one in payments:
        is_whole = one.returned_on is not None and one.returned_on >= day
        yield one._replace(left_cents=one.cents) if is_whole else one


def _amounts_since(changes: Iterable[PledgeChange], start: datetime) -> list[int]:
    """Return the amounts of the pledge that runs after some changes: at a time and later."""
    amounts: list[int] = []
    for change in changes:
        if change.at < start or change.state is PledgeState.CANCELED:
            amounts.clear()
        if change.state is not PledgeState.CANCELED:
            amounts.append(change.dollars)
    return amounts
