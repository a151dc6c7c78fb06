"""The only code that signs with the log's key, and it signs checkpoints alone.

Before it returns a signature, it compares the size and root with the highest ever signed, and
stores them first if they are higher. A log that does not contain the highest signed tree gets no
signature, whatever its database says.

A checkpoint waits for the disk. A voter's receipt does not: it would wait twice for each vote,
and its leaf is on disk already. After a power cut the state may miss the last receipts.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from jara.domain.errors import JaraError, Unavailable
from jara.domain.publiclog import merkle, notes
from jara.domain.publiclog.notes import VerificationKey
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import SignerRefused, SignerStanding, Tree
from jara.security.files import FILE_MODE, FOLDER_MODE, replace_file, sync_folder
from jara.security.key_folder import LogKeys

_SLOT_BYTES = 4096
_MARK = "jara/v1/signer"


class SignerState:
    """The highest size and root that the log's signer signed, in one small file.

    The file lies outside the database and its backups. Two slots are written in turn, each with
    a checksum, so a kill or a torn write leaves the other one. Overwriting a slot waits for the
    disk once; a new file under the old name would wait three times, with each vote.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        """Name the file; nothing is read yet.

        Args:
            path: the file.
            durable: False skips waiting for the disk; for samples and tests only.
        """
        self.path = path
        self._lock = path.with_suffix(".lock")
        self._user = path.with_suffix(".database")
        self._durable = durable

    def note_user(self, database: str) -> None:
        """Write the database whose log is signed beside the state, if it is another one.

        Raises:
            Unavailable: it cannot be written.
        """
        try:
            if database and self.user() != database:
                replace_file(self._user, database.encode())
        except OSError as error:
            raise _unavailable("written", self.path, error) from error

    def user(self) -> str | None:
        """Return the database whose log was signed last; None if an older version signed."""
        try:
            return self._user.read_text("utf-8")
        except FileNotFoundError:
            return None

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
                draft.chmod(FILE_MODE)
                file.write(_slot(seen) + bytes(_SLOT_BYTES))
                file.flush()
                self._sync(file.fileno())
            draft.replace(self.path)
            sync_folder(self.path.parent)
        except OSError as error:
            raise _unavailable("written", self.path, error) from error

    def advance(self, choose: Callable[[Seen | None], Seen]) -> Seen:
        """Write a larger size to the slot without the highest one; return it. It survives a kill.

        `choose` takes the stored state, None if it is damaged, and returns the new one; this is
        written only if it is larger.

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
                self.path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
                handle = self._open_lock()
        except OSError as error:
            raise _unavailable("locked", self.path, error) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)  # this also unlocks it

    def _open_lock(self) -> int:
        return os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)

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


class LogSigner:
    """Signs checkpoints of one log."""

    def __init__(
        self, key: str, state: SignerState, *, marker: Path, keys: LogKeys, database: str
    ) -> None:
        """Use a state and a key.

        Args:
            key: identifies the log.
            state: the highest size and root that were signed.
            marker: a file beside the key, with the path of the state.
            keys: the key that signs, and its name.
            database: the database with the log.
        """
        self.key = key
        self._state = state
        self._marker = marker
        self._keys = keys
        self._database = database

    @property
    def place(self) -> Path | None:
        """The file of the state, or None without one."""
        return None if self._state.identity() is None else self._state.path

    def note_database(self, database: str | None = None) -> None:
        """Write down which database, by default its own, uses the key, before it signs anything."""
        used = database or self._database
        if used:
            with self._state.locked():
                self._state.note_user(used)

    @property
    def user(self) -> str | None:
        """The database that uses the key on this machine, or None."""
        earlier = self._earlier()
        return self._state.user() or (None if earlier is None else earlier.user())

    def sign(self, seen: Seen, tree: Tree) -> str:
        """Return the signed checkpoint of a size and root, whose leaves are committed.

        `tree` is the log as it is committed.

        Raises:
            SignerRefused: the trees do not share one history.
            Unavailable: the state is missing or cannot be written.
        """
        if self._state.identity() is None:
            self._make(tree)
        with self._state.locked():
            self._state.advance(lambda kept: self._continue(kept, seen, tree))
            self._state.note_user(self._database)
        self._state.sync()
        return self._note(seen)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Keep every process from signing a larger log until the block ends."""
        with self._state.locked():
            yield

    def _note(self, seen: Seen) -> str:
        """Sign; the previous key signs too, until its handover is stored."""
        name = self._keys.name()
        text = notes.checkpoint_text(name, seen.size, seen.root)
        lines = [
            notes.signature_line(
                VerificationKey(name, private.public_key().public_bytes_raw()),
                private.sign(text.encode()),
            )
            for private in self._keys.signers()
        ]
        return notes.assemble(text, lines)

    def require_ready(self, tree: Tree) -> None:
        """Run the quick checks before a leaf that needs a signature is added.

        Raises:
            SignerRefused: the log is behind the state, or has another history.
            Unavailable: the state is missing.
        """
        top = self._state.read()
        if top is None:
            if self._state.identity() is None and self._earlier() is None:
                return  # nothing was signed yet
            self._make(tree)
            top = self._state.read()
        if top is None:
            raise _missing(self._state.path)
        here = Seen(tree.size(), tree.root())
        if top.size > here.size or (top.size == here.size and top != here):
            raise _refusal(top, here)

    def standing(self, tree: Tree) -> SignerStanding:
        """Compare the state with a log; nothing is signed or written."""
        seen, place = self._state.read(), str(self._state.path)
        if seen is None:
            expected = self._marker.exists() or self._state.identity() is not None
            return SignerStanding(None, place, contained=False, is_expected=expected)
        contained = tree.size() >= seen.size and tree.root(seen.size) == seen.root
        return SignerStanding(seen, place, contained=contained)

    def adopt(self, seen: Seen) -> None:
        """Write a new state in place of any other, for operators who know the history.

        Raises:
            Unavailable: it cannot be written.
        """
        with self._state.locked():
            self._put(seen)

    def _make(self, tree: Tree) -> None:
        """Create the state of a new organisation or one of an earlier version, or copy it here."""
        with self._state.locked():
            if self._state.identity() is not None:
                return
            earlier = self._earlier()
            if earlier is None:
                size = tree.size()
                self._put(Seen(size, tree.root(size)))  # it may grow in between
                return
            seen = earlier.read()
            if seen is None:
                raise _missing(self._state.path)
            self._put(seen)  # the other file stays: a copy of the organisation may have named it

    def _earlier(self) -> SignerState | None:
        """Return the state that the marker names; None without a marker."""
        try:
            return SignerState(Path(self._marker.read_text("utf-8").strip()))
        except FileNotFoundError:
            return None

    def _put(self, seen: Seen) -> None:
        self._state.put(seen)
        replace_file(self._marker, f"{self._state.path.absolute()}\n".encode())

    def _continue(self, kept: Seen | None, seen: Seen, tree: Tree) -> Seen:
        """Return the larger of the last signed tree and the tree to sign."""
        if kept is None:
            raise _missing(self._state.path)
        _require_one_history(kept, seen, tree)
        return max(kept, seen, key=lambda one: one.size)


def _require_one_history(highest: Seen, seen: Seen, tree: Tree) -> None:
    """Refuse a tree without a proof that it contains the highest one or is part of it."""
    if seen == highest:
        return
    small, large = sorted((highest, seen), key=lambda one: one.size)
    try:
        proof = tree.consistency(small.size, large.size)
    except JaraError:  # the log is shorter
        proof = []
    if not merkle.verify_consistency(small.size, large.size, small.root, large.root, proof):
        raise _refusal(highest, seen)


def _refusal(highest: Seen, seen: Seen) -> SignerRefused:
    return SignerRefused(
        f"The log of {seen.size:,} leaves with root {seen.root.hex()} is not signed: the highest "
        f"signed log has {highest.size:,} leaves and root {highest.root.hex()}, and the two are "
        "not shown to be one history. If an older copy of the database was restored, restore the "
        "newest one; see 'The signer' in docs/operations.md."
    )


def _missing(path: Path) -> Unavailable:
    return Unavailable(
        f"The signer's state {path} is missing or damaged, and this log was signed before. Set "
        "JARA_SIGNER_DIR to the folder that has it, or make it again with the newest checkpoint "
        "that others hold: jara proofs signer reset --checkpoint FILE"
    )
