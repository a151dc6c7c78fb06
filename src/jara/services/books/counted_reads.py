"""Counts the rows that a check of the books reads, for a progress bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar, cast

from jara.domain.progress import Progress
from jara.services.books.verified_point import VerifiedPoint
from jara.store.unit_of_work import UnitOfWork

_ROWS_AT_ONCE = 500
_COUNTED = frozenset({"leaves", "leaves_of", "nodes", "entries"})
_LEAF_READS = 4
"""How often the checks read each leaf or node of the log."""
_ENTRY_READS = 2
"""How often the checks read each entry: its leaf, and its rows."""

Item = TypeVar("Item")


def rows_to_read(work: UnitOfWork, point: VerifiedPoint | None) -> int:
    """Return how many rows the checks read after a verified point, or in total without one."""
    size, entries = (0, 0) if point is None else (point.size, point.entries)
    leaves, later = work.log.size() - size, work.journal.count() - entries
    return max(_LEAF_READS * leaves + _ENTRY_READS * later, 1)


def count_reads(work: UnitOfWork, progress: Progress, total: int) -> UnitOfWork:
    """Wrap a transaction, to count the rows read from the log and the journal."""
    return cast("UnitOfWork", _Counted(work, {"log", "inspection"}, progress, total))


class _Counted:
    """Passes calls through, and counts the rows of the large results."""

    def __init__(self, inner: object, parts: set[str], progress: Progress, total: int) -> None:
        self._inner = inner
        self._parts = parts
        self._progress = progress
        self._total = total

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the port has
        found = getattr(self._inner, name)
        if name in self._parts:
            return _Counted(found, set(), self._progress, self._total)
        if name in _COUNTED and not self._parts:
            return lambda *args: self._count(found(*args))
        return found

    def _count(self, rows: Iterable[Item]) -> Iterator[Item]:
        seen = 0
        for row in rows:
            seen += 1
            if seen == _ROWS_AT_ONCE:
                self._progress(seen, self._total)
                seen = 0
            yield row
        self._progress(seen, self._total)
