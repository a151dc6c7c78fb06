"""Progress of what takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

Progress = Callable[[int, int], None]
"""Takes how much was done since the last call, and how much there is in all."""


def no_progress(done: int, total: int) -> None:
    """Ignore progress."""


def report_progress(
    items: Iterable[Item], progress: Progress, total: int, *, at_once: int = 100
) -> Iterator[Item]:
    """Pass on items, and report from time to time how many were used up."""
    seen = 0
    for item in items:
        yield item
        seen += 1
        if seen == at_once:
            progress(seen, total)
            seen = 0
    progress(seen, total)
