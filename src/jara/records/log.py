"""The public log: leaves, checkpoints, what the signer remembers, and witnesses."""

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
    """The signer's state, compared with the log."""

    seen: Seen | None  # the highest signed size, and its root; None without a state
    place: str  # the file of the state
    contained: bool = True  # whether the log contains that tree
    is_expected: bool = True  # whether a state must exist, because the log was signed before


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


class Witness(NamedTuple):
    """A witness of this log."""

    name: str  # the name in its key
    key: str  # its published key
    url: str  # the address to send checkpoints to
    added_at: datetime  # when an operator added it
    seen_size: int = 0  # the last size known to be signed by it
    tried_at: datetime | None = None  # when it was last asked
    failure: str = ""  # why it did not sign then; empty if it signed


class Cosignature(NamedTuple):
    """A witness's signature of a checkpoint."""

    size: int  # the size of the checkpoint
    witness: str  # the name of the witness
    line: str  # the signature line, with its line feed
    seen_at: datetime  # the time in the witness's signature
