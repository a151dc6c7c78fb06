"""A mark in a folder while its keys are created; only a kill leaves it behind."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jara.domain.errors import Conflict, Unavailable

_MARK = "unfinished"
_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


@contextmanager
def unfinished(folder: Path) -> Iterator[bool]:
    """Mark a folder for the duration of a block, so that a later process can detect a kill.

    An existing mark stays if the block fails, since its cause remains. The folder is created if
    it is missing, and removed if it stays empty.

    Yields:
        Whether a killed process left a mark.

    Raises:
        Conflict: another process is in such a block.
        Unavailable: the folder cannot be written.
    """
    mark, had_folder = folder / _MARK, folder.is_dir()
    try:
        folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        stays = was_left = mark.exists()
        handle = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE)
    except OSError as error:
        raise Unavailable(f"{folder} cannot be written: {error.strerror}.") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # it ends with the process
        try:
            yield was_left
            stays = False
        finally:
            if not stays:
                mark.unlink(missing_ok=True)
    except BlockingIOError:
        raise Conflict(f"Another process is making {folder}; nothing was changed.") from None
    finally:
        os.close(handle)
        if not had_folder:
            with suppress(OSError):  # it is not empty
                folder.rmdir()
