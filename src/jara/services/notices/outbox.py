"""Sending what waits in the outbox: leased, one email after the other, tried again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from jara.domain.errors import Unavailable
from jara.services.context import Context
from jara.services.ports.operations import Email, MailSender

LEASE = timedelta(minutes=10)
BATCH_EMAILS = 50
RETRY_MINUTES = (5, 30, 120, 480, 1440)
"""After each failure the next wait; the last one repeats."""
GIVE_UP_AFTER = 3
"""So many failures in a row mean that the mail server is away, not that an email is bad."""


@dataclass(frozen=True, slots=True)
class MailRun:
    """How many emails left, and how many did not; ``failure`` is the last reason."""

    sent: int = 0
    failed: int = 0
    failure: str = ""


def list_outbox(context: Context, *, include_sent: bool = False) -> list[Email]:
    """Return the emails that wait, newest first; with the sent ones when asked."""
    with context.store.read() as work:
        return work.outbox.all(waiting_only=not include_sent)


def send_due(context: Context, sender: MailSender) -> MailRun:
    """Send every email that is due.

    Each batch is leased, so that two senders never take the same email; a sender that
    dies leaves its emails to the next one when the lease is over.
    """
    sent = failed = in_a_row = 0
    failure = ""
    while True:
        now = context.now()
        with context.store.write() as work:
            emails = work.outbox.lease(now=now, until=now + LEASE, limit=BATCH_EMAILS)
        if not emails:
            return MailRun(sent, failed, failure)
        for email in emails:
            reason = _send(context, sender, email)
            if reason is None:
                sent, in_a_row = sent + 1, 0
                continue
            failed, in_a_row, failure = failed + 1, in_a_row + 1, reason
            if in_a_row == GIVE_UP_AFTER:
                return MailRun(sent, failed, failure)


def _send(context: Context, sender: MailSender, email: Email) -> str | None:
    try:
        sender.send(email)
    except Unavailable as error:
        wait = RETRY_MINUTES[min(email.attempts, len(RETRY_MINUTES) - 1)]
        with context.store.write() as work:
            work.outbox.failed(
                email.id,
                reason=error.message,
                due_at=context.now() + timedelta(minutes=wait),
            )
        return error.message
    with context.store.write() as work:
        if email.member_id is None:
            # The address of somebody who is no member, or none any more, is not kept.
            work.outbox.remove(email.id)
        else:
            work.outbox.sent(email.id, at=context.now())
    return None
