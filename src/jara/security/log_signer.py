"""The only code that signs with the log's key, and it signs checkpoints alone.

Before a signature leaves, the size and root are compared with the highest that were ever
signed. A log that does not contain that tree gets no signature, whatever its database says.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.errors import JaraError, Unavailable
from jara.domain.publiclog import merkle, notes
from jara.domain.publiclog.notes import VerificationKey
from jara.domain.publiclog.witnessing import Seen
from jara.security.key_files import write_new
from jara.security.signer_state import SignerState
from jara.services.ports.outside import SignerStanding, Tree


class LogSigner:
    """Signs checkpoints of one log."""

    def __init__(
        self,
        state: SignerState,
        *,
        earlier: SignerState,
        marker: Path,
        private: Callable[[], Ed25519PrivateKey],
    ) -> None:
        """Use a state and a key.

        Args:
            state: the highest size and root that were signed.
            earlier: where the state was until a folder of its own was set.
            marker: a file beside the key, which says that there is a state somewhere.
            private: reads the key.
        """
        self._state = state
        self._earlier = earlier
        self._marker = marker
        self._private = private
        self._proven: Seen | None = None  # a state that this process found in its own log

    def sign(
        self,
        name: str,
        seen: Seen,
        *,
        tree: Callable[[], Tree],
        durable: bool,
    ) -> str:
        """Return the signed checkpoint of a size and root that are committed already.

        Args:
            name: the log's origin.
            seen: the size and root.
            tree: the log, asked for proofs.
            durable: whether the state must outlive a power cut before the signature leaves.

        Raises:
            Unavailable: the log does not contain what was signed before, or the state is missing.
        """
        self._make_once(seen)
        with self._state.locked() as state:
            self._require_continued(state.seen, seen, tree, quickly=not durable)
            if seen.size > state.seen.size:
                state.advance(seen, durable=durable)
            elif durable:
                state.sync()  # a receipt may have written it
            self._proven = state.seen
            private = self._private()
            key = VerificationKey(name, private.public_key().public_bytes_raw())
            return notes.sign_checkpoint(seen.size, seen.root, key=key, sign=private.sign)

    def standing(self, tree: Tree) -> SignerStanding:
        """Compare the state with a log; nothing is signed or written."""
        if not self._state.exists():
            return SignerStanding(None, str(self._state.path), is_expected=self._marker.exists())
        with self._state.locked() as state:
            seen = state.seen
        return SignerStanding(seen, str(self._state.path), contained=_contains(tree, seen))

    def adopt(self, seen: Seen) -> None:
        """Make a missing state from a checkpoint."""
        self._state.put(seen)
        self._mark()

    def _make_once(self, seen: Seen) -> None:
        """Make the state of a new organisation, or of one of an earlier version."""
        if self._state.exists():
            return
        if self._earlier.exists():
            with self._earlier.locked() as earlier:
                self.adopt(earlier.seen)
            return
        if self._marker.exists():
            raise Unavailable(
                f"The signer's state {self._state.path} is missing, and this log was signed "
                "before. Give the newest checkpoint that others hold: jara proofs adopt-log FILE"
            )
        self.adopt(seen)

    def _mark(self) -> None:
        if not self._marker.exists():
            write_new(self._marker, f"{self._state.path}\n".encode())

    def _require_continued(
        self, last: Seen, seen: Seen, tree: Callable[[], Tree], *, quickly: bool
    ) -> None:
        """Refuse a tree that is not proven to contain the last one, or to be part of it."""
        if quickly and seen.size > last.size and last == self._proven:
            return  # the log of a running process only grows; each checkpoint proves it
        if seen == last:
            return
        small, large = sorted((last, seen), key=lambda one: one.size)
        try:
            proof = tree().consistency(small.size, large.size)
        except JaraError:
            proof = []
        if not merkle.verify_consistency(small.size, large.size, small.root, large.root, proof):
            raise Unavailable(
                f"The log of {seen.size} leaves is not signed: it does not contain the log of "
                f"{last.size} leaves that was signed last. If a backup was restored, read "
                "docs/operations.md, 'After a loss'."
            )


def _contains(tree: Tree, seen: Seen) -> bool:
    return tree.size() >= seen.size and tree.root(seen.size) == seen.root
