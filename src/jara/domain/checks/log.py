"""Checks of the public log: leaves, nodes, head, checkpoints, policies."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from jara.domain.checks.books import Finding
from jara.domain.errors import JaraError
from jara.domain.publiclog import canonical, notes
from jara.domain.publiclog.leaves import LeafType
from jara.domain.publiclog.merkle import Frontier, leaf_hash, node_hash
from jara.domain.publiclog.notes import KeyChain, Verifies

Leaf = Mapping[str, Any]
Left = TypeVar("Left")
Right = TypeVar("Right")


def check_leaves(
    leaves: Iterable[tuple[int, bytes, bytes, str]],
    head: Frontier,
    origin: str | None,
    *,
    before: Frontier = Frontier(),  # noqa: B008 - immutable
) -> Iterator[Finding]:
    """Find gaps, wrong hashes, and a head that does not match the leaves.

    The bytes of entries are not parsed here: `check_entry_columns` compares them with the rows.
    `leaves` are index, hash, bytes and type of each leaf in order; `head` is the stored size and
    peaks, `origin` the stored name of the log, `before` its state before the first leaf.
    """
    frontier = before
    for index, digest, body, kind in leaves:
        if index != frontier.size:
            yield _leaf(frontier.size, f"is missing; the next one there is {index}")
            return
        if leaf_hash(body) != digest:
            yield _leaf(index, "has bytes that do not hash to its stored hash")
        if kind != LeafType.ENTRY:
            yield from check_bytes(index, body, kind)
        if index == 0 and (name := read_leaf(body).get("name")) != origin:
            yield _leaf(0, f"names the log '{name}'; the organisation's log is '{origin}'")
        frontier, _ = frontier.append(digest)
    if frontier != head:
        yield Finding(
            "log_head",
            f"size {head.size}",
            f"The head is stored as size {head.size:,} and root {head.root().hex()}; the "
            f"{frontier.size:,} leaves give {frontier.root().hex()}.",
        )


def check_bytes(index: int, body: bytes, kind: str) -> Iterator[Finding]:
    """Check that a leaf's bytes are canonical and of the stored type."""
    leaf = read_leaf(body)
    if not leaf:
        yield _leaf(index, "has bytes that are not canonical JSON")
    elif leaf.get("t") != kind:
        yield _leaf(index, f"is stored as '{kind}'; its bytes say '{leaf.get('t')}'")


def check_nodes(
    level: int, below: Iterable[bytes], nodes: Iterable[tuple[int, bytes]], *, first: int = 0
) -> Iterator[Finding]:
    """Find inner nodes that are missing, superfluous, or not the hash of the two below.

    `nodes` are index and hash of each stored node of the level, 1 or more, in order from `first`.
    The hashes of the level `below` start with its left child.
    """
    pairs = enumerate(_twos(iter(below)), start=first)
    expected = ((index, node_hash(left, right)) for index, (left, right) in pairs)
    for index, made, stored in paired(expected, nodes):
        if made is None:
            yield _node(level, index, "covers leaves that do not exist")
        elif stored is None:
            yield _node(level, index, "is missing")
        elif made != stored:
            yield _node(level, index, "is not the hash of the two below it")


def check_checkpoint(
    note: str,
    *,
    size: int,
    root: bytes,
    root_here: bytes | None,
    keys: KeyChain,
    verifies: Verifies,
) -> Iterator[Finding]:
    """Check a checkpoint's text and signature, and that it is a prefix of the log.

    `size` and `root` are the stored ones; `root_here` is this log's root at that size, or None if
    it cannot be computed.
    """
    try:
        checkpoint = notes.parse_checkpoint(note)
    except JaraError as error:
        yield _checkpoint(size, f"cannot be read: {error}")
        return
    if (checkpoint.size, checkpoint.root) != (size, root):
        yield _checkpoint(size, "differs from the columns stored with it")
    if not keys.is_signed(checkpoint, verifies):
        yield _checkpoint(size, "is not signed by this log's key")
    if checkpoint.root != root_here:
        yield _checkpoint(size, "is not a prefix of this log: its root differs")


def check_policies(pairs: Iterable[tuple[int, Leaf | None, Leaf | None]]) -> Iterator[Finding]:
    """Find fund policies whose row differs from their leaf: log index, leaf, the row's leaf."""
    for index, leaf, made in pairs:
        if leaf != made:
            yield Finding(
                "policy_columns",
                f"leaf {index}",
                f"The fund policy at log index {index} differs between its row and its leaf.",
            )


def paired(
    left: Iterable[tuple[int, Left]], right: Iterable[tuple[int, Right]]
) -> Iterator[tuple[int, Left | None, Right | None]]:
    """Pair two sequences that are sorted by index; None for missing items."""
    lefts, rights = iter(left), iter(right)
    one, other = next(lefts, None), next(rights, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one[0] < other[0]):
            assert one is not None  # noqa: S101 - for the type checker
            yield one[0], one[1], None
            one = next(lefts, None)
        elif one is None or other[0] < one[0]:
            yield other[0], None, other[1]
            other = next(rights, None)
        else:
            yield one[0], one[1], other[1]
            one, other = next(lefts, None), next(rights, None)


def read_leaf(body: bytes) -> dict[str, Any]:
    """Return a leaf's fields; empty if the bytes are not a leaf."""
    try:
        value = canonical.decode(body)
    except JaraError:
        return {}
    return value if isinstance(value, dict) else {}


def _twos(items: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    for left in items:
        right = next(items, None)
        if right is not None:
            yield left, right


def _leaf(index: int, what: str) -> Finding:
    return Finding("log_leaves", f"leaf {index}", f"Leaf {index} {what}.")


def _node(level: int, index: int, what: str) -> Finding:
    return Finding("log_nodes", f"node {level}/{index}", f"Node {index} of level {level} {what}.")


def _checkpoint(size: int, what: str) -> Finding:
    return Finding("checkpoints", f"size {size}", f"The checkpoint of size {size} {what}.")
