"""Progress of long operations."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

Progress = Callable[[int, int], None]
"""Called with the amount done since the last call, and the total."""


def no_progress(done: int, total: int) -> None:
    """Ignore progress."""


def report_progress(
    items: Iterable[Item], progress: Progress, total: int, *, at_once: int = 100
) -> Iterator[Item]:
    """Yield the items, and report regularly how many were consumed."""
    seen = 0
    for item in items:
        yield item
        seen += 1
        if seen == at_once:
            progress(seen, total)
            seen = 0
    progress(seen, total)
