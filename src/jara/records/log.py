"""The public log: leaves, checkpoints, and what the signer remembers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from jara.domain.errors import Conflict
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
