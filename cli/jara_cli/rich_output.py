"""Tables and progress bars for terminals, drawn with Rich."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from jara_cli.columns import GAP, Column, Kind, cell_width

_ID_WIDTH = 8
"""Minimum width of a shortened id; it is wider if it needs more characters to be unique."""
_TEXT_WIDTH = 12
"""Minimum width of a shortened text."""
_WORD_WIDTH = 30
"""Longest word that a sentence is not broken in."""
_RULED = box.Box("    \n    \n ── \n    \n ── \n    \n    \n    \n")
"""A line beneath the headings, and one above a total."""


def draw_table(
    columns: Sequence[Column], cells: list[list[str]], last: list[str] | None, *, wide: bool
) -> None:
    """Draw a table; the row ``last`` is a total under a line.

    A row takes one line of the terminal: ids shrink to a unique prefix, long texts end in '…', and
    columns are left out by rank. With ``wide``, everything is shown, however wide the table is.
    """
    console = Console(highlight=False)
    if not wide:
        columns, cells, last = _without_empty_columns(columns, cells, last)
    lines = [*cells, *([last] if last is not None else [])]
    room = None if wide else console.width
    widths = fit_widths(columns, lines, room)
    console.width = max(console.width, sum(widths.values()) + len(GAP) * len(widths))
    table = Table(
        box=_RULED,
        show_header=any(column.title for column in columns),
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    is_card = len(columns) == 2 and not table.show_header  # noqa: PLR2004 - names and values
    for place, width in widths.items():
        column = columns[place]
        wraps = is_card or column.kind is Kind.SENTENCE
        table.add_column(
            Text(column.title),
            justify="right" if column.kind.is_figure else "left",
            no_wrap=not wraps,
            overflow="fold" if wraps else "ellipsis",
            width=width,
        )
    for number, line in enumerate(cells, start=1):
        row = [Text(line[place]) for place in widths]
        table.add_row(*row, end_section=last is not None and number == len(cells))
    if last is not None:
        table.add_row(*(Text(last[place]) for place in widths), style="bold")
    console.print(table)
    if len(widths) < len(columns):
        hidden = ", ".join(c.title for n, c in enumerate(columns) if n not in widths)
        Console(stderr=True, highlight=False).print(f"Not shown: {hidden}. See all with --wide.")


def _without_empty_columns(
    columns: Sequence[Column], cells: list[list[str]], last: list[str] | None
) -> tuple[list[Column], list[list[str]], list[str] | None]:
    """Leave out the columns in which no row has a value."""
    filled = [place for place in range(len(columns)) if any(line[place] for line in cells)]
    filled = filled or list(range(len(columns)))
    return (
        [columns[place] for place in filled],
        [[line[place] for place in filled] for line in cells],
        None if last is None else [last[place] for place in filled],
    )


@contextmanager
def draw_progress(label: str, *, total: int | None) -> Iterator[Callable[[int], None]]:
    """Draw a progress bar; without a total it counts steps."""
    columns = Progress.get_default_columns()
    if total is None:
        columns = (*columns[:2], TextColumn("{task.completed:,.0f}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(label), total=total)
        yield lambda steps: progress.update(task, advance=steps)


@contextmanager
def draw_rows(label: str) -> Iterator[Callable[[int, int], None]]:
    """Draw a progress bar with the time left; each step also passes the total."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(label), total=None)
        yield lambda steps, total: progress.update(task, advance=steps, total=total)


def fit_widths(
    columns: Sequence[Column], cells: list[list[str]], room: int | None
) -> dict[int, int]:
    """Return the width of each column to show, by its index.

    Ids shrink first, then the widest texts. Figures and dates are never shortened.
    """
    widths = {
        place: max(cell_width(column.title), *(cell_width(line[place]) for line in cells))
        for place, column in enumerate(columns)
    }
    least = {
        place: _least_width(column, [line[place] for line in cells], widths[place])
        for place, column in enumerate(columns)
    }
    while room is not None and _total(least) > room:
        if len(least) == 1:
            break
        *_, last = sorted(least, key=lambda place: (columns[place].rank, place))
        del least[last]
    fitted = {place: widths[place] for place in least}
    while room is not None and _total(fitted) > room:
        shrinking = [place for place, width in fitted.items() if width > least[place]]
        if not shrinking:
            break
        fitted[
            max(shrinking, key=lambda place: (columns[place].kind is Kind.ID, fitted[place]))
        ] -= 1
    return fitted


def _total(widths: Mapping[int, int]) -> int:
    return sum(widths.values()) + len(GAP) * (len(widths) - 1)


def _least_width(column: Column, values: Sequence[str], width: int) -> int:
    if column.kind is Kind.ID:
        return min(width, max(_ID_WIDTH, _unique_length(values) + 1))
    if column.kind is Kind.SENTENCE:
        longest = max((cell_width(word) for value in values for word in value.split()), default=0)
        return min(width, max(_TEXT_WIDTH, min(longest, _WORD_WIDTH)))
    return min(width, _TEXT_WIDTH) if column.kind is Kind.TEXT else width


def _unique_length(values: Sequence[str]) -> int:
    """Return how many leading characters make the values unique."""
    pairs = pairwise(sorted(set(values)))
    return max((_shared_length(*pair) + 1 for pair in pairs), default=0)


def _shared_length(first: str, second: str) -> int:
    signs = enumerate(zip(first, second, strict=False))
    return next((at for at, (one, other) in signs if one != other), min(len(first), len(second)))
