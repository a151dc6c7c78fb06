"""A Merkle tree in memory."""

from collections.abc import Iterable

from jara.domain.publiclog.merkle import Frontier


class MemoryTree:
    """A whole tree in memory."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        """Append the leaf hashes one after the other."""
        self.frontier = Frontier()
        self._nodes: dict[tuple[int, int], bytes] = {}
        for leaf in leaves:
            self.append(leaf)

    def append(self, leaf: bytes) -> None:
        """Append one leaf hash."""
        self._nodes[0, self.frontier.size] = leaf
        self.frontier, new_nodes = self.frontier.append(leaf)
        self._nodes.update({(level, index): top for level, index, top in new_nodes})

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree: a `NodeLookup`."""
        return self._nodes[level, index]
