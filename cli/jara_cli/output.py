"""What commands show: one JSON document, or a table made for reading.

Data goes to standard output and talk to standard error. On a terminal Rich draws the
table; anywhere else it is plain text of one line per row, with nothing cut off.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TextIO

from jara.domain.errors import Unavailable
from jara.domain.money import format_cents

_JOINERS = "\u200c\u200d"  # part of how some languages are written
_GAP = "  "
_ID_WIDTH = 14
"""Cells that an id keeps in a narrow terminal: the time in it, by which it is found, and '…'."""
_TEXT_WIDTH = 14
"""Cells that text keeps before a table becomes wider than its terminal."""


class Kind(StrEnum):
    """How a column's values are shown; figures stand at the right."""

    TEXT = "text"
    ID = "id"
    CENTS = "cents"
    DATE = "date"
    COUNT = "count"
    PERCENT = "percent"

    @property
    def is_figure(self) -> bool:
        """Whether values are compared by their last digit."""
        return self in {Kind.CENTS, Kind.COUNT, Kind.PERCENT}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the key of its values, its heading, and how they are shown."""

    key: str
    title: str
    kind: Kind = Kind.TEXT


Row = Mapping[str, object]


def emit(
    document: object,
    *,
    as_json: bool,
    columns: Sequence[Column],
    rows: Iterable[Row] | None = None,
    total: Row | None = None,
) -> None:
    """Show a command's answer.

    Args:
        document: what ``--json`` prints, whole.
        as_json: whether the person asked for JSON.
        columns: what the table shows, in this order.
        rows: the table's rows; else the document itself, when it is a list, and when it
            is an object a card of one line per column.
        total: a last row under a line.
    """
    if as_json:
        import json

        write(f"{json.dumps(document, indent=2, ensure_ascii=False, default=_to_json)}\n")
        return
    if rows is None and isinstance(document, Mapping):
        headings = [Column("title", ""), Column("value", "")]
        card = [
            {"title": column.title, "value": _to_text(document.get(column.key), column.kind)}
            for column in columns
        ]
        _show_table(headings, card, total=None)
        return
    listed = list(_rows_of(document) if rows is None else rows)
    if not listed:
        note("Nothing to show.")
        return
    _show_table(columns, listed, total=total)


def note(sentence: str) -> None:
    """Say something about the work, beside the data."""
    sys.stderr.write(f"{show_line(sentence)}\n")


def write(text: str) -> None:
    """Write data; a reader that went away does not change what the command answers."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        abandon_stdout()
        if not isinstance(error, BrokenPipeError):
            raise Unavailable(f"Standard output cannot be written: {error.strerror}.") from error


def abandon_stdout() -> None:
    """Send what is still unwritten nowhere, so that no later flush fails again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_line(text: str) -> str:
    """Make text safe for a terminal: one line, and no control sequence takes effect."""
    return "".join(_show_sign(sign) for sign in text)


def wants_plain(stream: TextIO) -> bool:
    """Whether colour and progress are out of place: no terminal, or ``NO_COLOR`` is set."""
    return not stream.isatty() or bool(os.environ.get("NO_COLOR"))


def _show_sign(sign: str) -> str:
    if sign.isprintable() or sign in _JOINERS:
        return sign
    if sign.isspace():
        return " "
    return sign.encode("unicode_escape").decode("ascii")


def _rows_of(document: object) -> Iterable[Row]:
    if not isinstance(document, list):
        message = f"{type(document).__name__} has no rows"
        raise TypeError(message)
    return document


def _to_json(value: object) -> str:
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case date():
            return value.isoformat()
        case _:
            message = f"{type(value).__name__} has no form in JSON"
            raise TypeError(message)


def _to_text(value: object, kind: Kind) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() if kind is Kind.CENTS:
            return format_cents(value)
        case int() if kind is Kind.COUNT:
            return f"{value:,}"
        case date():
            return _to_json(value)
        case list() | tuple():
            return show_line(", ".join(str(part) for part in value))
        case _:
            text = show_line(str(value))
            return f"{text} %" if kind is Kind.PERCENT else text


def _show_table(columns: Sequence[Column], rows: Sequence[Row], *, total: Row | None) -> None:
    cells = [[_to_text(row.get(column.key), column.kind) for column in columns] for row in rows]
    last = [_to_text(total.get(c.key), c.kind) for c in columns] if total is not None else None
    if sys.stdout.isatty():
        _draw_with_rich(columns, cells, last)
    else:
        write(_lay_out_plainly(columns, cells, last))


def _lay_out_plainly(
    columns: Sequence[Column], cells: list[list[str]], last: list[str] | None
) -> str:
    """Align the columns by their widest value; Rich is not worth its start-up time here."""
    headings = [column.title for column in columns]
    head = [headings] if any(headings) else []
    shown = [*head, *cells, *([last] if last is not None else [])]
    widths = [max(map(_width, column)) for column in zip(*shown, strict=True)]
    rule = ["-" * width for width in widths]
    lines = [*head, *([rule] if head else []), *cells]
    if last is not None:
        lines += [rule, last]
    return "".join(f"{_join_cells(columns, line, widths)}\n" for line in lines)


def _join_cells(columns: Sequence[Column], line: list[str], widths: list[int]) -> str:
    padded = []
    for column, text, width in zip(columns, line, widths, strict=True):
        space = " " * (width - _width(text))
        padded.append(space + text if column.kind.is_figure else text + space)
    return _GAP.join(padded).rstrip()


def _width(text: str) -> int:
    """Count terminal cells: accents take none, East Asian wide signs take two."""
    return sum(
        0
        if unicodedata.combining(sign) or sign in _JOINERS
        else 2
        if unicodedata.east_asian_width(sign) in "WF"
        else 1
        for sign in text
    )


def _fit_widths(columns: Sequence[Column], cells: list[list[str]], room: int) -> list[int]:
    """Return the columns' widths: while there is no room, the widest gives up a cell.

    Figures and days are never broken, so that a table may stay wider than its terminal.
    """
    limits = {Kind.TEXT: _TEXT_WIDTH, Kind.ID: _ID_WIDTH}
    widths, least = [], []
    for place, column in enumerate(columns):
        widest = max(_width(line[place]) for line in cells)
        heading = max(map(_width, column.title.split()), default=0)
        widths.append(max(widest, _width(column.title)))
        least.append(max(heading, min(widest, limits.get(column.kind, widest))))
    while sum(widths) + len(_GAP) * (len(widths) - 1) > room:
        shrinking = [place for place, width in enumerate(widths) if width > least[place]]
        if not shrinking:
            break
        widths[max(shrinking, key=lambda place: widths[place])] -= 1
    return widths


def _draw_with_rich(
    columns: Sequence[Column], cells: list[list[str]], last: list[str] | None
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

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
    # Like other tools, rather a line that the terminal breaks than a figure that we cut.
    console.width = max(console.width, sum(widths) + len(_GAP) * len(widths))
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
