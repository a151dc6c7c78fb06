"""A folder for files that must not outlive a command, inside a private folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = ".scratch-"


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Create a folder for the duration of a block, then remove it with its content.

    A killed command cannot remove its folder; the next one does. A folder in use is locked,
    and the lock ends with the process.
    """
    _remove_abandoned(parent)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            continue  # its command is still running
        finally:
            os.close(lock)
