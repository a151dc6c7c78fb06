"""A report independent of its format: sections of paragraphs, figures, tables and charts.

Each report builds one of these; each format knows how to write one. Texts are plain: a
format escapes them, so that a name is never read as markup.

The builders write English. In another language a `Text` is translated wherever it stands; a
plain string is a text of the code in headings, captions and paragraphs, and a name in a cell.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeAlias

from jara.domain.language import ENGLISH, Language
from jara.domain.organisation import shades_of
from jara.domain.reports.parts import BooksMark
from jara.domain.texts import tr
from jara.reports.words import TOTAL, instant, money


class Branding(NamedTuple):
    """The look of the head of a report."""

    colour: str = ""  # its background, as ``#rrggbb``; empty for the default
    logo: bytes = b""
    """The image, PNG or SVG; empty for none. A report embeds it, to be self-contained."""

    @property
    def shade(self) -> str:
        """The darker shade of the colour; empty without one."""
        return shades_of(self.colour).light_hover if self.colour else ""

    @property
    def logo_format(self) -> str:
        """The format of the logo: ``png`` or ``svg``; empty without one."""
        if not self.logo:
            return ""
        return "png" if self.logo.startswith(b"\x89PNG") else "svg"

    @property
    def logo_address(self) -> str:
        """The logo as a data URL for an ``<img>``, where nothing in it runs or loads."""
        kind = {"png": "image/png", "svg": "image/svg+xml"}[self.logo_format]
        return f"data:{kind};base64,{b64encode(self.logo).decode('ascii')}"


PLAIN = Branding()


Write: TypeAlias = Callable[[str], str]
"""Writes a text in a language."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text in one language."""

    text: str
    language: str = ENGLISH


@dataclass(frozen=True, slots=True)
class Notice:
    """A highlighted paragraph."""

    text: str
    language: str = ENGLISH


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


def columns(*headings: str) -> tuple[Column, ...]:
    """Return columns of words."""
    return tuple(Column(heading) for heading in headings)


def figures(*headings: str) -> tuple[Column, ...]:
    """Return columns of numbers."""
    return tuple(Column(heading, is_number=True) for heading in headings)


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

    title: str  # its name
    description: str  # the same figures in words
    draw: Callable[..., str]  # draws it, given both, and as ``write`` what writes its other texts
    table: Table  # what it was drawn from
    write: Write = str  # writes its texts in the document's language

    @property
    def svg(self) -> str:
        """The drawing."""
        return self.draw(self.title, self.description, write=self.write)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it; sections nest."""

    title: str
    blocks: "tuple[Block, ...]"


Block: TypeAlias = Paragraph | Notice | Figures | Table | Chart | Section


@dataclass(frozen=True, slots=True)
class Frame:
    """The text around a report, in its language."""

    language: str = ENGLISH
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

    def translated(self, language: Language, write: Write) -> "Document":
        """Return the document in another language; what is there twice in it stands once."""
        return replace(
            self,
            title=write(self.title),
            subtitle=write(self.subtitle),
            blocks=tuple(dict.fromkeys(_translated(self.blocks, language, write))),
            frame=replace(
                _translated(self.frame, language, write),
                language=language,
                books=write(self.source),
            ),
        )


def _translated(node: Any, language: Language, write: Write) -> Any:  # noqa: ANN401 - a part
    """Return a part of a document in another language."""
    match node:
        case Paragraph() | Notice() if node.language not in {ENGLISH, language}:
            return node
        case Paragraph() | Notice():
            return replace(node, text=write(node.text), language=language)
        case Chart():
            title, words = write(node.title), write(node.description)
            table = _translated(node.table, language, write)
            return Chart(title, words, node.draw, table, write)
        case tuple():
            return tuple(
                item if type(item) is str else _translated(item, language, write) for item in node
            )
        case str():
            return write(node)
        case Figures() | Figure() | Table() | Column() | Section() | Frame():
            parts = {one.name: getattr(node, one.name) for one in fields(node)}
            return replace(node, **{k: _translated(v, language, write) for k, v in parts.items()})
        case _:
            return node


def sum_table(
    caption: str,
    names: Sequence[str],
    amounts: Sequence[str],
    rows: Iterable[tuple[Sequence[str], Sequence[int]]],
) -> Table:
    """Return a table of amounts in cents, which its last row adds up.

    `names` are the headings of the columns of words, the first of which names the row, `amounts`
    those of the amounts. A row has its words and its amounts.
    """
    lines = list(rows)
    sums = [sum(cents[place] for _, cents in lines) for place in range(len(amounts))]
    return Table(
        caption,
        (*columns(*names), *figures(*amounts)),
        tuple((*words, *map(money, cents)) for words, cents in lines),
        (TOTAL, *("" for _ in names[1:]), *map(money, sums)),
    )


def table_or_sentence(table: Table, sentence: str) -> Block:
    """Return the table, or the sentence if it has no rows."""
    return table if table.rows else Paragraph(sentence)


def describe_books(books: BooksMark) -> str:
    """Describe the books a document was made from."""
    if books.at is None:
        return "Made from books that hold no entry yet."
    return tr(
        "Made from the books as they stood at {instant}: {size} log entries, root {root}.",
        instant=instant(books.at),
        size=books.size,
        root=books.root,
    )


def kind_of(block: Block) -> str:
    """Return the templates' name for a block: ``table``, ``chart``."""
    return type(block).__name__.lower()
