"""Tables and progress bars for terminals, drawn with Rich."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from jara_cli.columns import GAP, Column, Kind, cell_width

_ID_WIDTH = 14
"""Least width of an id: its unique first characters and '…'."""
_TEXT_WIDTH = 14
"""Least width of text before a table becomes wider than its terminal."""


def draw_table(columns: Sequence[Column], cells: list[list[str]], last: list[str] | None) -> None:
    """Draw a table; the row ``last`` is a total under a line."""
    headed = any(column.title for column in columns)
    table = Table(
        box=box.SIMPLE_HEAD,
        show_header=headed,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    console = Console(highlight=False)
    shown = [*cells, *([last] if last is not None else [])]
    widths = _fit_widths(columns, shown, console.width)
    # Let the terminal wrap a line rather than truncate a figure.
    console.width = max(console.width, sum(widths) + len(GAP) * len(widths))
    for column, width in zip(columns, widths, strict=True):
        is_text = column.kind is Kind.TEXT
        table.add_column(
            Text(column.title),
            justify="right" if column.kind.is_figure else "left",
            no_wrap=column.kind is Kind.ID,
            overflow="fold" if is_text else "ellipsis",
            width=width,
        )
    for number, line in enumerate(cells, start=1):
        table.add_row(*map(Text, line), end_section=last is not None and number == len(cells))
    if last is not None:
        table.add_row(*map(Text, last), style="bold")
    console.print(table)


@contextmanager
def draw_progress(label: str, *, total: int | None) -> Iterator[Callable[[int], None]]:
    """Draw a progress bar; without a total it counts what is done."""
    columns = Progress.get_default_columns()
    if total is None:
        columns = (*columns[:2], TextColumn("{task.completed:,.0f}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(label), total=total)
        yield lambda steps: progress.update(task, advance=steps)


def _fit_widths(columns: Sequence[Column], cells: list[list[str]], room: int) -> list[int]:
    """Return the columns' widths; the widest columns shrink until the table fits.

    Figures and dates are never truncated, so a table may stay wider than the terminal.
    """
    limits = {Kind.TEXT: _TEXT_WIDTH, Kind.ID: _ID_WIDTH}
    widths, least = [], []
    for place, column in enumerate(columns):
        widest = max(cell_width(line[place]) for line in cells)
        heading = max(map(cell_width, column.title.split()), default=0)
        widths.append(max(widest, cell_width(column.title)))
        least.append(max(heading, min(widest, limits.get(column.kind, widest))))
    while sum(widths) + len(GAP) * (len(widths) - 1) > room:
        shrinking = [place for place, width in enumerate(widths) if width > least[place]]
        if not shrinking:
            break
        widths[max(shrinking, key=lambda place: widths[place])] -= 1
    return widths
