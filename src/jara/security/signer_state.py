"""What the log's signer signed last: the highest size and root, in one small file.

The file lies outside the database and its backups. Two slots are written in turn, each with a
checksum, so a kill or a torn write leaves the other one.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from jara.domain.errors import Unavailable
from jara.domain.publiclog.witnessing import Seen
from jara.security.key_files import sync_folder

_SLOT_BYTES = 512
_MARK = "jara/v1/signer"
_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


@dataclass(slots=True)
class OpenState:
    """The state while no other process can change it."""

    handle: int
    slots: list[Seen | None]

    @property
    def seen(self) -> Seen:
        """The highest size that was signed, with its root."""
        return max((slot for slot in self.slots if slot), key=lambda seen: seen.size)

    def advance(self, seen: Seen, *, durable: bool) -> None:
        """Write a larger size into the slot with the smaller one.

        Args:
            seen: what is about to be signed.
            durable: whether it must outlive a power cut; without it, it outlives a kill.
        """
        current = self.slots.index(self.seen)
        os.pwrite(self.handle, _slot(seen), (1 - current) * _SLOT_BYTES)
        if durable:
            os.fsync(self.handle)
        self.slots[1 - current] = seen

    def sync(self) -> None:
        """Write what is there to disk."""
        os.fsync(self.handle)


class SignerState:
    """The file of a signer's state."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is read yet."""
        self.path = path

    def exists(self) -> bool:
        """Return whether there is a state."""
        return self.path.exists()

    def put(self, seen: Seen) -> None:
        """Write a new file in place of any other; it is on disk when this returns.

        Raises:
            Unavailable: it cannot be written.
        """
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            self.path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE)
            try:
                os.write(handle, _slot(seen))
                os.fsync(handle)
            finally:
                os.close(handle)
            draft.replace(self.path)
            sync_folder(self.path.parent)
        except OSError as error:
            raise Unavailable(
                f"The signer's state {self.path} cannot be written: {error.strerror}. Set "
                "JARA_SIGNER_DIR to a folder that this program may write."
            ) from error

    @contextmanager
    def locked(self) -> Iterator[OpenState]:
        """Open the state; others wait until the block ends.

        Raises:
            Unavailable: it is missing, damaged, or cannot be opened.
        """
        try:
            handle = os.open(self.path, os.O_RDWR)
        except OSError as error:
            raise Unavailable(
                f"The signer's state {self.path} cannot be opened: {error.strerror}."
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            data = os.pread(handle, 2 * _SLOT_BYTES, 0)
            slots = [_read_slot(data[:_SLOT_BYTES]), _read_slot(data[_SLOT_BYTES:])]
            if not any(slots):
                raise Unavailable(
                    f"The signer's state {self.path} is damaged: move it away, then give the "
                    "newest checkpoint that others hold: jara proofs adopt-log FILE"
                )
            yield OpenState(handle, slots)
        finally:
            os.close(handle)  # this also unlocks it


def _slot(seen: Seen) -> bytes:
    text = f"{_MARK} {seen.size} {seen.root.hex()}"
    return f"{text} {sha256(text.encode()).hexdigest()}\n".encode().ljust(_SLOT_BYTES, b"\n")


def _read_slot(data: bytes) -> Seen | None:
    text, _, check = data.rstrip(b"\n").rpartition(b" ")
    if sha256(text).hexdigest().encode() != check:
        return None
    _, size, root = text.decode("ascii").split(" ")
    return Seen(int(size), bytes.fromhex(root))
