"""Sending the emails of the outbox, with retries.

While the website runs, `jara_webapi.server.background_tasks` looks for due emails every ten
seconds. Without it, ``jara run daily`` (`jara.services.operations.daily_run`) and
``jara mail send`` send them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jara.domain.errors import Unavailable
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.leasing import BATCH, LEASE, retry_at, work_through
from jara.services.organisation import require_own_secrets
from jara.services.ports.outside import MailSender

RETRY_MINUTES = (5, 30, 120, 480, 1440)
"""The wait after each failure; the last one repeats."""


class MailRun(NamedTuple):
    """How many emails were sent and how many failed; ``failure`` is the last reason."""

    sent: int = 0
    failed: int = 0
    failure: str = ""


def list_outbox(context: Context, *, include_sent: bool = False) -> list[Email]:
    """Return the waiting emails, newest first, optionally with the sent ones."""
    with context.store.read() as work:
        return work.outbox.all(waiting_only=not include_sent)


def send_due(context: Context, sender: MailSender) -> MailRun:
    """Send every email that is due.

    Raises:
        Unavailable: a key is missing or belongs to another database, so links cannot be made.
    """
    with context.store.read() as work:
        require_own_secrets(context, work)

    def lease() -> Sequence[Email]:
        now = context.now()
        with context.store.write() as work:
            return work.outbox.lease(now=now, until=now + LEASE, limit=BATCH)

    run = work_through(lease, lambda emails: (_send(context, sender, email) for email in emails))
    return MailRun(run.done, run.failed, run.failure)


def _send(context: Context, sender: MailSender, email: Email) -> str | None:
    try:
        sender.send(email)
    except Unavailable as error:
        due_at = retry_at(context.now(), attempts=email.attempts, minutes=RETRY_MINUTES)
        with context.store.write() as work:
            work.outbox.failed(email.id, reason=error.message, due_at=due_at)
        return error.message
    with context.store.write() as work:
        if email.member_id is None:
            # Addresses of people who are not members (any more) are not kept.
            work.outbox.remove(email.id)
        else:
            work.outbox.sent(email.id, at=context.now())
    return None
