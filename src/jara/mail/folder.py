"""Writes emails as ``.eml`` files, for development and tests."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path

from jara.domain.errors import Unavailable
from jara.mail.rendering import SenderIdentity, build_message
from jara.records.operations import Email

_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


class FolderSender:
    """Writes each email into a folder that only its owner may read."""

    def __init__(self, folder: Path, identity: SenderIdentity) -> None:
        """Use a folder; it is created with the first email."""
        self.folder = folder
        self._identity = identity

    def send(self, email: Email) -> None:
        """Write one email; sending it again replaces its file.

        Raises:
            Unavailable: the folder cannot be written.
        """
        data = build_message(email, self._identity).as_bytes()
        path = self.folder / f"{email.id}.eml"
        try:
            self.folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE)
            with os.fdopen(number, "wb") as file:
                file.write(data)
        except OSError as error:
            raise Unavailable(f"'{path}' cannot be written: {error.strerror}.") from error

    def keep_only(self, email_ids: Container[str]) -> int:
        """Remove the files of emails that left the outbox; return how many."""
        if not self.folder.is_dir():
            return 0
        old = [path for path in self.folder.glob("*.eml") if path.stem not in email_ids]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)
