"""Emails that came back or were refused, and the addresses to which nothing is sent for it.

Each email carries two marks, one in its return path and one in its Message-ID: its id and a keyed
hash of id and address. A report counts only for an email that was sent to this address. Replies
and forwards copy the Message-ID, so a report that knows only that one counts as soft.

What is stored names address, status and time, never the kind of email. A reminder of a vote goes
only to those who have not voted, so its reports and what follows from them are not stored.
"""

import hmac
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from jara.domain.errors import NotFound
from jara.domain.giving.member import parse_email
from jara.domain.returned_email import (
    PROOF_DIGITS,
    DeliveryReport,
    Failure,
    Ignored,
    ReturnedEmail,
    StoppedAddress,
    Weight,
    stop_of,
    weigh,
)
from jara.records.operations import Email
from jara.services.audit import record_act, record_unattended
from jara.services.context import Context
from jara.services.ports.outside import EmailRefused
from jara.store.unit_of_work import UnitOfWork

EMAILS_KEPT = timedelta(days=60)
"""Longer than the daily run looks back, so that no email is queued twice."""

SENT_TO_SOME = frozenset({"vote_reminder"})
"""Kinds whose delivery would tell who has voted."""

STOPPED = "Nothing is sent to this address, because emails to it came back (`jara mail bounced`)."

_RETURN_PATH, _HEADER = "return path", "returned email"
"""What the two marks of an email are for."""
_SUBJECT = "outbox"


class ReportRun(NamedTuple):
    """How many messages were read, and what became of them."""

    read: int
    hard: int  # emails to addresses that do not exist any more
    soft: int  # emails that did not arrive this time
    repeated: int  # reports about emails that were counted before
    ignored: Mapping[str, int]  # how many were ignored, by reason


class Marks(NamedTuple):
    """The marks of an email, each of `MARK_DIGITS` hexadecimal digits."""

    return_path: str  # only mail servers on its way see it
    header: str  # whoever gets the email, a reply to it or a forward sees it


def marks_of(context: Context, email: Email) -> Marks:
    """Return the marks of an email."""
    number = email.id.replace("-", "")
    return Marks(
        *(
            number + _proof_of(context, use, number, email.address)
            for use in (_RETURN_PATH, _HEADER)
        )
    )


def _proof_of(context: Context, use: str, number: str, address: str) -> str:
    return context.vault.keyed_hash(use, f"{number}\0{address}")[:PROOF_DIGITS]


def count_reports(context: Context, reports: Iterable[DeliveryReport | Ignored]) -> ReportRun:
    """Count delivery reports, each email once."""
    counts: Counter[Weight | Ignored | None] = Counter()
    read = list(reports)
    with context.store.write() as work:
        for report in read:
            if isinstance(report, DeliveryReport):
                counts[_count(context, work, report)] += 1
            else:
                counts[report] += 1
        hard, soft = counts.pop(Weight.HARD, 0), counts.pop(Weight.SOFT, 0)
        repeated = counts.pop(None, 0)
        if hard or soft:
            record_unattended(context, work, "mail.bounces", _SUBJECT, hard=hard, soft=soft)
    ignored = {str(reason): count for reason, count in counts.most_common()}
    return ReportRun(len(read), hard, soft, repeated, ignored)


def _count(context: Context, work: UnitOfWork, report: DeliveryReport) -> Weight | Ignored | None:
    """Count a report; return its weight, why it is ignored, or None if it was counted before."""
    for use in (_RETURN_PATH, _HEADER):  # the better proof first
        for mark in report.marks:
            number, proof = mark[:-PROOF_DIGITS], mark[-PROOF_DIGITS:]
            email = work.outbox.get(str(UUID(number)))
            addresses = report.addresses if email is None else (email.address,)
            for address in addresses:
                if hmac.compare_digest(proof, _proof_of(context, use, number, address)):
                    if email is not None and email.kind in SENT_TO_SOME:
                        return Ignored.WITHOUT_TRACE
                    weight = weigh(report.failure)
                    if use == _HEADER and weight is Weight.HARD:
                        weight = Weight.SOFT
                    return _store(context, work, number, address, report.failure, weight)
    return Ignored.FOREIGN


def _store(
    context: Context, work: UnitOfWork, number: str, address: str, failure: Failure, weight: Weight
) -> Weight | Ignored | None:
    # Its id (UUID version 7) has the time.
    written = datetime.fromtimestamp((UUID(number).int >> 80) / 1000, UTC)
    if weight is Weight.NONE:
        return Ignored.NOT_OF_ADDRESS
    if context.now() - written > EMAILS_KEPT:
        return Ignored.OLD
    if work.members.by_email(address) is None and work.access.reader(address) is None:
        return Ignored.LEFT
    is_hard = weight is Weight.HARD
    status = failure.status or str(failure.reply or "")
    returned = ReturnedEmail(str(UUID(number)), address, status, is_hard, written)
    return weight if work.returned_emails.add(returned) else None


def count_refusal(context: Context, work: UnitOfWork, email: Email, refusal: EmailRefused) -> None:
    """Count an email that the mail server refused for good."""
    failure = Failure(refusal.status, refusal.reply, refusal.answer)
    _store(context, work, email.id.replace("-", ""), email.address, failure, weigh(failure))


def stopped(context: Context, work: UnitOfWork, address: str) -> StoppedAddress | None:
    """Return since when and why nothing is sent to an address, or None."""
    return stop_of(work.returned_emails.of_address(address), now=context.now())


def list_stopped(context: Context) -> list[StoppedAddress]:
    """Return the addresses to which nothing is sent."""
    with context.store.read() as work:
        return read_stopped(context, work)


def read_stopped(context: Context, work: UnitOfWork) -> list[StoppedAddress]:
    """Return the addresses to which nothing is sent, in a transaction."""
    of_address: dict[str, list[ReturnedEmail]] = {}
    for returned in work.returned_emails.all():
        of_address.setdefault(returned.address, []).append(returned)
    stops = (stop_of(group, now=context.now()) for group in of_address.values())
    return [stop for stop in stops if stop is not None]


def resume_sending(context: Context, work: UnitOfWork, *addresses: str) -> None:
    """Send to addresses again: somebody used a code that was sent there, or left them."""
    for address in addresses:
        work.returned_emails.clear(address, at=context.now())


def clear_address(context: Context, text: str) -> str:
    """Send to an address again, as an operator; return the address.

    Raises:
        InvalidInput: it is no address.
        NotFound: no email to it came back.
    """
    address = parse_email(text)
    with context.store.write() as work:
        if not work.returned_emails.clear(address, at=context.now()):
            raise NotFound(f"No email to '{address}' came back.")
        member = work.members.by_email(address)
        subject = _SUBJECT if member is None else member.key
        record_act(context, work, "mail.clear", subject)
    return address
