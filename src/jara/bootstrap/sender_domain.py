"""Wires the doctor's questions to DNS."""

from __future__ import annotations

from email.utils import parseaddr
from urllib.parse import urlsplit

from jara.config.settings import Settings
from jara.mail.sender_domain import ask_about, is_public_name
from jara.services.operations.diagnosis_domain import SenderDomain


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
