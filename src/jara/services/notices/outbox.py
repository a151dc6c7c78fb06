"""Sending the emails of the outbox, with retries.

While the website runs, `jara_webapi.server.background_tasks` looks for due emails every ten
seconds. Without it, ``jara run daily`` (`jara.services.operations.daily_run`) and
``jara mail send`` send them.

So many leave in an hour as ``JARA_MAIL_PER_HOUR`` says; every process counts in the database. An
email that one person waits for goes before those that many get at once, and a tenth of each hour
is kept for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from jara.domain.email_kinds import KINDS, NeededConsent, kind_of
from jara.domain.errors import Unavailable
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.leasing import BATCH, LEASE, Failure, retry_at, work_through
from jara.services.notices.returned_emails import STOPPED, count_refusal, stopped
from jara.services.organisation import require_own_secrets
from jara.services.ports.outside import EmailRefused, MailSender, NotSent
from jara.store.unit_of_work import UnitOfWork

RETRY_MINUTES = (5, 30, 120, 480, 1440)
"""The wait after each failure; the last one repeats."""


class MailRun(NamedTuple):
    """How many emails were sent and how many failed; ``failure`` is the last reason."""

    sent: int = 0
    failed: int = 0
    failure: str = ""


def list_outbox(context: Context, *, include_sent: bool = False) -> list[Email]:
    """Return the emails that wait or were refused, newest first, optionally with the sent ones."""
    with context.store.read() as work:
        return work.outbox.all(unsent_only=not include_sent)


def send_due(context: Context, sender: MailSender) -> MailRun:
    """Send every email that is due, as many as may leave in this hour.

    Raises:
        Unavailable: a key is missing or belongs to another database, so links cannot be made.
    """
    with context.store.read() as work:
        require_own_secrets(context, work)

    run_at = context.now()
    untried: dict[str, Email] = {}
    held: list[str] = []

    def lease() -> Sequence[Email]:
        with context.store.write() as work:
            emails = lease_emails(context, work, until=context.now() + LEASE)
        untried.update({email.id: email for email in emails})
        return emails

    def send(emails: Sequence[Email]) -> Iterator[Failure | None]:
        begun = context.now()
        for email in emails:
            if context.now() - begun > LEASE / 2:
                return  # a slow server; when the lease ends, another process sends the rest
            del untried[email.id]
            if _give_up(context, email):
                continue
            # An offer takes less time than an email, so the times of those who get an email, and
            # of the emails after it, would tell who has voted.
            at = max(run_at, email.due_at) if email.kind in _TO_MANY else None
            yield _send(context, sender, email, held, at=at)

    run = work_through(lease, send)
    if untried:
        give_back(context, untried.values())
    return MailRun(run.done - len(held), run.failed, run.failure)


def _give_up(context: Context, email: Email) -> bool:
    """Give an email to a stopped address up; return whether it was, or was removed meanwhile.

    Emails with a code go out: somebody waits for them, and using the code clears the address.
    Soft returns hold back news only: they may be forged, and a full mailbox may have room again.
    """
    with context.store.read() as work:
        stop = stopped(context, work, email.address)
        if work.outbox.get(email.id) is None:
            return True
    if stop is None or email.sealed is not None:
        return False
    if stop.is_hard or kind_of(email.kind).consent is NeededConsent.NEWS:
        with context.store.write() as work:
            work.outbox.refused(email.id, reason=STOPPED, at=context.now())
        return True
    return False


def _send(
    context: Context, sender: MailSender, email: Email, held: list[str], *, at: datetime | None
) -> Failure | None:
    """Send an email; return why it failed.

    `held` collects those that are not sent any more; `at` is the time that is stored, by default
    the present one.
    """
    now = at or context.now()
    try:
        sender.send(email)
    except Unavailable as error:
        refusal = error if isinstance(error, EmailRefused) else None
        with context.store.write() as work:
            if refusal is not None and refusal.is_final:
                work.outbox.refused(email.id, reason=error.message, at=now)
                count_refusal(context, work, email, refusal)
            else:
                due_at = retry_at(now, attempts=email.attempts, minutes=RETRY_MINUTES)
                work.outbox.failed(email.id, reason=error.message, due_at=due_at)
        return Failure(error.message, is_of_item=refusal is not None)
    except NotSent:
        with context.store.write() as work:
            work.outbox.remove(email.id)
        held.append(email.id)
        return None
    except Exception as error:  # noqa: BLE001 - a defect met by one must not stop the others
        reason = f"{type(error).__name__} (a defect of Jara)"  # its text may name the recipient
        with context.store.write() as work:
            due_at = retry_at(now, attempts=email.attempts, minutes=RETRY_MINUTES)
            work.outbox.failed(email.id, reason=reason, due_at=due_at)
        return Failure(reason, is_of_item=True)
    with context.store.write() as work:
        if email.member_id is None and "news" not in email.doc:
            # Addresses of people who are not members (any more) are not kept; a reader's email
            # is, so that they do not get it twice.
            work.outbox.remove(email.id)
        else:
            work.outbox.sent(email.id, at=at or context.now())
    return None


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
