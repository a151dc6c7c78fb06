"""A report in another language: the finished English document, translated.

The builders write only English. Names stay as they are, and so does what operators wrote: the
facts have it in the reader's language already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape, unescape

from jara.domain.language import Language
from jara.languages.sentences import Sentences, sentences_of
from jara.reports.document import (
    Block,
    Chart,
    Document,
    Figure,
    Figures,
    Frame,
    Notice,
    Paragraph,
    Section,
    Table,
)

CATALOGUE = "reports"
DRAWN = "drawn: "
"""The prefix of the keys of shorter words for drawings."""
_DRAWN = re.compile(r"(<(?:title|desc|text)\b[^>]*>)([^<]*)(?=</)")
"""A text in a drawing."""


def translate_document(document: Document, language: Language) -> Document:
    """Return a document in a language; a text without translation stays in English."""
    sentences = sentences_of(language, CATALOGUE)
    write, frame = sentences.write, document.frame
    return replace(
        document,
        title=write(document.title),
        subtitle=write(document.subtitle),
        blocks=tuple(_translate_blocks(document.blocks, language, sentences)),
        frame=Frame(
            language=language,
            skip=write(frame.skip),
            contents=write(frame.contents),
            page=write(frame.page),
            of=write(frame.of),
            books=write(document.source),
        ),
    )


def _translate_blocks(
    blocks: tuple[Block, ...], language: Language, sentences: Sentences
) -> Iterator[Block]:
    """Translate blocks; paragraphs that become identical appear once."""
    said: set[str] = set()
    for block in blocks:
        made = _translate(block, language, sentences)
        if isinstance(made, Paragraph | Notice):
            if made.text in said:
                continue
            said.add(made.text)
        yield made


def _translate(block: Block, language: Language, sentences: Sentences) -> Block:
    write = sentences.write
    match block:
        case Paragraph() | Notice():
            # A text that names its own language is not translated.
            is_own = block.language not in {"en", language}
            return block if is_own else replace(block, text=write(block.text), language=language)
        case Figures(items=items):
            return Figures(tuple(_figure(item, sentences) for item in items))
        case Table():
            return _table(block, sentences)
        case Chart():
            return Chart(
                write(block.title),
                write(block.description),
                _drawing(block.svg, sentences),
                _table(block.table, sentences),
            )
        case Section(title=title, blocks=inner):
            return Section(write(title), tuple(_translate_blocks(inner, language, sentences)))


def _figure(figure: Figure, sentences: Sentences) -> Figure:
    write = sentences.write
    return Figure(write(figure.value), write(figure.label), write(figure.note))


def _table(table: Table, sentences: Sentences) -> Table:
    write = sentences.write
    return Table(
        write(table.caption),
        tuple(replace(column, heading=write(column.heading)) for column in table.columns),
        tuple(_row(row, sentences) for row in table.rows),
        None if table.total is None else _row(table.total, sentences),
        table.subtotals,
    )


def _row(row: tuple[str, ...], sentences: Sentences) -> tuple[str, ...]:
    return tuple(map(sentences.write, row))


def _drawing(svg: str, sentences: Sentences) -> str:
    return _DRAWN.sub(lambda found: found[1] + escape(_drawn(unescape(found[2]), sentences)), svg)


def _drawn(text: str, sentences: Sentences) -> str:
    """Translate a text of a drawing: the shorter word, if there is one, and a bare dollar sign."""
    own = sentences.say(f"{DRAWN}{text}")
    return own or sentences.write_bare(text)
