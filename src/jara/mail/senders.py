"""Chooses the mail sender from the settings."""

from __future__ import annotations

from pathlib import Path

from jara.mail.folder import FolderSender
from jara.mail.rendering import SenderIdentity
from jara.mail.smtp import SmtpSender


def open_sender(
    identity: SenderIdentity, *, smtp_url: str | None, folder: Path
) -> FolderSender | SmtpSender:
    """Return a sender for the mail server, or for the folder if no server is set."""
    return FolderSender(folder, identity) if smtp_url is None else SmtpSender(smtp_url, identity)
