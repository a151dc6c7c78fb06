"""Private files and folders: synced to disk, replaced, destroyed, or gone with their command."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

from jara.domain.errors import Conflict, Unavailable

FILE_MODE = 0o600
FOLDER_MODE = 0o700
"""Only the owner may read."""

_SHORT_BYTES = 128
_SCRATCH = ".scratch-"
_UNFINISHED = "unfinished"

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
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
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


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Create a folder for the duration of a block, then remove it with its content.

    A killed command cannot remove its folder; the next one does. A folder in use is locked,
    and the lock ends with the process.
    """
    _remove_abandoned(parent)
    folder = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=parent))
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_SCRATCH}*"):
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            continue  # its command is still running
        finally:
            os.close(lock)


@contextmanager
def alone_beside(path: Path) -> Iterator[None]:
    """Lock the folder that a path is or will be in; the lock ends with the process.

    Raises:
        Conflict: another process has it.
    """
    place = next(folder for folder in path.absolute().parents if folder.is_dir())
    handle = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise Conflict(f"Another process restores into {place}; nothing was changed.") from None
    finally:
        os.close(handle)


def is_unfinished(folder: Path) -> bool:
    """Return whether a process is in such a block, or was killed there; see `unfinished`."""
    return (folder / _UNFINISHED).exists()


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
    mark, had_folder = folder / _UNFINISHED, folder.is_dir()
    try:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        stays = was_left = mark.exists()
        handle = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
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
