"""Recovery of interrupted registrations and pledges: finish if paid, else undo."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from jara.domain.errors import JaraError
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.records.people import PendingRegistration
from jara.services.context import Context
from jara.services.giving.joining import find_running, finish_account, give_up
from jara.services.giving.pledging import cancel_pledge, refresh_pledge

IN_FLIGHT = timedelta(minutes=5)
"""Younger registrations may be in progress in another process."""

GIVEN_UP_AFTER = timedelta(hours=24)
"""After this time a registration is cancelled and refunded."""

PROMISE_KEPT_FOR = timedelta(days=60)
"""How long a promise to pay without a card waits for its first payment."""


class FinishReport(NamedTuple):
    """How many registrations were finished and undone; failures are retried later."""

    finished: int
    undone: int
    failures: tuple[str, ...]


def finish_registrations(context: Context) -> FinishReport:
    """Finish paid registrations, and undo those older than a day; promises are kept longer."""
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
    """Cancel pledges whose card was not confirmed within a day.

    Stripe cancels an unpaid first invoice itself, but not an unfinished set-up.
    """
    with context.store.read() as work:
        limit = context.now() - GIVEN_UP_AFTER
        old = [
            pledge
            for pledge in work.pledges.in_states(PledgeState.INCOMPLETE)
            if pledge.way is PaymentWay.CARD
            and pledge.started_at <= limit
            and work.registrations.by_member(pledge.member_id) is None
        ]
    ended = 0
    for pledge in old:
        if refresh_pledge(context, pledge.member_id).state is PledgeState.INCOMPLETE:
            cancel_pledge(context, pledge.member_id)
            ended += 1
    return ended


def _is_promise(context: Context, pending: PendingRegistration) -> bool:
    with context.store.read() as work:
        pledge = work.pledges.get(pending.member_id)
    return pledge is not None and pledge.way is not PaymentWay.CARD


def _settle(context: Context, pending: PendingRegistration) -> str:
    age = context.now() - pending.started_at
    if age < (PROMISE_KEPT_FOR if _is_promise(context, pending) else IN_FLIGHT):
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
