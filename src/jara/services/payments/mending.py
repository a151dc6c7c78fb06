"""Mending books in which a refund's failure or a dispute's reversal stands before its cause.

Earlier versions booked such a row at once. What the payment gave back was then below zero for a
while, which the verifier of bundles refuses for ever, because the log is never rewritten. The row
is reversed, and booked again once what it undoes is booked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from jara.domain.errors import Conflict, InvalidInput
from jara.records.operations import Approval
from jara.services.approvals import Handler
from jara.services.audit import record_act
from jara.services.books.log_rules import log_rules
from jara.services.books.outflows import ask_approval
from jara.services.context import Context
from jara.services.payments.movement_booking import MovementBooker
from jara.services.payments.unbooking import reversals_of, unbook

MEND_ACTION = "ledger.mend"


class Mended(NamedTuple):
    """How many entries were reversed, and how many of their movements were booked again.

    The other movements wait for what they undo.
    """

    reversed: int
    posted: int


def mend_books(context: Context, *, why: str) -> Mended | Approval:
    """Reverse the entries that took a sum of refunds below zero, and book them in their order.

    Raises:
        InvalidInput: no reason is given.
        Conflict: there is no such entry.
    """
    if not why.strip():
        raise InvalidInput("Mending needs a reason; say --why.")
    with context.store.write() as work:
        indexes = log_rules(work).below_zero()
        if not indexes:
            raise Conflict("No refund or dispute needs mending; see `jara ledger verify`.")
        entries = list(work.journal.many(indexes).values())
        today = context.today()
        dated = [(posted, today) for posted in entries]
        waiting = ask_approval(
            context,
            work,
            reversals_of(dated, why),
            action=MEND_ACTION,
            payload={"entries": [posted.id for posted in entries], "why": why},
            why=why,
        )
        if waiting is not None:
            return waiting
        unbook(context, work, dated, why=why, waiting=entries)
        before = work.journal.count()
        booker = MovementBooker(context, work)
        booker.settle()
        done = Mended(len(entries), work.journal.count() - before)
        record_act(context, work, MEND_ACTION, "provider", why=why, facts=done._asdict())
    return done


def _mend_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return mend_books(context, why=str(payload["why"]))


HANDLERS: Mapping[str, Handler] = {MEND_ACTION: _mend_approved}
