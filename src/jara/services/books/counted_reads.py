"""Counts the rows that a check of the books reads, for a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

from jara.services.ports.database import UnitOfWork

Progress = Callable[[int, int], None]
"""Takes how many rows were read since the last call, and how many there are in all."""

_ROWS_AT_ONCE = 500
_COUNTED = frozenset({"leaves", "leaves_of", "nodes", "entries"})
_LEAF_READS = 4
"""How often the checks read each leaf or node of the log."""
_ENTRY_READS = 4
"""How often they read each entry: its leaf, its columns, its balance, its trace."""

Item = TypeVar("Item")


def count_reads(work: UnitOfWork, progress: Progress) -> UnitOfWork:
    """Return the transaction so that each row of the log and the journal is counted."""
    total = _LEAF_READS * work.log.size() + _ENTRY_READS * work.journal.count()
    return cast("UnitOfWork", _Counted(work, {"log", "inspection"}, progress, max(total, 1)))


class _Counted:
    """Passes everything on, and counts the rows of what has many."""

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
