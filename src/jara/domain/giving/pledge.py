"""Pledges: amounts, states, transitions, and history."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import Conflict, IllegalTransition, InvalidInput
from jara.domain.giving.billing_day import BillingDay, charge_after, charge_dates, first_charge_on
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.money import format_dollars
from jara.domain.texts import tr
from jara.domain.time_zone import TimeZone

PLEDGE_DOLLARS_MIN = 5
PLEDGE_DOLLARS_MAX = 999
PLEDGE_DOLLARS_DEFAULT = 10
QUICK_DOLLARS = (PLEDGE_DOLLARS_MIN, PLEDGE_DOLLARS_DEFAULT, 20)
"""The limits, the default and the quick amounts of the form (spec §9)."""
PLEDGE_LIMITS = f"{PLEDGE_DOLLARS_MIN} to {PLEDGE_DOLLARS_MAX}"

_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)

DAY_WAITS = "The last charge did not go through; pay it first, then change the payment day."
"""At Stripe, another day would leave the charge open and end the days of its retries."""


class PledgeState(StrEnum):
    """The state of a pledge."""

    INCOMPLETE = "incomplete"
    ACTIVE = "active"
    PAST_DUE = "past_due"
    PAUSED = "paused"
    CANCELED = "canceled"


TRANSITIONS: dict[PledgeState, frozenset[PledgeState]] = {
    PledgeState.INCOMPLETE: frozenset({PledgeState.ACTIVE, PledgeState.CANCELED}),
    PledgeState.ACTIVE: frozenset({PledgeState.PAST_DUE, PledgeState.PAUSED, PledgeState.CANCELED}),
    PledgeState.PAST_DUE: frozenset({PledgeState.ACTIVE, PledgeState.CANCELED}),
    PledgeState.PAUSED: frozenset({PledgeState.ACTIVE, PledgeState.CANCELED}),
    PledgeState.CANCELED: frozenset(),
}
"""The allowed transitions, without those to the same state."""


RUNNING = frozenset({PledgeState.ACTIVE, PledgeState.PAST_DUE, PledgeState.PAUSED})
"""The states between the confirmation of the card and the end of the pledge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pledge:
    """A member's monthly pledge and its next charge."""

    id: str  # its id, also used at the payment provider
    member_id: str
    dollars: int  # whole dollars a month; the limits of new amounts may have changed since
    billing_day: BillingDay  # the member's choice
    state: PledgeState
    started_at: datetime  # UTC instant of joining
    anchor_on: date  # the first charge, which sets the day of the month
    next_charge_on: date | None = None  # the day of the next charge; None when unknown
    skips_on: date | None = None
    resumes_on: date | None = None  # the day on which a pause ends automatically
    past_due_since: datetime | None = None  # UTC instant since which a charge is past due
    due_cents: int | None = None  # what the provider takes for that charge, if it has said so
    customer_id: str | None = None
    subscription_id: str | None = None
    card_expires_on: date | None = None  # the last day on which the card is valid, if known
    card_fingerprint: str | None = None
    """The provider's fingerprint of the card, the same in every account; for a bank account, a
    keyed hash."""
    way: PaymentWay = PaymentWay.CARD
    reference: str | None = None  # the reference that payments use, if it is not paid by card

    def __post_init__(self) -> None:
        if self.dollars <= 0:
            raise InvalidInput(f"Pledge {self.id} is {self.dollars} a month; it must be positive.")
        if (self.state is PledgeState.PAST_DUE) != (self.past_due_since is not None):
            raise InvalidInput(
                f"Pledge {self.id} is {self.state}; exactly a past_due pledge has past_due_since."
            )

    @property
    def is_by_card(self) -> bool:
        """Whether it is charged to a card, or begins to be."""
        return self.way is PaymentWay.CARD and self.state is not PledgeState.CANCELED

    @property
    def open_cents(self) -> int:
        """What the next attempt takes: a charge that failed keeps its amount."""
        return self.dollars * 100 if self.due_cents is None else self.due_cents


def parse_pledge(value: object) -> int:
    """Parse a monthly amount in whole dollars, from text or a number.

    Raises:
        InvalidInput: it is not a whole number of dollars within the limits.
    """
    dollars = _read_whole(value)
    if dollars is None:
        shown = str(value)[:20]
        raise InvalidInput(
            "'{text}' is not a whole amount; pledge from {least} to {most} a month.",
            text=shown,
            least=format_dollars(PLEDGE_DOLLARS_MIN * 100),
            most=format_dollars(PLEDGE_DOLLARS_MAX * 100),
        )
    if dollars < PLEDGE_DOLLARS_MIN:
        raise InvalidInput(
            "{amount} a month is too little; the smallest pledge is {least}.",
            amount=format_dollars(dollars * 100),
            least=format_dollars(PLEDGE_DOLLARS_MIN * 100),
        )
    if dollars > PLEDGE_DOLLARS_MAX:
        raise InvalidInput(
            "{amount} a month is too much; the largest pledge is {most}.",
            amount=format_dollars(dollars * 100),
            most=format_dollars(PLEDGE_DOLLARS_MAX * 100),
        )
    return dollars


def counted_cents(least_dollars: int | None) -> int:
    """Return how much of a payment must be left, so that it gives the vote.

    That is the smallest pledge. Members who pledged less under an earlier minimum keep the vote
    with the smallest amount that they ever pledged.
    """
    least = PLEDGE_DOLLARS_MIN if least_dollars is None else least_dollars
    return min(PLEDGE_DOLLARS_MIN, least) * 100


def start_pledge(
    *,
    pledge_id: str,
    member_id: str,
    dollars: int,
    billing_day: BillingDay,
    now: datetime,
    zone: TimeZone,
) -> Pledge:
    """Return a new pledge with an unconfirmed card."""
    anchor = first_charge_on(billing_day, zone.day_of(now))
    return Pledge(
        id=pledge_id,
        member_id=member_id,
        dollars=dollars,
        billing_day=billing_day,
        state=PledgeState.INCOMPLETE,
        anchor_on=anchor,
        started_at=now,
        next_charge_on=anchor,
    )


def move_pledge(pledge: Pledge, state: PledgeState, *, at: datetime) -> Pledge:
    """Move a pledge to a state; repeating a move changes nothing, since webhooks repeat.

    Raises:
        IllegalTransition: the transition is not allowed.
    """
    if state is pledge.state:
        return pledge
    if state not in TRANSITIONS[pledge.state]:
        raise _illegal(pledge.state, state)
    canceled = state is PledgeState.CANCELED
    return replace(
        pledge,
        state=state,
        past_due_since=at if state is PledgeState.PAST_DUE else None,
        due_cents=None,
        next_charge_on=None if canceled else pledge.next_charge_on,
        skips_on=None if canceled else pledge.skips_on,
        resumes_on=None if state is not PledgeState.PAUSED else pledge.resumes_on,
    )


def charges_ahead(pledge: Pledge, *, today: date) -> Iterator[date]:
    """Yield the days on which a pledge will be charged from today, without end.

    Yield nothing if it is unconfirmed, canceled, or paused without an end. Skipped charges and
    retries of a failed charge are left out.
    """
    is_open_ended = pledge.state is PledgeState.PAUSED and pledge.next_charge_on is None
    if pledge.state in RUNNING and not is_open_ended:
        yield from charge_dates(pledge.anchor_on, max(today, pledge.next_charge_on or today))


def steps_to(state: PledgeState, seen: PledgeState) -> tuple[PledgeState, ...]:
    """Return the transitions from the stored state to the state at the provider.

    Events can be lost: a pledge that was paused and is now past due was active in
    between. Empty if both states are equal.

    Raises:
        IllegalTransition: no transitions lead there, such as from ``canceled``.
    """
    if seen is state:
        return ()
    if seen in TRANSITIONS[state]:
        return (seen,)
    if PledgeState.ACTIVE in TRANSITIONS[state] and seen in TRANSITIONS[PledgeState.ACTIVE]:
        return (PledgeState.ACTIVE, seen)
    raise _illegal(state, seen)


def _illegal(state: PledgeState, other: PledgeState) -> IllegalTransition:
    template = "A pledge that is {state} cannot become {other}."
    return IllegalTransition(template, state=tr(state), other=tr(other))


def change_amount(pledge: Pledge, value: object) -> Pledge:
    """Change the amount, starting with the next charge; one that failed keeps its own.

    Raises:
        InvalidInput: it is not a whole number of dollars within the limits.
        Conflict: the pledge is canceled, or its first payment is not confirmed yet.
    """
    dollars = parse_pledge(value)
    _require_running(pledge, "change the amount")
    return replace(pledge, dollars=dollars)


def change_day(pledge: Pledge, choice: BillingDay, *, charge_on: date) -> Pledge:
    """Move to another billing day; its first charge is the new anchor.

    Raises:
        Conflict: the pledge is canceled, its first payment is not confirmed yet, or a charge
            failed.
    """
    _require_running(pledge, "change the payment day")
    if pledge.state is PledgeState.PAST_DUE:
        raise Conflict(DAY_WAITS)
    return replace(
        pledge, billing_day=choice, anchor_on=charge_on, next_charge_on=charge_on, skips_on=None
    )


def skip_next(pledge: Pledge, *, today: date) -> Pledge:
    """Skip the next charge; the pledge stays active, so the member keeps the vote.

    Asking again before that day changes nothing.

    Raises:
        Conflict: the pledge is not active, or no next charge is known.
    """
    if pledge.state is not PledgeState.ACTIVE or pledge.next_charge_on is None:
        raise Conflict(
            "The pledge is {state}; only an active pledge can skip a month.", state=tr(pledge.state)
        )
    if pledge.skips_on is not None and pledge.skips_on >= today:
        return pledge
    skipped = pledge.next_charge_on
    return replace(pledge, skips_on=skipped, next_charge_on=charge_after(pledge.anchor_on, skipped))


def keep_next(pledge: Pledge, *, today: date) -> Pledge:
    """Undo a skip.

    Raises:
        Conflict: the skipped day has passed.
    """
    if pledge.skips_on is None:
        return pledge
    if pledge.skips_on < today:
        raise Conflict(
            "The charge of {day} was skipped, and that day has passed.", day=str(pledge.skips_on)
        )
    return replace(pledge, skips_on=None, next_charge_on=pledge.skips_on)


def pause_pledge(pledge: Pledge, *, at: datetime) -> Pledge:
    """Stop charging until the member resumes.

    Raises:
        IllegalTransition: the pledge is neither active nor paused.
    """
    paused = move_pledge(pledge, PledgeState.PAUSED, at=at)
    return replace(paused, resumes_on=None, skips_on=None, next_charge_on=None)


def resume_pledge(pledge: Pledge, *, at: datetime, zone: TimeZone) -> Pledge:
    """End a pause; charges continue on the same day of the month.

    Raises:
        IllegalTransition: the pledge is neither paused nor active.
    """
    if pledge.state is PledgeState.ACTIVE:
        return pledge
    if pledge.state is not PledgeState.PAUSED:
        raise IllegalTransition(
            "A pledge that is {state} cannot be resumed.", state=tr(pledge.state)
        )
    resumed = move_pledge(pledge, PledgeState.ACTIVE, at=at)
    return replace(resumed, next_charge_on=charge_after(pledge.anchor_on, zone.day_of(at)))


def _read_whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        text = value.strip(" ")
        return int(text) if _WHOLE.fullmatch(text) else None
    return None


def _require_running(pledge: Pledge, what: str) -> None:
    # Before the first payment Stripe only lets metadata change.
    if pledge.state is PledgeState.INCOMPLETE:
        raise Conflict(f"The card is not confirmed yet; once it is, you can {what}.")
    if pledge.state is PledgeState.CANCELED:
        start = "The pledge is canceled; start a new one instead of trying to"
        raise Conflict(f"{start} {what}.")


class PledgeChange(NamedTuple):
    """The state and amount of a member's pledge from an instant.

    Reports use these rows, so that old reports can be regenerated.
    """

    member_key: str
    at: datetime
    state: PledgeState
    dollars: int


class Standing(NamedTuple):
    """The state and amount of a pledge at an instant, and since when it had that state."""

    state: PledgeState
    dollars: int
    since: datetime


def standing_at(changes: Iterable[PledgeChange], at: datetime) -> Standing | None:
    """Return the state of a pledge at an instant, given its changes in order of time.

    A change of the amount does not reset ``since``. None before the first change.
    """
    standing: Standing | None = None
    for change in changes:
        if change.at > at:
            break
        same = standing is not None and standing.state is change.state
        since = standing.since if standing is not None and same else change.at
        standing = Standing(state=change.state, dollars=change.dollars, since=since)
    return standing
