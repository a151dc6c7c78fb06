"""A progress bar on standard error, shown only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from jara.domain.progress import report_progress
from jara_cli.output import wants_plain

Item = TypeVar("Item")


@contextmanager
def show_progress(label: str, *, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; call the yielded function with the size of each step.

    Without a total, the bar counts steps. Without a terminal, or with ``NO_COLOR``,
    nothing is shown.
    """
    if wants_plain(sys.stderr):
        yield lambda steps: None  # noqa: ARG005 - no terminal
        return
    from jara_cli.rich_output import draw_progress  # noqa: PLC0415 - Rich starts slowly

    with draw_progress(label, total=total) as advance:
        yield advance


def counted(
    items: Iterable[Item], advance: Callable[[int], None], *, at_once: int = 500
) -> Iterator[Item]:
    """Yield items, and advance the bar as they are consumed."""
    return report_progress(items, lambda done, _total: advance(done), 0, at_once=at_once)


@contextmanager
def show_rows(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar whose total comes with each step; without a terminal yield None."""
    if wants_plain(sys.stderr):
        yield None
        return
    from jara_cli.rich_output import draw_rows  # noqa: PLC0415 - Rich starts slowly

    with draw_rows(label) as advance:
        yield advance
