"""A mark in a folder whose keys are being made; only a kill leaves it behind."""

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
    """Mark a folder for the length of a block, so that a later process knows of a kill.

    A mark that was found stays if the block fails: what it warns of is still there. The folder is
    made if it is missing, and goes again if it stays empty.

    Yields:
        Whether a mark was left of a process that was killed.

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
