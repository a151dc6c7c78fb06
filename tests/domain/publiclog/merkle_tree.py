"""A Merkle tree in memory, and the check of consistency proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jara.domain.publiclog.merkle import EMPTY_ROOT, Frontier, node_hash


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


def verify_consistency(
    first: int, second: int, first_root: bytes, second_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Return whether the second log begins with the first (RFC 9162 §2.1.4.2)."""
    if first == second:
        return first >= 0 and not proof and first_root == second_root
    if first == 0:
        return second > 0 and not proof and first_root == EMPTY_ROOT
    if not 0 < first < second or not proof:
        return False
    path = list(proof) if first & (first - 1) else [first_root, *proof]
    position, last = first - 1, second - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while position and not position & 1:
                position, last = position >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root
