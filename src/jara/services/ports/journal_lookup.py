"""Port of finding many entries at once: by place, by id, in order of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # a balance is read without entries
    from jara.domain.books.journal import PostedEntry


class JournalLookup(Protocol):
    """Reads for imports, exports and tables, without a read for each entry."""

    def many(self, indexes: Iterable[int]) -> dict[int, PostedEntry]:
        """Return the entries at these places of the log, by place."""
        ...

    def known_ids(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the log index of each entry id that the books have."""
        ...

    def notes_of(self, indexes: Iterable[int]) -> dict[int, str]:
        """Return the words kept beside these entries, outside the log."""
        ...

    def in_log_order(self) -> Iterator[PostedEntry]:
        """Return every entry in order of the log, where links point upwards."""
        ...
