"""The state of a pledge that is not paid by card, derived from its payments."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time

from jara.domain.giving.pledge import Pledge, PledgeState, move_pledge, steps_to


def stand(pledge: Pledge, covered: date | None, *, now: datetime) -> Pledge:
    """Return a pledge that is not paid by card with the state derived from its payments.

    It is active while payments cover the day, and past due from the first uncovered day. Only a
    payment starts an incomplete pledge, and a canceled one never restarts. A pledge that lost all
    its payments is past due from the day it started.

    Args:
        pledge: the pledge.
        covered: the first day that payments do not cover; None without a valid payment.
        now: the current time.
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
