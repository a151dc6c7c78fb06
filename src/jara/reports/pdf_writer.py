"""Writes a document as PDF with Typst; texts are passed as data, never as markup."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib.resources import files
from typing import Any

from jara.domain.errors import InvalidInput
from jara.reports.document import Block, Branding, Chart, Document, Section, kind_of


class PdfNotInstalled(InvalidInput):
    """The optional package for PDF is not installed."""

    code = "pdf_not_installed"


def write_pdf(document: Document) -> bytes:
    """Typeset a document; the same document gives the same bytes, dated by its books.

    Raises:
        PdfNotInstalled: the extra with Typst is not installed.
    """
    try:
        import typst  # optional: 77 MB that only the PDF needs
    except ImportError:
        raise PdfNotInstalled(
            "A PDF needs the extra 'pdf': run pip install 'jara[pdf]', "
            "or choose the format html, which prints well."
        ) from None
    at = document.books.at
    typeset: Callable[..., Any] = partial(
        typst.compile,
        files("jara.reports").joinpath("templates", "report.typ").read_bytes(),
        format="pdf",
        sys_inputs={
            "document": json.dumps(_document_data(document), ensure_ascii=False, default=sorted)
        },
        timestamp=0 if at is None else int(at.timestamp()),
    )
    pdf: bytes
    try:
        # Tagged, so that a screen reader can follow it.
        pdf = typeset(pdf_standards=["ua-1"], ignore_system_fonts=True)
    except typst.TypstError as error:
        if "could not be displayed" not in str(error):
            raise
        # A name in another script, or an emoji: this machine's fonts may have it. If not, a box is
        # drawn, which the standard forbids, and the text can be read aloud and copied all the same.
        pdf = typeset(ignore_system_fonts=False)
    return pdf


def _document_data(document: Document) -> dict[str, Any]:
    at = document.books.at
    return {
        "title": document.title,
        "subtitle": document.subtitle,
        "organisation": document.organisation,
        "imprint": document.imprint,
        "branding": _branding_data(document.branding),
        "frame": asdict(document.frame),
        "books": document.source,
        "date": None if at is None else [at.year, at.month, at.day, at.hour, at.minute, at.second],
        "blocks": [_block_data(block) for block in document.blocks],
    }


def _branding_data(branding: Branding) -> dict[str, Any]:
    return {"colour": branding.colour, "format": branding.logo_format, "logo": list(branding.logo)}


def _block_data(block: Block) -> dict[str, Any]:
    """Return a block's fields and, under ``kind``, the template's name for it."""
    data: dict[str, Any]
    match block:
        case Section(title=title, blocks=blocks):
            data = {"title": title, "blocks": [_block_data(inner) for inner in blocks]}
        case Chart(title=title, description=description, table=table):
            data = {"title": title, "description": description, "table": asdict(table)}
            data["svg"] = block.svg
        case _:
            data = asdict(block)
    return {"kind": kind_of(block), **data}
