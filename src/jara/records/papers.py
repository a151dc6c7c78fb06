"""Documents of entries, as they are stored."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from jara.domain.papers import PaperKind


class StoredPaper(NamedTuple):
    """A document: the SHA-256 of its bytes in hex, its media type, its size, when it came."""

    hash: str
    media_type: str
    bytes: int
    day: date

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return f"{self.hash}.{self.media_type.rpartition('/')[2].replace('jpeg', 'jpg')}"


class Spend(NamedTuple):
    """An entry that spends, without fees of the provider and the bank.

    Args:
        log_index: its place in the log.
        entry: its id.
        day: its day.
        description: what the log calls it.
        cents: what it spends.
        papers: how many documents it has; erased ones count.
    """

    log_index: int
    entry: str
    day: date
    description: str
    cents: int
    papers: int


class EntryPaper(NamedTuple):
    """A document of an entry.

    Args:
        entry: the log index of the entry.
        document: its hash.
        is_public: whether visitors may read it.
        kind: what it is.
        salt: of its leaf, in hex.
        leaf: the index of its leaf.
        added_by: the operator.
    """

    entry: int
    document: str
    is_public: bool
    kind: PaperKind
    salt: str
    leaf: int
    added_by: str
    added_at: datetime
