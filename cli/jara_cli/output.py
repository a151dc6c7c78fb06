"""Command output: one JSON document, or a table; and progress.

Data goes to standard output, messages to standard error. On a terminal Rich draws the
table; elsewhere it is plain text, never truncated, one line per row
except on the page of `jara` alone.
"""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from itertools import zip_longest
from types import ModuleType
from typing import TextIO, TypeVar

from jara.documents import json_text, to_json
from jara.domain.errors import Unavailable
from jara.domain.money import format_cents, format_dollars
from jara.domain.progress import report_progress
from jara.domain.time_zone import TimeZone
from jara_cli.columns import GAP, JOINERS, Column, Kind, Row, cell_width

Item = TypeVar("Item")

_SENTENCE_MIN = 20
_WHOLE_LINES = re.compile(r"[^\t\r\n]+")

WIDE = ContextVar("wide", default=False)
"""Whether `--wide` was given."""

ZONE: ContextVar[Callable[[], TimeZone]] = ContextVar("zone", default=TimeZone)
"""Reads the time zone of the organisation; tables show times there."""


def emit(
    document: object,
    *,
    as_json: bool,
    columns: Sequence[Column],
    view: Sequence[object] | Row | str | None = None,
    total: Row | None = None,
    width: int | None = None,
) -> None:
    """Print a command's result.

    Args:
        document: the complete document for ``--json``: a record, an object, or a list of either.
        as_json: whether to print JSON.
        columns: the table's columns, in order.
        view: what people see instead of the document. A list becomes a table, an object a card
            with one line per column; a text is printed as it is.
        total: a last row under a line.
        width: where sentences go on in a further line if it is no terminal; by default nowhere.
    """
    if as_json:
        plain = to_json(document, instant=_instant_text)
        write(f"{json_text(plain, indent=2)}\n")
        return
    if isinstance(view, str):
        write(view)
        return
    visible = to_json(document if view is None else view, instant=lambda at: at)
    if isinstance(visible, Mapping):
        headings = [Column("title", ""), Column("value", "")]
        values = {c.title: _to_text(visible.get(c.key), c.kind) for c in columns}
        card = [{"title": title, "value": text} for title, text in values.items() if text]
        _show_table(headings, card or [{"value": "Nothing to show."}], total=None)
        return
    if not isinstance(visible, list):
        message = f"{type(visible).__name__} has no rows"
        raise TypeError(message)
    if not visible:
        note("Nothing to show.")
        return
    _show_table(columns, visible, total=total, width=width)


def note(sentence: str) -> None:
    """Write a message to standard error."""
    sys.stderr.write(f"{show_line(sentence)}\n")


def fold(sentence: str, stream: TextIO, *, indent: int = 2) -> list[str]:
    """Wrap a sentence between words if the stream is a terminal."""
    if not stream.isatty():
        return [sentence]
    return textwrap.wrap(
        sentence,
        shutil.get_terminal_size().columns,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )


def write(text: str) -> None:
    """Write data; a closed pipe is not an error."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        abandon_stdout()
        if not isinstance(error, BrokenPipeError):
            raise Unavailable(f"Standard output cannot be written: {error.strerror}.") from error


def abandon_stdout() -> None:
    """Redirect standard output to /dev/null, so that no later flush fails."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_lines(text: str) -> str:
    """Make a whole document safe for a terminal: its lines and tabs stay."""
    return _WHOLE_LINES.sub(lambda run: show_line(run[0]), text)


def show_line(text: str) -> str:
    """Make text safe for a terminal: one line, control sequences escaped."""
    return "".join(_show_sign(sign) for sign in text)


def wants_plain(stream: TextIO) -> bool:
    """Whether to omit colour and progress: no terminal, or ``NO_COLOR`` is set."""
    return not stream.isatty() or bool(os.environ.get("NO_COLOR"))


def _rich() -> ModuleType:
    from jara_cli import rich_output  # noqa: PLC0415 - Rich starts slowly

    return rich_output


@contextmanager
def show_progress(label: str, *, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; call the yielded function with the size of each step.

    Without a total, the bar counts steps. Without a terminal, or with ``NO_COLOR``,
    nothing is shown.
    """
    if wants_plain(sys.stderr):
        yield lambda _: None
        return
    with _rich().draw_progress(label, total=total) as advance:
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
    with _rich().draw_rows(label) as advance:
        yield advance


def _show_sign(sign: str) -> str:
    if sign.isprintable() or sign in JOINERS:
        return sign
    if sign.isspace():
        return " "
    return sign.encode("unicode_escape").decode("ascii")


def _instant_text(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _to_text(value: object, kind: Kind) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return f"{ZONE.get()().local(value):%Y-%m-%d %H:%M}"  # to the minute: for people
        case int() if kind is Kind.CENTS:
            return format_cents(value)
        case int() if kind is Kind.UNITS:
            return format_dollars(100 * value)
        case int() if kind is Kind.COUNT:
            return f"{value:,}"
        case list():
            return show_line(", ".join(str(part) for part in value))
        case _:
            text = show_line(str(value))
            return f"{text} %" if kind is Kind.PERCENT else text


def _show_table(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    total: Row | None,
    width: int | None = None,
) -> None:
    cells = [[_to_text(row.get(column.key), column.kind) for column in columns] for row in rows]
    last = [_to_text(total.get(c.key), c.kind) for c in columns] if total is not None else None
    if sys.stdout.isatty():
        _rich().draw_table(columns, cells, last, wide=WIDE.get())
    else:
        cells = cells if width is None else list(_folded(columns, cells, width))
        write(_lay_out_plainly(columns, cells, last))


def _folded(columns: Sequence[Column], cells: list[list[str]], width: int) -> Iterator[list[str]]:
    """Yield the lines of rows whose sentences leave room for the other columns."""
    widths = [
        max(map(cell_width, [column.title, *texts]))
        for column, texts in zip(columns, zip(*cells, strict=True), strict=True)
    ]
    sentences = [column.kind is Kind.SENTENCE for column in columns]
    others = [taken for taken, folds in zip(widths, sentences, strict=True) if not folds]
    room = max(width - sum(others) - len(GAP) * len(others), _SENTENCE_MIN)
    for line in cells:
        parts = (
            textwrap.wrap(text, room) if folds else [text]
            for text, folds in zip(line, sentences, strict=True)
        )
        yield from map(list, zip_longest(*parts, fillvalue=""))


def _lay_out_plainly(
    columns: Sequence[Column], cells: list[list[str]], last: list[str] | None
) -> str:
    """Align the columns by their widest value."""
    headings = [column.title for column in columns]
    head = [headings] if any(headings) else []
    texts = [*head, *cells, *([last] if last is not None else [])]
    widths = [max(map(cell_width, column)) for column in zip(*texts, strict=True)]
    rule = ["-" * width for width in widths]
    lines = [*head, *([rule] if head else []), *cells]
    if last is not None:
        lines += [rule, last]
    return "".join(f"{_join_cells(columns, line, widths)}\n" for line in lines)


def _join_cells(columns: Sequence[Column], line: list[str], widths: list[int]) -> str:
    padded = []
    for column, text, width in zip(columns, line, widths, strict=True):
        space = " " * (width - cell_width(text))
        padded.append(space + text if column.kind.is_figure else text + space)
    return GAP.join(padded).rstrip()
