"""How many emails leave in an hour (``JARA_MAIL_PER_HOUR``), and which of them first.

Every process counts in the database. An email that one person waits for goes before those that
many get at once, and a tenth of each hour is kept for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from jara.domain.email_kinds import KINDS
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.leasing import BATCH
from jara.store.unit_of_work import UnitOfWork

_TO_MANY = frozenset(name for name, kind in KINDS.items() if kind.goes_to_many)

_HOUR = timedelta(hours=1)
_RESERVE = 10
_BUCKET = "mail.sent"


def lease_emails(context: Context, work: UnitOfWork, *, until: datetime) -> list[Email]:
    """Lease the next batch of due emails that may be sent in this hour, and count them."""
    now, per_hour = context.now(), context.rules.mail_per_hour
    if per_hour is None:
        limit = limit_to_many = BATCH
    else:
        room = per_hour - len(work.access.uses(_BUCKET, now=now))
        limit = min(BATCH, room)
        limit_to_many = min(BATCH, room - per_hour // _RESERVE)
    emails = work.outbox.lease(now=now, until=until, limit=limit, besides=_TO_MANY)
    emails += work.outbox.lease(now=now, until=until, limit=limit_to_many - len(emails))
    if per_hour is not None:
        for email in emails:
            work.access.remove_use(_use_of(email))  # of a process that died
            work.access.add_use(_use_of(email), _BUCKET, at=now, until=now + _HOUR)
    return emails


def give_back(context: Context, emails: Iterable[Email]) -> None:
    """Count leased emails no more, because no attempt to send them was made."""
    with context.store.write() as work:
        for email in emails:
            work.access.remove_use(_use_of(email))


def _use_of(email: Email) -> str:
    return f"{email.id}.{email.attempts}"
