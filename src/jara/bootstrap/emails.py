"""Wires sending and previewing of emails."""

from __future__ import annotations

from collections.abc import Container
from urllib.parse import urlsplit

from jara.config.settings import Settings
from jara.mail.rendering import RenderedEmail, SenderIdentity
from jara.mail.samples import preview
from jara.mail.senders import open_sender
from jara.services.context import Context, Rules
from jara.services.ports.operations import Email, MailSender
from jara.services.proposals.vote_emails import complete_vote_email


class CompletingSender:
    """Completes emails about votes when they are sent; the outbox must not know who voted."""

    def __init__(self, context: Context, sender: MailSender) -> None:
        """Send through another sender."""
        self._context = context
        self._sender = sender

    def send(self, email: Email) -> None:
        """Send an email, unless it turns out that it must not go out.

        Raises:
            Unavailable: it cannot be sent now.
        """
        completed = complete_vote_email(self._context, email)
        if completed is not None:
            self._sender.send(completed)

    def keep_only(self, email_ids: Container[str]) -> int:
        """Remove copies of emails that left the outbox; return how many."""
        return self._sender.keep_only(email_ids)


def mail_sender(context: Context, settings: Settings) -> MailSender:
    """Return a sender for the SMTP server, or for a folder while no server is set."""
    url = None if settings.smtp_url is None else settings.smtp_url.get_secret_value()
    sender = open_sender(_sender_identity(settings), smtp_url=url, folder=settings.mail_dir)
    return CompletingSender(context, sender)


def preview_email(settings: Settings, kind: str) -> RenderedEmail:
    """Return an email with sample values.

    Raises:
        NotFound: there is no such email.
    """
    identity = _sender_identity(settings)
    return preview(kind, identity, Rules().organisation, settings.site_url)


def _sender_identity(settings: Settings) -> SenderIdentity:
    host = urlsplit(settings.site_url).hostname
    return SenderIdentity(
        sender=settings.mail_from or f"Jara <no-reply@{host}>",
        postal_address=settings.postal_address or "",
        contact_email=settings.contact_email or "",
    )
