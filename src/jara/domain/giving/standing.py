"""The state of a pledge that is not paid by card: what its payments cover."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time

from jara.domain.giving.pledge import Pledge, PledgeState, move_pledge, steps_to


def stand(pledge: Pledge, covered: date | None, *, now: datetime) -> Pledge:
    """Return a pledge that is not paid by card with the state that its payments give it.

    It is active while they cover the day, and past due from the first day that they do not.
    Nothing but a payment starts it, and nothing of it starts one that ended. One that lost all of
    its payments is past due from the day it started.

    Args:
        pledge: the pledge.
        covered: the first day that payments do not cover; None without a payment that counts.
        now: the present.
    """
    if pledge.state is PledgeState.CANCELED:
        return pledge
    if covered is None:
        if pledge.state is PledgeState.INCOMPLETE:
            return pledge
        covered = pledge.started_at.date()
    until = datetime.combine(covered, time(), tzinfo=UTC)
    for state in steps_to(
        pledge.state, PledgeState.ACTIVE if now < until else PledgeState.PAST_DUE
    ):
        pledge = move_pledge(pledge, state, at=until)
    if pledge.state is PledgeState.PAST_DUE:
        pledge = replace(pledge, past_due_since=until)
    return replace(pledge, next_charge_on=covered)
