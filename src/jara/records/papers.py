"""Documents of entries, as they are stored."""

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
    """An entry that spends, without fees of the provider and the bank."""

    log_index: int  # its place in the log
    entry: str  # its id
    day: date
    description: str  # what the log calls it
    cents: int  # what it spends
    papers: int  # how many documents it has; erased ones count


class EntryPaper(NamedTuple):
    """A document of an entry."""

    entry: int  # the log index of the entry
    document: str  # its hash
    is_public: bool  # whether visitors may read it
    kind: PaperKind
    salt: str  # of its leaf, in hex
    leaf: int  # the index of its leaf
    added_by: str  # the operator
    added_at: datetime
