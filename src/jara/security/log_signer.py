"""The only code that signs with the log's key, and it signs checkpoints alone.

Before it returns a signature, it compares the size and root with the highest ever signed, and
stores them first if they are higher. A log that does not contain the highest signed tree gets no
signature, whatever its database says.

A checkpoint waits for the disk. A voter's receipt does not: it would wait twice for each vote,
and its leaf is on disk already. After a power cut the state may miss the last receipts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jara.domain.errors import JaraError, Unavailable
from jara.domain.publiclog import merkle, notes
from jara.domain.publiclog.notes import VerificationKey
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import SignerRefused, SignerStanding, Tree
from jara.security.key_files import replace_file
from jara.security.log_keys import LogKeys
from jara.security.signer_state import SignerState


class LogSigner:
    """Signs checkpoints of one log."""

    def __init__(self, key: str, state: SignerState, *, marker: Path, keys: LogKeys) -> None:
        """Use a state and a key.

        Args:
            key: identifies the log.
            state: the highest size and root that were signed.
            marker: a file beside the key, with the path of the state.
            keys: the key that signs, and its name.
        """
        self.key = key
        self._state = state
        self._marker = marker
        self._keys = keys

    @property
    def place(self) -> Path | None:
        """The file of the state, or None without one."""
        return None if self._state.identity() is None else self._state.path

    def sign(self, seen: Seen, tree: Tree, *, durable: bool = True) -> str:
        """Return the signed checkpoint of a size and root, whose leaves are committed.

        Args:
            seen: the size and root.
            tree: the log as it is committed.
            durable: whether the state must survive a power cut, not only a kill.

        Raises:
            SignerRefused: the trees do not share one history.
            Unavailable: the state is missing or cannot be written.
        """
        if self._state.identity() is None:
            self._make(tree)
        with self._state.locked():
            self._state.advance(lambda kept: self._continue(kept, seen, tree))
        if durable:
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
        f"The log of {seen.size} leaves with root {seen.root.hex()} is not signed: the highest "
        f"signed log has {highest.size} leaves and root {highest.root.hex()}, and the two are not "
        "shown to be one history. If an older copy of the database was restored, restore the "
        "newest one; see 'The signer' in docs/operations.md."
    )


def _missing(path: Path) -> Unavailable:
    return Unavailable(
        f"The signer's state {path} is missing or damaged, and this log was signed before. Set "
        "JARA_SIGNER_DIR to the folder that has it, or make it again with the newest checkpoint "
        "that others hold: jara proofs signer reset --checkpoint FILE"
    )
