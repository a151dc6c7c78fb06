"""The Merkle tree of the public log: hashes as in RFC 6962 §2.1, proofs as in RFC 9162.

A *complete* subtree is named by (level, index): it covers the leaves from
``index << level`` up to ``(index + 1) << level``; level 0 is the leaf hashes. Complete
subtrees never change once they exist, so the store writes each once and computes every
root and proof of every past size with O(log n) lookups.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from jara.domain.errors import InvalidInput

NodeLookup: TypeAlias = Callable[[int, int], bytes]
"""Returns the hash of the complete subtree (level, index)."""

NewNode: TypeAlias = tuple[int, int, bytes]
"""Level (1 or more), index and hash of an inner node that has become complete."""

EMPTY_ROOT = sha256(b"").digest()
"""The root of a log without leaves."""


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf's bytes."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


class Frontier(NamedTuple):
    """The state needed to append: the size, and the peaks from left to right.

    A peak is the root of a complete subtree; there is one for each 1 bit of the size.
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def append(self, leaf: bytes) -> "tuple[Frontier, list[NewNode]]":
        """Return the frontier after one more leaf hash, and the nodes it completed."""
        peaks = list(self.peaks)
        new_nodes: list[NewNode] = []
        level, index, top = 0, self.size, leaf
        while index & 1:
            top = node_hash(peaks.pop(), top)
            level, index = level + 1, index >> 1
            new_nodes.append((level, index, top))
        peaks.append(top)
        return Frontier(self.size + 1, tuple(peaks)), new_nodes

    def root(self) -> bytes:
        """Return the current root."""
        return _bagged(self.peaks)


def frontier_at(node: NodeLookup, size: int) -> Frontier:
    """Return the frontier at a size, from stored nodes."""
    return Frontier(size, tuple(_peaks(node, 0, size)))


def root_at(node: NodeLookup, size: int) -> bytes:
    """Return the root at a size, from stored nodes."""
    return _bagged(_peaks(node, 0, size))


def tree_root(leaves: Iterable[bytes]) -> bytes:
    """Return the root over leaf hashes."""
    frontier = Frontier()
    for leaf in leaves:
        frontier, _ = frontier.append(leaf)
    return frontier.root()


def inclusion_proof(node: NodeLookup, index: int, size: int) -> list[bytes]:
    """Return the inclusion proof of a leaf at a size (RFC 9162 §2.1.3.1).

    Raises:
        InvalidInput: the log of that size has no such leaf.
    """
    if not 0 <= index < size:
        raise InvalidInput(f"A log of {size} leaves has no leaf {index}.")
    proof: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            proof.append(_bagged(_peaks(node, middle, end)))
            end = middle
        else:
            proof.append(_bagged(_peaks(node, start, middle)))
            start = middle
    return proof[::-1]


def consistency_proof(node: NodeLookup, first: int, second: int) -> list[bytes]:
    """Return the consistency proof between two sizes (RFC 9162 §2.1.4.1).

    An empty log is a prefix of every log, so from 0 the proof is empty.

    Raises:
        InvalidInput: the first size is negative or larger than the second.
    """
    if not 0 <= first <= second:
        raise InvalidInput(f"A log of {first} leaves is not a prefix of one of {second}.")
    if first == 0:
        return []
    proof: list[bytes] = []
    start, end = 0, second
    while end != first:
        middle = start + _split(end - start)
        if first <= middle:
            proof.append(_bagged(_peaks(node, middle, end)))
            end = middle
        else:
            proof.append(_bagged(_peaks(node, start, middle)))
            start = middle
    if start:  # the verifier knows the first root, but not this subtree
        proof.append(_bagged(_peaks(node, start, end)))
    return proof[::-1]


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Return whether a leaf hash is at an index below a root (RFC 9162 §2.1.3.2)."""
    if not 0 <= index < size:
        return False
    position, last, top = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if position & 1 or position == last:
            top = node_hash(sibling, top)
            while position and not position & 1:
                position, last = position >> 1, last >> 1
        else:
            top = node_hash(top, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and top == root


def verify_consistency(
    first: int, second: int, first_root: bytes, second_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Return whether the first log is a prefix of the second (RFC 9162 §2.1.4.2)."""
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


def _split(size: int) -> int:
    """Return the largest power of two below the size (RFC 9162 §2.1.1)."""
    return 1 << ((size - 1).bit_length() - 1)


def _peaks(node: NodeLookup, start: int, end: int) -> list[bytes]:
    """Return the roots of the complete subtrees that cover the leaves [start, end).

    The cuts of RFC 9162 make ``start`` a multiple of each subtree's size.
    """
    peaks: list[bytes] = []
    rest = end - start
    while rest:
        level = rest.bit_length() - 1
        peaks.append(node(level, start >> level))
        start += 1 << level
        rest -= 1 << level
    return peaks


def _bagged(peaks: Sequence[bytes]) -> bytes:
    """Return the root over peaks, combined from right to left."""
    if not peaks:
        return EMPTY_ROOT
    top = peaks[-1]
    for peak in reversed(peaks[:-1]):
        top = node_hash(peak, top)
    return top
