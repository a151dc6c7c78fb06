"""Port of the public log: its leaves, its proofs, its checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from jara.domain.errors import Conflict
from jara.domain.publiclog.merkle import Frontier
from jara.domain.publiclog.witnessing import Seen


class SignerRefused(Conflict):
    """The log's key refuses to sign a second history."""

    code = "signer_refused"


class Tree(Protocol):
    """The part of the log that the signer reads."""

    def size(self) -> int:
        """Return the number of leaves."""
        ...

    def root(self, size: int | None = None) -> bytes:
        """Return the current root, or the root at a size."""
        ...

    def consistency(self, first: int, second: int) -> list[bytes]:
        """Return the proof that the first tree is a prefix of the second."""
        ...


class SignerStanding(NamedTuple):
    """The signer's state, compared with the log.

    Args:
        seen: the highest signed size, and its root; None without a state.
        place: the file of the state.
        contained: whether the log contains that tree.
        is_expected: whether a state must exist, because the log was signed before.
    """

    seen: Seen | None
    place: str
    contained: bool = True
    is_expected: bool = True


@dataclass(frozen=True, slots=True)
class LogLeaf:
    """One leaf of the public log as stored: its hash, its exact bytes, its type."""

    index: int
    hash: bytes
    body: bytes
    type: str


class Checkpoint(NamedTuple):
    """A signed note of the log's size and root."""

    size: int
    root: bytes
    note: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Extent:
    """The number of leaves of a type, and their total bytes."""

    type: str
    count: int
    bytes: int


class LogRepository(Protocol):
    """The append-only Merkle log."""

    def size(self) -> int:
        """Return the number of leaves."""
        ...

    def root(self, size: int | None = None) -> bytes:
        """Return the current root, or the root at a size."""
        ...

    def append(self, document: Mapping[str, object]) -> LogLeaf:
        """Append a leaf document and return it as stored."""
        ...

    def leaf(self, index: int) -> LogLeaf:
        """Return one leaf.

        Raises:
            NotFound: the log is shorter.
        """
        ...

    def leaves(self, start: int = 0, stop: int | None = None) -> Iterator[LogLeaf]:
        """Return the leaves from start up to, not including, stop."""
        ...

    def leaves_of(self, leaf_type: str, start: int = 0) -> Iterator[LogLeaf]:
        """Return the leaves of a type in order, from an index on."""
        ...

    def control_leaves(self) -> Iterator[LogLeaf]:
        """Return the leaves about operators' keys and limits, in order."""
        ...

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that a leaf is in the tree of that size."""
        ...

    def consistency(self, first: int, second: int) -> list[bytes]:
        """Return the proof that the first tree is a prefix of the second."""
        ...

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Store a signed note; keep an existing one of the same size."""
        ...

    def checkpoints(self) -> list[Checkpoint]:
        """Return all signed notes, oldest first."""
        ...

    def checkpoint(self, size: int) -> Checkpoint | None:
        """Return the signed note for a size, if there is one."""
        ...

    def extents(self, size: int) -> list[Extent]:
        """Return the number and bytes of leaves of each type, up to a log size."""
        ...

    def nodes(
        self, level: int, first: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Return index and hash of the stored nodes of a level, in order; level 0 is the leaves."""
        ...

    def frontier(self, size: int) -> Frontier:
        """Return the head at a size, from stored nodes."""
        ...

    def head(self) -> Frontier:
        """Return the stored head."""
        ...
