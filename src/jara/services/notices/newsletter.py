"""The newsletter: requested with express consent, and confirmed by email."""

from datetime import date, timedelta
from typing import NamedTuple

from jara.domain.errors import NotFound
from jara.domain.giving.member import parse_email
from jara.domain.language import ENGLISH, Language
from jara.records.access import Reader
from jara.records.people import CONSENT_WORDING, NEWSLETTER
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.mailed_codes import make_code, subject_of
from jara.services.notices.choices import take_over_newsletter
from jara.services.notices.emails import queue_newsletter_confirmation
from jara.services.notices.returned_emails import resume_sending
from jara.services.rate_limits import Limits, MailCause, acquire_within, mail_uses, require_room

CONFIRMATION_LIFE = timedelta(days=7)
_CONFIRM = "newsletter_confirm"
_CONFIRMATION = "newsletter_confirmation"
_SUBJECT = "reader"  # the audit log holds no addresses


class ReaderLine(NamedTuple):
    """A reader in the operator's list; one without a day of confirmation gets nothing."""

    email: str
    language: Language
    asked_on: date
    confirmed_on: date | None
    source: str


def subscribe(
    context: Context,
    limits: Limits,
    email: str,
    *,
    network: str,
    language: Language = ENGLISH,
) -> None:
    """Email an address to confirm that it wants the newsletter.

    An address that has confirmed before gets no further email; the result is the same. Links of
    earlier requests still work, because a stranger may have made the newer one.

    Raises:
        InvalidInput: it is not an email address.
        TooManyRequests: too many were requested for this address, from this network or by all.
    """
    address = parse_email(email)
    uses = mail_uses(MailCause.NEWSLETTER, address, network=network)
    with context.store.read() as work:
        require_room(context, work, limits, uses)  # a flood must not keep others from writing
    with context.store.write() as work:
        acquire_within(context, work, limits, uses)
        reader = work.access.reader(address)
        if reader is not None and reader.confirmed_at is not None:
            return
        wording = CONSENT_WORDING[NEWSLETTER]
        work.access.put_reader(
            Reader(address, wording, "website", context.now(), language=language)
        )
        code = make_code(context, work, purpose=_CONFIRM, subject=address, life=CONFIRMATION_LIFE)
        queue_newsletter_confirmation(context, work, address=address, code=code, language=language)


def confirm_subscription(context: Context, code: str) -> None:
    """Store the consent of an address, for a member as their choice; a code can be used once.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
    """
    with context.store.write() as work:
        address = subject_of(context, work, _CONFIRM, code=code)
        work.access.remove_codes(_CONFIRM, address)
        resume_sending(context, work, address)
        reader = work.access.reader(address)
        if reader is not None:
            work.access.put_reader(reader._replace(confirmed_at=context.now()))
        member = work.members.by_email(address)
        if member is not None and member.email_confirmed:
            take_over_newsletter(work, member)


def list_readers(context: Context) -> list[ReaderLine]:
    """Return all readers, in order of asking."""
    with context.store.read() as work:
        return [_line_of(context, reader) for reader in work.access.readers()]


def export_readers(context: Context) -> list[ReaderLine]:
    """Return the confirmed readers, for a file; the audit log names the operator."""
    readers = [line for line in list_readers(context) if line.confirmed_on is not None]
    with context.store.write() as work:
        facts = {"readers": len(readers)}
        record_act(context, work, "newsletter.export", _SUBJECT, facts=facts)
    return readers


def remove_reader(context: Context, email: str, *, why: str) -> ReaderLine:
    """Remove a reader, confirmed or not; links that were mailed to confirm it end.

    Raises:
        NotFound: the address is no reader's.
    """
    address = parse_email(email)
    with context.store.write() as work:
        reader = work.access.reader(address)
        if reader is None:
            raise NotFound(f"'{address}' is no reader's address; see `jara newsletter list`.")
        work.access.remove_reader(address)
        work.access.remove_codes(_CONFIRM, address)
        work.outbox.remove_to(address, _CONFIRMATION)
        facts = {"confirmed": reader.confirmed_at is not None}
        record_act(context, work, "newsletter.remove", _SUBJECT, why=why, facts=facts)
    return _line_of(context, reader)


def _line_of(context: Context, reader: Reader) -> ReaderLine:
    day_of, confirmed = context.zone.day_of, reader.confirmed_at
    return ReaderLine(
        reader.email,
        reader.language,
        day_of(reader.asked_at),
        None if confirmed is None else day_of(confirmed),
        reader.source,
    )
