"""Wires sending and previewing of emails, and the questions to DNS about their sender."""

from collections.abc import Callable, Container
from contextlib import suppress
from email.headerregistry import Address
from email.utils import parseaddr
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from jara.config.settings import Settings
from jara.domain.announcement import Texts
from jara.domain.email_kinds import KINDS, EmailKind
from jara.domain.giving.member import parse_email
from jara.domain.language import ENGLISH
from jara.domain.organisation import DEFAULT_NAME, Identity
from jara.languages import about, require_available
from jara.mail.delivery_reports import read_messages, read_report
from jara.mail.rendering import RenderedEmail, SenderIdentity, preview, render
from jara.mail.sender_domain import ask_about, is_public_name
from jara.mail.senders import open_sender
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.news.announcement_news import ANNOUNCEMENT, announcement_values
from jara.services.news.announcing import record_test
from jara.services.news.fan_out import complete_news
from jara.services.news.stories import StoryCache
from jara.services.notices.choices import is_wanted
from jara.services.notices.emails import make_email
from jara.services.notices.links import complete_links
from jara.services.notices.returned_emails import SENT_TO_SOME, ReportRun, count_reports, marks_of
from jara.services.operations.diagnosis_setup import SenderDomain
from jara.services.organisation import identity_of
from jara.services.ports.outside import MailSender, MailServer, NotSent
from jara.services.proposals.vote_emails import complete_vote_email

_TESTED = "mail.tested"


class CompletingSender:
    """Completes emails when they are sent: the outbox knows neither who voted nor a code."""

    def __init__(self, context: Context, open_now: Callable[[], MailServer]) -> None:
        self._context = context
        self._open = open_now
        self._stories = StoryCache(context)

    def send(self, email: Email) -> None:
        """Complete an email and send it; only offer it to the server if it must not be sent.

        An email that only some recipients get fails when it would fail for the others, so that
        its row looks like theirs: it is offered first, and what the server says later of the email
        itself, or a defect, leaves no trace.

        Raises:
            EmailRefused: the server does not take it.
            Unavailable: it cannot be sent now.
            NotSent: it must not go out any more, by its item of news or the choice of its member.
        """
        if not is_wanted(self._context, email):
            raise NotSent
        email = complete_news(self._stories, email)
        completed = complete_vote_email(self._context, email)
        sender = self._open()
        leaves_no_trace = email.kind in SENT_TO_SOME
        if leaves_no_trace:
            sender.offer(self._with_links(email))
        if completed is not None:
            with suppress(*([Exception] if leaves_no_trace else [])):
                sender.send(self._with_links(completed))

    def _with_links(self, email: Email) -> Email:
        full = complete_links(self._context, email)
        marks = marks_of(self._context, email)
        return full._replace(
            doc={**full.doc, "mark": marks.header, "returnMark": marks.return_path}
        )

    def keep_only(self, read_ids: Callable[[], Container[str]]) -> int:
        """Remove copies of emails that left the outbox; return how many."""
        return self._open().keep_only(read_ids)


def mail_sender(context: Context, settings: Settings) -> MailSender:
    """Return a sender for the SMTP server, or for a folder if no server is set."""

    def open_now() -> MailServer:
        """Open a sender with the organisation's current name."""
        return _open_server(settings, identity_of(context))

    return CompletingSender(context, open_now)


def _open_server(settings: Settings, own: Identity) -> MailServer:
    url = None if settings.smtp_url is None else settings.smtp_url.get_secret_value()
    return open_sender(_sender_identity(settings, own), smtp_url=url, folder=settings.mail_dir)


def read_reports(context: Context, source: Path | BinaryIO) -> ReportRun:
    """Count the delivery reports of a mailbox, a Maildir or a stream.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is a folder, but no Maildir.
    """
    return count_reports(context, map(read_report, read_messages(source)))


def preview_email(
    context: Context, settings: Settings, kind: str, language: str = ENGLISH
) -> RenderedEmail:
    """Return an email with sample values.

    Raises:
        NotFound: there is no such email, or there are no texts in the language.
    """
    own = identity_of(context)
    return preview(
        kind,
        _sender_identity(settings, own),
        own.name,
        settings.site_url,
        require_available(language),
    )


def render_announcement(context: Context, settings: Settings, texts: Texts) -> list[RenderedEmail]:
    """Return an announcement's email in each of its languages, as recipients will see it."""
    identity = _sender_identity(settings, identity_of(context))
    link = {"choiceUrl": f"{context.rules.site_url}/emails?code=sample"}
    values = (announcement_values(context, texts, language) for language in texts)
    return [render(ANNOUNCEMENT, {**link, **one}, identity) for one in values]


def send_test(context: Context, settings: Settings, texts: Texts, address: str) -> int:
    """Send an announcement to one address and nobody else, at once; return how many emails.

    Raises:
        InvalidInput: it is not an email address.
        Unavailable: it cannot be sent now.
    """
    recipient = parse_email(address)
    record_test(context, texts, recipient)
    sender = mail_sender(context, settings)
    for language in texts:
        values = announcement_values(context, texts, language)
        values["subject"] = f"Test: {values['subject']}"
        sender.send(
            make_email(
                context,
                ANNOUNCEMENT,
                address=recipient,
                values=values,
                member_id=None,
                once_key=None,
            )
        )
    return len(texts)


def send_mail_test(
    context: Context, settings: Settings, address: str, own: Identity | None = None
) -> None:
    """Send one email at once that only says that emails arrive; nothing is recorded.

    The organisation need not exist yet. Without a mail server in the settings, the email becomes a
    file. `own` is the sender; None for the organisation as it is.

    Raises:
        InvalidInput: it is not an email address.
        EmailRefused: the server does not take it.
        Unavailable: it cannot be sent now.
    """
    email = make_email(
        context,
        "mail_test",
        address=parse_email(address),
        values={"firstname": ""},
        member_id=None,
        once_key=None,
    )
    _open_server(settings, own or identity_of(context)).send(email)


def note_mail_test(context: Context, settings: Settings) -> None:
    """Remember that a test was sent by this mail server and from this sender."""
    with context.store.write() as work:
        work.meta.put(_TESTED, context.vault.keyed_hash(_TESTED, mail_way(settings)))


def is_mail_tested(context: Context, settings: Settings) -> bool:
    """Return whether the last test that was remembered was sent by these settings."""
    with context.store.read() as work:
        return work.meta.get(_TESTED) == context.vault.keyed_hash(_TESTED, mail_way(settings))


def mail_way(settings: Settings) -> str:
    """Return by which server and from which sender emails go; it holds the server's password."""
    url = settings.smtp_url
    return f"{settings.mail_from or ''} {'' if url is None else url.get_secret_value()}"


def list_kinds(language: str = ENGLISH) -> list[EmailKind]:
    """Return the kinds of email, with what each is about in a language.

    Raises:
        NotFound: there are no texts in the language.
    """
    known = require_available(language)
    return [kind._replace(about=about(kind, known)) for kind in KINDS.values()]


def _sender_identity(settings: Settings, own: Identity) -> SenderIdentity:
    host = urlsplit(settings.site_url).hostname
    default = f"{DEFAULT_NAME} <no-reply@{host}>"
    sender = settings.mail_from or default
    if own.name != DEFAULT_NAME:
        _, address = parseaddr(sender)
        sender = str(Address(own.name, addr_spec=address))
    return SenderIdentity(
        sender=sender,
        postal_address=own.address,
        contact_email=own.contact,
        organisation=own.name,
        legal_name=own.legal_name if own.legal_name != own.name else "",
        colour=own.colour,
        # Most mail programs do not show SVG.
        logo=settings.site_url + own.logo.path if own.logo and own.logo.is_png else "",
        return_path=settings.bounce_address or "",
    )


def ask_sender_domain(settings: Settings) -> SenderDomain | None:
    """Ask DNS about the sender's domain; None if no mail server or no such domain is set."""
    sender = parseaddr(settings.mail_from or "")[1] or f"@{urlsplit(settings.site_url).hostname}"
    name, bounce_name = (
        address.rpartition("@")[2].lower()
        for address in (sender, settings.bounce_address or sender)
    )
    if settings.smtp_url is None or not is_public_name(name):
        return None
    server = settings.dns_server or ""
    return ask_about(name, bounce_name, settings.dkim_selector or "", server=server)
