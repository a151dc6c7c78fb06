"""A report independent of its format: sections of paragraphs, figures, tables and charts.

Each report builds one of these; each format knows how to write one. Texts are plain: a
format escapes them, so that a name is never read as markup.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from jara.domain.reports.parts import BooksMark
from jara.reports.branding import PLAIN, Branding
from jara.reports.words import instant


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text in one language."""

    text: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Notice:
    """A highlighted paragraph."""

    text: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Figure:
    """A headline figure: the number first, then what it counts, then its source."""

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Headline figures side by side."""

    items: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; numbers are aligned right.

    With ``link``, each cell leads to the address that it ends.
    """

    heading: str
    is_number: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text below headings; the first cell names its row."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] | None = None
    subtotals: frozenset[int] = frozenset()
    """The indices of rows that are subtotals."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, what it shows in words, and the table it was drawn from."""

    title: str
    description: str
    svg: str
    table: Table


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it; sections nest."""

    title: str
    blocks: tuple[Block, ...]


Block: TypeAlias = Paragraph | Notice | Figures | Table | Chart | Section


@dataclass(frozen=True, slots=True)
class Frame:
    """The text around a report, in its language."""

    language: str = "en"
    skip: str = "Skip to the report"
    contents: str = "Contents"
    page: str = "Page"
    of: str = "of"
    books: str = ""
    """The sentence about the books it was made from; empty for the English one."""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report; the imprint is the legal name and address of who answers for it."""

    title: str
    subtitle: str
    organisation: str
    blocks: tuple[Block, ...]
    books: BooksMark
    imprint: str = ""
    frame: Frame = Frame()
    branding: Branding = PLAIN

    @property
    def source(self) -> str:
        """The sentence about the books it was made from."""
        return self.frame.books or describe_books(self.books)


def table_or_sentence(table: Table, sentence: str) -> Block:
    """Return the table, or the sentence if it has no rows."""
    return table if table.rows else Paragraph(sentence)


def describe_books(books: BooksMark) -> str:
    """Describe the books a document was made from."""
    if books.at is None:
        return "Made from books that hold no entry yet."
    return (
        f"Made from the books as they stood at {instant(books.at)}: "
        f"{books.size:,} log entries, root {books.root}."
    )


def kind_of(block: Block) -> str:
    """Return the templates' name for a block: ``table``, ``chart``."""
    return type(block).__name__.lower()
