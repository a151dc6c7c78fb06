"""A progress bar for long work, on standard error and only where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from jara_cli.output import wants_plain


@contextmanager
def show_progress(label: str, *, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show how far the work is; call what is handed out with each step's size.

    Without a total the bar only moves, and what is done is counted. Without a terminal, or
    with ``NO_COLOR``, nothing is shown.
    """
    if wants_plain(sys.stderr):
        yield lambda steps: None  # noqa: ARG005 - nobody watches
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    columns = Progress.get_default_columns()
    if total is None:
        columns = (*columns[:2], TextColumn("{task.completed:,.0f}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(label), total=total)
        yield lambda steps: progress.update(task, advance=steps)
