"""Files that only their owner can read, synced to disk before a function returns."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from jara.domain.errors import Conflict, Unavailable

_FILE_MODE = 0o600
_SHORT_BYTES = 128

Content = TypeVar("Content")


def read_short(path: str) -> bytes:
    """Return the content of a short file."""
    handle = os.open(path, os.O_RDONLY)
    try:
        return os.read(handle, _SHORT_BYTES)
    finally:
        os.close(handle)


def mark_of(path: str | Path) -> object:
    """Return a mark that changes when a file is replaced; None without the file."""
    try:
        facts = os.stat(path)  # noqa: PTH116 - asked several times with each vote
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns


class CachedFile(Generic[Content]):
    """The content of a file, read again only after the file was replaced."""

    def __init__(self, path: Path, read: Callable[[], Content]) -> None:
        """Set the file and its reader; nothing is read yet."""
        self._path = str(path)
        self._read = read
        self._known: tuple[object, Content] | None = None

    def content(self) -> Content:
        """Return the current content."""
        mark = mark_of(self._path)
        known = self._known
        if known is None or known[0] != mark:
            known = self._known = (mark, self._read())
        return known[1]


def write_new(path: Path, data: bytes) -> None:
    """Create a file.

    Raises:
        Conflict: it exists.
        Unavailable: it cannot be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
    except FileExistsError:
        raise Conflict(f"{path} exists already; nothing was changed.") from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror}.") from error
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: Path, data: bytes) -> None:
    """Write a file in place of any other; it is on disk when this returns."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    draft.unlink(missing_ok=True)
    write_new(draft, data)
    draft.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the file names of a folder to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def destroy_file(path: Path) -> bool:
    """Overwrite a file and remove it; both are on disk when this returns.

    Two processes may destroy the same file at the same time.

    Returns:
        Whether there was one.
    """
    try:
        with path.open("r+b") as file:  # overwritten first, for disks that allow it
            file.write(b"0" * os.fstat(file.fileno()).st_size)
            file.flush()
            os.fsync(file.fileno())
    except FileNotFoundError:
        return False
    path.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True
