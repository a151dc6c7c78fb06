"""Logs of leaf hashes in memory."""

from jara.domain.errors import NotFound
from jara.domain.publiclog import merkle
from jara.domain.publiclog.witnessing import Seen


class MemoryTree:
    """A log of leaf hashes."""

    def __init__(self, *leaves: bytes) -> None:
        """Store the leaves."""
        self._leaves = [merkle.leaf_hash(leaf) for leaf in leaves]

    def add(self, leaf: bytes) -> None:
        """Append a leaf."""
        self._leaves.append(merkle.leaf_hash(leaf))

    def size(self) -> int:
        """Return the number of leaves."""
        return len(self._leaves)

    def root(self, size: int | None = None) -> bytes:
        """Return the root of the current size or of an earlier one."""
        return merkle.tree_root(self._leaves[:size])

    def consistency(self, first: int, second: int) -> list[bytes]:
        """Return the proof that the first tree is a prefix of the second."""
        if second > self.size():
            raise NotFound("The log is shorter.")
        return merkle.consistency_proof(self._node, first, second)

    def seen(self, size: int) -> Seen:
        """Return a size with its root."""
        return Seen(size, self.root(size))

    def _node(self, level: int, index: int) -> bytes:
        return merkle.tree_root(self._leaves[index << level : (index + 1) << level])
