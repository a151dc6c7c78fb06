"""Mail as files: one ``.eml`` for each letter, for trying things out and for tests."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path

from jara.domain.errors import Unavailable
from jara.mail.letters import House, build_message
from jara.services.ports.operations import Letter

_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


class FolderSender:
    """Writes each letter into a folder that its owner alone may read."""

    def __init__(self, folder: Path, house: House) -> None:
        """Name the folder; it is made with the first letter."""
        self.folder = folder
        self._house = house

    def send(self, letter: Letter) -> None:
        """Write one letter; the same letter again replaces its file.

        Raises:
            Unavailable: the folder cannot be written.
        """
        data = build_message(letter, self._house).as_bytes()
        path = self.folder / f"{letter.id}.eml"
        try:
            self.folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE)
            with os.fdopen(number, "wb") as file:
                file.write(data)
        except OSError as error:
            raise Unavailable(f"'{path}' cannot be written: {error.strerror}.") from error

    def keep_only(self, letter_ids: Container[str]) -> int:
        """Remove the files of letters that are in the outbox no more; return how many."""
        if not self.folder.is_dir():
            return 0
        old = [path for path in self.folder.glob("*.eml") if path.stem not in letter_ids]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)
