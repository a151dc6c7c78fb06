"""Writes a document as one self-contained HTML page."""

from __future__ import annotations

from html import escape

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from jara.reports.document import Document, Section, kind_of


def write_html(document: Document) -> str:
    """Write a document as an accessible page that also prints well."""
    return _TEMPLATES.get_template("report.html").render(
        document=document,
        sections=[block for block in document.blocks if isinstance(block, Section)],
        books=document.source,
    )


def _escaped(value: object) -> object:
    """Escape with the standard library's entities, so that published reports keep their bytes."""
    return value if isinstance(value, Markup) else Markup(escape(str(value)))  # noqa: S704 - escaped


_TEMPLATES = Environment(
    loader=PackageLoader("jara.reports"),
    autoescape=True,
    finalize=_escaped,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_TEMPLATES.filters["kind"] = kind_of
