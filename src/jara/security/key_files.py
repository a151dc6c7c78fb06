"""Files that only their owner can read, on disk before a function returns."""

from __future__ import annotations

import os
from pathlib import Path

from jara.domain.errors import Conflict, Unavailable

_FILE_MODE = 0o600
_SHORT_BYTES = 128


def read_short(path: str) -> bytes:
    """Return the content of a short file."""
    handle = os.open(path, os.O_RDONLY)
    try:
        return os.read(handle, _SHORT_BYTES)
    finally:
        os.close(handle)


def mark_of(path: Path) -> object:
    """Return a mark that changes when a file is replaced; None without the file."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns


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
    """Write the names of a folder's files to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def destroy_file(path: Path) -> None:
    """Overwrite a file and remove it; both are on disk when this returns."""
    with path.open("r+b") as file:  # overwritten first, for disks that allow it
        file.write(b"0" * path.stat().st_size)
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
    sync_folder(path.parent)
