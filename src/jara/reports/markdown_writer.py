"""Writes a document as Markdown; a chart becomes its description and table."""

import re
from collections.abc import Iterator

from jara.reports.document import (
    Block,
    Chart,
    Column,
    Document,
    Figures,
    Notice,
    Paragraph,
    Section,
    Table,
)

_SPECIAL = re.compile(r"([\\`*_\[\]|~])")
_LINE_START = re.compile(r"^(?:(?=[-+=#])|([0-9]+)(?=[.)](?:\s|$)))")
_DEEPEST = 6


def write_markdown(document: Document) -> str:
    """Write a document as Markdown that reads well as plain text too."""
    parts = [
        f"# {escape_text(document.title)}",
        f"{escape_paragraph(document.organisation)} · {escape_text(document.subtitle)}",
        *([escape_paragraph(document.imprint)] if document.imprint else []),
    ]
    for block in document.blocks:
        parts.extend(_write_block(block, level=2))
    parts.extend(("---", escape_text(document.source)))
    return "\n\n".join(parts) + "\n"


def escape_text(text: str) -> str:
    """Escape what Markdown and the HTML in it would read as markup; one line stays one line."""
    line = " ".join(text.split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", line)


def escape_paragraph(text: str) -> str:
    """Escape a text that begins a line, where a sign or a number could start a list."""
    return _LINE_START.sub(r"\1\\", escape_text(text))


def _write_block(block: Block, level: int) -> Iterator[str]:
    match block:
        case Paragraph(text=text):
            yield escape_paragraph(text)
        case Notice(text=text):
            yield f"> {escape_paragraph(text)}"
        case Figures(items=items):
            yield "\n".join(
                f"- **{escape_text(item.value)}** {escape_text(item.label)}"
                + (f" ({escape_text(item.note)})" if item.note else "")
                for item in items
            )
        case Table():
            yield from _write_table(block)
        case Chart(description=description, table=table):
            yield escape_paragraph(description)
            yield from _write_table(table)
        case Section(title=title, blocks=blocks):
            yield f"{'#' * min(level, _DEEPEST)} {escape_text(title)}"
            for inner in blocks:
                yield from _write_block(inner, level + 1)


def _write_table(table: Table) -> Iterator[str]:
    yield f"**{escape_text(table.caption)}**"
    rows = [_row(tuple(column.heading for column in table.columns))]
    rows.append("|" + "|".join(" ---: " if c.is_number else " --- " for c in table.columns) + "|")
    for place, row in enumerate(table.rows):
        rows.append(_row(row, mark="**" if place in table.subtotals else "", columns=table.columns))
    if table.total is not None:
        rows.append(_row(table.total, mark="**"))
    yield "\n".join(rows)


def _row(cells: tuple[str, ...], mark: str = "", columns: tuple[Column, ...] = ()) -> str:
    links = [column.link for column in columns] or [""] * len(cells)
    written = (
        f"{mark}{_linked(cell, link)}{mark}" if cell else ""
        for cell, link in zip(cells, links, strict=True)
    )
    return "| " + " | ".join(written) + " |"


def _linked(cell: str, link: str) -> str:
    return f"[{escape_text(cell)}]({link}{cell})" if link else escape_text(cell)
