"""The highest size and root that the log's signer signed, in one small file.

The file lies outside the database and its backups. Two slots are written in turn, each with a
checksum, so a kill or a torn write leaves the other one. Overwriting a slot waits for the disk
once; a new file under the old name would wait three times, with each vote.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from jara.domain.errors import Unavailable
from jara.domain.publiclog.witnessing import Seen
from jara.security.key_files import sync_folder

_SLOT_BYTES = 4096
_MARK = "jara/v1/signer"
_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


class SignerState:
    """The file of a signer's state."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        """Name the file; nothing is read yet.

        Args:
            path: the file.
            durable: False skips waiting for the disk; for samples and tests only.
        """
        self.path = path
        self._lock = path.with_suffix(".lock")
        self._durable = durable

    def identity(self) -> int | None:
        """Return a number that changes when the file is replaced; None without a file."""
        try:
            return os.stat(self.path).st_ino  # noqa: PTH116 - asked with each vote
        except OSError:
            return None

    def read(self) -> Seen | None:
        """Return the highest size and root; None without a file, or if it is damaged.

        Raises:
            Unavailable: the file cannot be opened.
        """
        try:
            handle = os.open(self.path, os.O_RDONLY)
            try:
                slots = _read_slots(handle)
            finally:
                os.close(handle)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unavailable("read", self.path, error) from error
        return max(slots.values(), key=lambda seen: seen.size, default=None)

    def put(self, seen: Seen) -> None:
        """Write a new file in place of any other; it is on disk when this returns.

        Raises:
            Unavailable: it cannot be written.
        """
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            with draft.open("wb") as file:
                draft.chmod(_FILE_MODE)
                file.write(_slot(seen) + bytes(_SLOT_BYTES))
                file.flush()
                self._sync(file.fileno())
            draft.replace(self.path)
            sync_folder(self.path.parent)
        except OSError as error:
            raise _unavailable("written", self.path, error) from error

    def advance(self, choose: Callable[[Seen | None], Seen]) -> Seen:
        """Write a larger size to the slot without the highest one; it survives a kill.

        Args:
            choose: takes the stored state, None if it is damaged, and returns the new one; this is
                written only if it is larger.

        Returns:
            The chosen state.

        Raises:
            Unavailable: it cannot be written.
        """
        try:
            handle = os.open(self.path, os.O_RDWR)
            try:
                slots = _read_slots(handle)
                place = max(slots, key=lambda place: slots[place].size, default=1)
                kept = slots.get(place)
                chosen = choose(kept)
                if kept is None or chosen.size > kept.size:
                    os.pwrite(handle, _slot(chosen), (1 - place) * _SLOT_BYTES)
            finally:
                os.close(handle)
        except OSError as error:
            raise _unavailable("written", self.path, error) from error
        return chosen

    def sync(self) -> None:
        """Wait until all writes, by any process, are on disk.

        Raises:
            Unavailable: the file cannot be synced.
        """
        try:
            handle = os.open(self.path, os.O_RDWR)
            try:
                self._sync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise _unavailable("written", self.path, error) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from changing the state until the block ends.

        Raises:
            Unavailable: the folder cannot be written.
        """
        try:
            try:
                handle = self._open_lock()
            except FileNotFoundError:
                self.path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
                handle = self._open_lock()
        except OSError as error:
            raise _unavailable("locked", self.path, error) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)  # this also unlocks it

    def _open_lock(self) -> int:
        return os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE)

    def _sync(self, handle: int) -> None:
        if self._durable:
            os.fdatasync(handle) if hasattr(os, "fdatasync") else os.fsync(handle)


def _slot(seen: Seen) -> bytes:
    text = f"{_MARK} {seen.size} {seen.root.hex()}"
    return f"{text} {sha256(text.encode()).hexdigest()}\n".encode().ljust(_SLOT_BYTES, b"\n")


def _read_slots(handle: int) -> dict[int, Seen]:
    """Return the intact slots by their position."""
    data = os.pread(handle, 2 * _SLOT_BYTES, 0)
    slots = {}
    for place in (0, 1):
        slot = data[place * _SLOT_BYTES : (place + 1) * _SLOT_BYTES]
        line, _, _ = slot.partition(b"\n")
        text, _, check = line.rpartition(b" ")
        if text and sha256(text).hexdigest().encode() == check:
            _, size, root = text.decode("ascii").split(" ")
            slots[place] = Seen(int(size), bytes.fromhex(root))
    return slots


def _unavailable(verb: str, path: Path, error: OSError) -> Unavailable:
    return Unavailable(
        f"The signer's state {path} cannot be {verb}: {error.strerror}. JARA_SIGNER_DIR names a "
        "folder that this program may write; see docs/operations.md."
    )
