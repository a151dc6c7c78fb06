"""Plain pages that link to each other and work from the disk, without scripts.

A page is written piece by piece, so a table of any length needs little memory.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from html import escape
from typing import NamedTuple, TypeAlias

from jara.reports.words import money

INDEX = "index.html"


class Link(NamedTuple):
    """A text that leads to a page or a place in it."""

    text: str
    href: str


class Cents(NamedTuple):
    """An amount; it may lead to what it is made of."""

    cents: int
    href: str = ""


Cell: TypeAlias = "str | int | date | Link | Cents | list[Cell] | None"


class Row(NamedTuple):
    """A row of a grid; others can lead to its anchor."""

    cells: tuple[Cell, ...]
    anchor: str = ""


Line: TypeAlias = "Row | tuple[Cell, ...] | str"
"""A row of a grid; a text is one that is written already."""


class Grid(NamedTuple):
    """A table with a heading; the names of its columns are separated by a comma and a blank."""

    title: str
    head: str
    rows: Iterable[Line]


Part: TypeAlias = str | Grid

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}"
    "table{border-collapse:collapse;width:100%;font-size:.9rem}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ccc}"
    ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
    "td:first-child{white-space:nowrap}tr:target{background:#fff3c4}.t{overflow-x:auto}"
    "@media print{body{margin:0;max-width:none}}"
)


def page_pieces(title: str, organisation: str, parts: Iterable[Part]) -> Iterator[str]:
    """Yield a page piece by piece."""
    name = escape(title)
    yield (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n'
        f'<body><header><p><a href="{INDEX}">{escape(organisation)}</a></p>'
        f"<h1>{name}</h1></header>\n<main>"
    )
    for part in parts:
        if isinstance(part, str):
            yield f"<p>{escape(part)}</p>\n"
        else:
            yield from _grid(part, title)
    yield "</main></body></html>\n"


def _grid(grid: Grid, page: str) -> Iterator[str]:
    if grid.title != page:
        yield f"<h2>{escape(grid.title)}</h2>\n"
    rows = iter(grid.rows)
    first = next(rows, None)
    if first is None:
        yield "<p>None.</p>\n"
        return
    cells = first.cells if isinstance(first, Row) else () if isinstance(first, str) else first
    kinds = (_kind(cell) for cell in cells)
    names = zip(grid.head.split(", "), kinds, strict=True)
    heads = "".join(f'<th scope="col"{kind}>{escape(name)}</th>' for name, kind in names)
    yield f'<div class="t"><table><thead><tr>{heads}</tr></thead><tbody>\n{_row(first)}'
    for row in rows:
        yield _row(row)
    yield "</tbody></table></div>\n"


def add_line(lines: list[Line], row: tuple[Cell, ...]) -> None:
    """Add a row to lines; all but the first are written at once, which takes less memory."""
    lines.append(_row(row) if lines else row)


def _row(row: Line) -> str:
    if isinstance(row, str):
        return row
    cells, anchor = (row.cells, row.anchor) if isinstance(row, Row) else (row, "")
    mark = f' id="{escape(anchor)}"' if anchor else ""
    shown = "".join(f"<td{_kind(one)}>{_cell(one)}</td>" for one in cells)
    return f"<tr{mark}>{shown}</tr>\n"


def _kind(cell: Cell) -> str:
    """Return the mark of a figure, which stands to the right."""
    return ' class="n"' if isinstance(cell, int | Cents) else ""


def _cell(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case list():
            return "<br>".join(shown for one in cell if (shown := _cell(one)))
        case Link(text, href):
            return f'<a href="{escape(href)}">{escape(text)}</a>'
        case Cents(cents, href):
            return _cell(Link(money(cents), href)) if href else escape(money(cents))
        case datetime():
            return cell.strftime("%Y-%m-%d %H:%M")
        case date():
            return cell.isoformat()
        case _:
            return escape(str(cell))
