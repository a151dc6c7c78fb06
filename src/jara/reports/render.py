"""Renders each kind of report in a format, as the bytes of a file."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from html import escape
from typing import Any, Self

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from jara.documents import json_text
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH
from jara.domain.reports.funds import FundsReport
from jara.domain.reports.impact import ImpactReport
from jara.domain.reports.plan import PlanReport
from jara.domain.reports.spending import SpendingReport
from jara.domain.reports.statement import Statement
from jara.domain.reports.voting import VotingReport
from jara.languages import available, writer_of
from jara.reports.csv_data import write_csv
from jara.reports.document import PLAIN, Branding, Document, Section, kind_of
from jara.reports.funds import build_funds
from jara.reports.impact import build_impact
from jara.reports.json_data import Json, report_document
from jara.reports.markdown_writer import write_markdown
from jara.reports.pdf_writer import write_pdf
from jara.reports.plan import build_plan
from jara.reports.spending import build_spending
from jara.reports.statement import build_statement
from jara.reports.voting import build_voting


class ReportFormat(StrEnum):
    """The file formats of a report: its name, its writer, and the suffixes of its files."""

    MARKDOWN = "md", lambda document, _: write_markdown(document).encode(), ".md"
    HTML = "html", lambda document, _: write_html(document).encode(), ".html", ".htm"
    PDF = "pdf", lambda document, _: write_pdf(document), ".pdf"
    JSON = "json", lambda _, data: (json_text(data, indent=2) + "\n").encode(), ".json"
    CSV = "csv", lambda _, data: write_csv(data).encode(), ".csv"

    write: Callable[[Document, Json], bytes]
    suffixes: tuple[str, ...]

    def __new__(cls, name: str, write: Callable[[Document, Json], bytes], *suffixes: str) -> Self:
        """Create a format with its name as its value."""
        one = str.__new__(cls, name)
        one._value_, one.write, one.suffixes = name, write, suffixes
        return one


SUFFIXES = {suffix: one for one in ReportFormat for suffix in one.suffixes}
"""The format of each suffix."""


def parse_format(text: str) -> ReportFormat:
    """Return the format of that name.

    Raises:
        InvalidInput: there is no such format.
    """
    for one in ReportFormat:
        if one == text:
            return one
    raise InvalidInput(f"'{text}' is not a report format ({', '.join(ReportFormat)}).")


AnyReport = ImpactReport | Statement | FundsReport | VotingReport | SpendingReport | PlanReport
_BUILDERS: Mapping[type[AnyReport], Callable[[Any], Document]] = {
    ImpactReport: build_impact,
    Statement: build_statement,
    FundsReport: build_funds,
    VotingReport: build_voting,
    SpendingReport: build_spending,
    PlanReport: build_plan,
}


def render(
    report: AnyReport, as_format: str, language: str = ENGLISH, branding: Branding = PLAIN
) -> bytes:
    """Write a report; the same report gives the same bytes.

    It is in English if the language has no texts; data have no language.
    """
    build = next(made for kind, made in _BUILDERS.items() if isinstance(report, kind))
    document = replace(build(report), branding=branding)
    spoken = available(language)
    if spoken != ENGLISH:
        document = document.translated(spoken, writer_of(spoken, "reports"))
    return parse_format(as_format).write(document, report_document(report))


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
