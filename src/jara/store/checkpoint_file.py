"""The file of published checkpoints; it is append-only, so it can be published anywhere."""

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

from jara.domain.errors import Conflict, Unavailable


class CheckpointFile:
    """An append-only text file beside the database."""

    def __init__(self, path: Path) -> None:
        """Take its path; the first checkpoint creates the file."""
        self._path = path

    def extend(self, published: Callable[[], str]) -> int:
        """Append newly published checkpoints; return their bytes.

        `published` returns the text of every checkpoint, oldest first; no other process can append
        while it is called.

        Raises:
            Conflict: the file is not a prefix of that text.
            Unavailable: the file cannot be written.
        """
        try:
            with self._path.open("a+b", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                text = published().encode()
                missing = self._missing(file.read() if not file.seek(0) else b"", text)
                if missing:
                    file.write(missing)
                    os.fsync(file.fileno())
        except OSError as error:
            raise Unavailable(f"'{self._path}' cannot be written: {error.strerror}.") from error
        return len(missing)

    def set_aside(self) -> None:
        """Rename the file, so that another history starts a new one; overwrite nothing."""
        names = (f"{self._path.name}.before-restore-{number}" for number in count(1))
        aside = next(path for path in map(self._path.with_name, names) if not path.exists())
        with suppress(FileNotFoundError):
            self._path.rename(aside)

    def check(self, published: str) -> str | None:
        """Return the problem with the file; None if all of it was published here."""
        try:
            kept = self._path.read_bytes()
            self._missing(kept, published.encode())
        except FileNotFoundError:
            return None
        except OSError as error:
            return f"'{self._path}' cannot be read: {error.strerror}."
        except Conflict as error:
            return error.message
        return None

    def _missing(self, kept: bytes, text: bytes) -> bytes:
        if text.startswith(kept):
            return text[len(kept) :]
        if kept.startswith(text):
            raise Conflict(
                f"'{self._path}' has checkpoints that the database does not know; the "
                "database is older than what was published."
            )
        raise Conflict(f"'{self._path}' has checkpoints of another log or another history.")
