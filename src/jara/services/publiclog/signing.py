"""Signing the committed log, outside of transactions."""

from __future__ import annotations

from jara.domain.publiclog.merkle import Frontier, step_proof
from jara.domain.publiclog.witnessing import Seen
from jara.services.context import Context


class CommittedLog:
    """The committed log, read outside of transactions."""

    def __init__(self, context: Context, newest: tuple[Frontier, bytes] | None = None) -> None:
        """Read a context's log.

        Args:
            context: the application's context.
            newest: the log before a leaf, and its hash; that step is proven without the database.
        """
        self._context = context
        self._newest = newest

    def size(self) -> int:
        """Return the number of leaves."""
        return self._context.store.read_once().log.size()

    def root(self, size: int | None = None) -> bytes:
        """Return the root now, or as it was at a size."""
        return self._context.store.read_once().log.root(size)

    def consistency(self, first: int, second: int) -> list[bytes]:
        """Return the proof that the first tree is a prefix of the second."""
        if self._newest is not None:
            before, leaf = self._newest
            if (first, second) == (before.size, before.size + 1):
                return step_proof(before, leaf)
        return self._context.store.read_once().log.consistency(first, second)


def sign_newest(context: Context) -> tuple[Seen, str]:
    """Return the size and root of the committed log, and its signed checkpoint.

    Call this before a transaction that reads the log: then the log in the transaction is never
    older than what another process has signed.

    Raises:
        SignerRefused: the log does not contain what was signed before.
        Unavailable: the signer's state is missing or cannot be written.
    """
    with context.store.read() as work:
        seen = Seen(work.log.size(), work.log.root())
    return seen, context.vault.sign_checkpoint(seen, CommittedLog(context))
