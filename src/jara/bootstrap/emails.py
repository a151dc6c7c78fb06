"""Wires sending and previewing of emails."""

from __future__ import annotations

from urllib.parse import urlsplit

from jara.config.settings import Settings
from jara.mail.rendering import RenderedEmail, SenderIdentity
from jara.mail.samples import preview
from jara.mail.senders import open_sender
from jara.services.context import Rules
from jara.services.ports.operations import MailSender


def mail_sender(settings: Settings) -> MailSender:
    """Return a sender for the SMTP server, or for a folder while no server is set."""
    url = None if settings.smtp_url is None else settings.smtp_url.get_secret_value()
    return open_sender(_sender_identity(settings), smtp_url=url, folder=settings.mail_dir)


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
