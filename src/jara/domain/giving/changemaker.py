"""Who is a changemaker, that is, who may vote, and from which day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from jara.domain.errors import NotAChangemaker
from jara.domain.giving.billing_day import spell_day
from jara.domain.giving.contribution import Contribution, has_qualifying
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.giving.pledge_history import PledgeChange, standing_at

GRACE = timedelta(days=14)
"""A failed charge costs nobody the vote within this time (trust §3)."""


@dataclass(frozen=True, slots=True)
class ChangemakerFigures:
    """How many changemakers there are, and what they pledge together each month."""

    total: int
    monthly_dollars: int


def is_changemaker(
    pledge: Pledge | None, *, has_qualifying_contribution: bool, now: datetime
) -> bool:
    """Tell whether a member may vote: the pledge stands, and a contribution qualifies.

    The pledge is active, or past due for at most 14 days (trust §3).
    """
    if pledge is None or not has_qualifying_contribution:
        return False
    return _stands(pledge.state, since=pledge.past_due_since, now=now)


def was_changemaker(
    changes: Iterable[PledgeChange], *, has_qualifying_contribution: bool, at: datetime
) -> bool:
    """Tell the same for an earlier instant, from the dated rows of a pledge."""
    standing = standing_at(changes, at)
    if standing is None or not has_qualifying_contribution:
        return False
    return _stands(standing.state, since=standing.since, now=at)


def may_vote_from(
    pledge: Pledge | None, contributions: Iterable[Contribution], *, now: datetime
) -> date | None:
    """Return the day on which the right to vote began or will begin; see `day_of_right`."""
    received = [c.received_on for c in contributions if c.qualifies]
    return day_of_right(pledge, min(received, default=None), now=now)


def day_of_right(pledge: Pledge | None, first_on: date | None, *, now: datetime) -> date | None:
    """Return the day on which the right to vote began or will begin.

    None when no day can be told: without a pledge, after it was canceled, in a pause
    without an end, or when a failed charge waits for another card.

    Args:
        pledge: the member's pledge.
        first_on: the day of the first contribution that qualifies, if there is one.
        now: the instant for which it is told.
    """
    if pledge is None or pledge.state is PledgeState.CANCELED:
        return None
    if first_on is not None:
        stands = _stands(pledge.state, since=pledge.past_due_since, now=now)
        return first_on if stands else pledge.resumes_on
    if pledge.state is PledgeState.PAST_DUE or pledge.next_charge_on is None:
        return None
    return max(pledge.next_charge_on, now.date())


def require_changemaker(
    pledge: Pledge | None, contributions: Iterable[Contribution], *, now: datetime
) -> None:
    """Refuse a vote of somebody who is no changemaker; the message names the day.

    Raises:
        NotAChangemaker: the right to vote has not begun, or rests.
    """
    known = list(contributions)
    if is_changemaker(pledge, has_qualifying_contribution=has_qualifying(known), now=now):
        return
    raise NotAChangemaker(_refusal(pledge, may_vote_from(pledge, known, now=now)))


def count_changemakers(
    pledges: Iterable[tuple[Pledge, bool]], *, now: datetime
) -> ChangemakerFigures:
    """Count changemakers and add up their pledges (design, 'Ledger': the site's figures).

    Args:
        pledges: each member's pledge, and whether a contribution of theirs qualifies.
        now: the instant for which it is counted.
    """
    dollars = [
        pledge.dollars
        for pledge, qualifying in pledges
        if is_changemaker(pledge, has_qualifying_contribution=qualifying, now=now)
    ]
    return ChangemakerFigures(total=len(dollars), monthly_dollars=sum(dollars))


def _stands(state: PledgeState, *, since: datetime | None, now: datetime) -> bool:
    if state is PledgeState.PAST_DUE:
        return since is not None and now - since <= GRACE
    return state is PledgeState.ACTIVE


def _refusal(pledge: Pledge | None, begins_on: date | None) -> str:
    if pledge is None or pledge.state is PledgeState.CANCELED:
        return "Only changemakers vote; start a monthly pledge to become one."
    if pledge.state is PledgeState.INCOMPLETE:
        begins = f" on {spell_day(begins_on)}" if begins_on else ""
        return f"Your card is not confirmed yet; once it is, your right to vote begins{begins}."
    if begins_on is not None:
        return f"Only changemakers vote; your right to vote begins on {spell_day(begins_on)}."
    if pledge.state is PledgeState.PAUSED:
        return "Your pledge is paused; your right to vote begins again when you resume it."
    return "Your right to vote begins with your next payment; please look at your card."
