"""Which way letters leave the house."""

from __future__ import annotations

from pathlib import Path

from jara.mail.folder import FolderSender
from jara.mail.letters import House
from jara.mail.smtp import SmtpSender


def open_sender(house: House, *, smtp_url: str | None, folder: Path) -> FolderSender | SmtpSender:
    """Return the mail server's sender, or the folder's while none is set."""
    return FolderSender(folder, house) if smtp_url is None else SmtpSender(smtp_url, house)
