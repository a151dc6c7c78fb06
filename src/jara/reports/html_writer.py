"""A document as one HTML file: its style inside, its charts inside, nothing fetched, no script."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from jara.reports.document import (
    Block,
    Chart,
    Document,
    Figures,
    Notice,
    Paragraph,
    Section,
    Table,
    describe_books,
)

_SECTIONS_FOR_CONTENTS = 4
"""From so many sections on, a list of contents helps more than it delays."""

_SHORT_CELL = 14


def write_html(document: Document) -> str:
    """Write a document as a page that prints well and can be read aloud in order."""
    sections = [block for block in document.blocks if isinstance(block, Section)]
    parts = [
        _head(document),
        '<a class="skip" href="#main">Skip to the report</a>',
        _header(document),
    ]
    if len(sections) >= _SECTIONS_FOR_CONTENTS:
        parts.append(_contents(sections))
    parts.append('<main id="main">')
    number = 0
    for block in document.blocks:
        if isinstance(block, Section):
            number += 1
            parts.append(_section(block, level=2, anchor=f"s{number}"))
        else:
            parts.append(_block(block, level=2))
    books = escape(describe_books(document.books))
    parts.append(f"</main>\n<footer>\n<p>{books}</p>\n</footer>\n</body>\n</html>\n")
    return "\n".join(parts)


def _head(document: Document) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light">\n'
        f"<title>{escape(_page_title(document))}</title>\n"
        f"<style>\n{_style()}</style>\n</head>\n<body>"
    )


def _page_title(document: Document) -> str:
    return f"{document.title}, {document.subtitle} – {document.organisation}"


def _style() -> str:
    return files("jara.reports").joinpath("templates", "report.css").read_text("utf-8")


def _header(document: Document) -> str:
    return (
        f'<header>\n<p class="organisation">{escape(document.organisation)}</p>\n'
        f"<h1>{escape(document.title)}</h1>\n"
        f'<p class="subtitle">{escape(document.subtitle)}</p>\n</header>'
    )


def _contents(sections: list[Section]) -> str:
    items = "".join(
        f'<li><a href="#s{number}">{escape(section.title)}</a></li>'
        for number, section in enumerate(sections, start=1)
    )
    return f'<nav aria-label="Contents">\n<ul>{items}</ul>\n</nav>'


def _section(section: Section, *, level: int, anchor: str = "") -> str:
    mark = f' id="{anchor}"' if anchor else ""
    blocks = "\n".join(_block(block, level=level + 1) for block in section.blocks)
    heading = f"<h{level}>{escape(section.title)}</h{level}>"
    return f"<section{mark}>\n{heading}\n{blocks}\n</section>"


def _block(block: Block, *, level: int) -> str:
    match block:
        case Paragraph(text=text, language=language):
            return f"<p{_language(language)}>{escape(text)}</p>"
        case Notice(text=text, language=language):
            return f'<p class="notice"{_language(language)}>{escape(text)}</p>'
        case Figures():
            return _figures(block)
        case Table():
            return _table(block)
        case Chart():
            return _chart(block)
        case Section():
            return _section(block, level=level)


def _language(language: str) -> str:
    return "" if language == "en" else f' lang="{escape(language)}"'


def _figures(figures: Figures) -> str:
    items = "".join(
        f"<div><dt>{escape(item.label)}</dt><dd><b>{escape(item.value)}</b>"
        + (f"<span>{escape(item.note)}</span>" if item.note else "")
        + "</dd></div>"
        for item in figures.items
    )
    return f'<dl class="figures">{items}</dl>'


def _chart(chart: Chart) -> str:
    return (
        f'<figure>\n<div class="drawing">{chart.svg}</div>\n'
        f"<figcaption>{escape(chart.description)}</figcaption>\n</figure>\n{_table(chart.table)}"
    )


def _table(table: Table) -> str:
    caption = escape(table.caption)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">\n'
        f"<table>\n<caption>{caption}</caption>\n" + "\n".join(_table_rows(table)) + "\n</table>"
        "\n</div>"
    )


def _table_rows(table: Table) -> Iterator[str]:
    numbers = tuple(column.is_number for column in table.columns)
    headings = "".join(
        f'<th scope="col"{_class("", is_number=column.is_number)}>{escape(column.heading)}</th>'
        for column in table.columns
    )
    yield f"<thead><tr>{headings}</tr></thead>"
    yield "<tbody>"
    for place, row in enumerate(table.rows):
        yield _row(row, numbers, is_sum=place in table.subtotals)
    yield "</tbody>"
    if table.total is not None:
        yield f"<tfoot>{_row(table.total, numbers)}</tfoot>"


def _row(cells: tuple[str, ...], numbers: tuple[bool, ...], *, is_sum: bool = False) -> str:
    first, *rest = cells
    written = "".join(
        f"<td{_class(cell, is_number=is_number)}>{escape(cell)}</td>"
        for cell, is_number in zip(rest, numbers[1:], strict=True)
    )
    mark = ' class="sum"' if is_sum else ""
    name = f'<th scope="row"{_class(first, is_number=numbers[0])}>{escape(first)}</th>'
    return f"<tr{mark}>{name}{written}</tr>"


def _class(cell: str, *, is_number: bool) -> str:
    """Set numbers to the right, and keep a short text such as a date on one line."""
    if is_number:
        return ' class="n"'
    return ' class="k"' if 0 < len(cell) <= _SHORT_CELL else ""
