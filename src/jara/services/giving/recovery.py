"""Registrations and pledges that were cut off: finished when paid, undone when not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from jara.domain.errors import JaraError
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving.joining import find_running, finish_account, give_up
from jara.services.giving.pledging import cancel_pledge, refresh_pledge
from jara.services.ports.people import PendingRegistration

IN_FLIGHT = timedelta(minutes=5)
"""Younger ones may be under way in another process."""

GIVEN_UP_AFTER = timedelta(hours=24)
"""Charged without an account for so long: cancelled and refunded."""


@dataclass(frozen=True, slots=True)
class FinishReport:
    """How many were finished and how many undone; what failed is tried again tomorrow."""

    finished: int
    undone: int
    failures: tuple[str, ...]


def finish_registrations(context: Context) -> FinishReport:
    """Finish registrations that were paid, and undo those that waited for a day."""
    with context.store.read() as work:
        waiting = work.registrations.all()
    finished = undone = 0
    failures: list[str] = []
    for pending in waiting:
        try:
            done = _settle(context, pending)
        except JaraError as error:
            failures.append(error.message)
            continue
        finished += done == "finished"
        undone += done == "undone"
    return FinishReport(finished, undone, tuple(failures))


def expire_incomplete(context: Context) -> int:
    """End pledges of members whose card was not confirmed for a day.

    Stripe ends an unpaid first invoice by itself, but not a set-up that nobody
    finished.
    """
    with context.store.read() as work:
        limit = context.now() - GIVEN_UP_AFTER
        old = [
            pledge
            for pledge in work.pledges.in_states(PledgeState.INCOMPLETE)
            if pledge.started_at <= limit and work.registrations.by_member(pledge.member_id) is None
        ]
    ended = 0
    for pledge in old:
        if refresh_pledge(context, pledge.member_id).state is PledgeState.INCOMPLETE:
            cancel_pledge(context, pledge.member_id)
            ended += 1
    return ended


def _settle(context: Context, pending: PendingRegistration) -> str:
    age = context.now() - pending.started_at
    if age < IN_FLIGHT:
        return "waiting"
    facts = find_running(context, pending)
    has_account = not pending.form
    if facts is not None and (has_account or age < GIVEN_UP_AFTER):
        finish_account(context, pending, facts)
        return "finished"
    if age < GIVEN_UP_AFTER:
        return "waiting"
    give_up(context, pending)
    return "undone"
