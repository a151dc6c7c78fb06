"""Renders each kind of report in a format, as the bytes of a file."""

from __future__ import annotations

import json
from dataclasses import replace
from enum import StrEnum

from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH
from jara.domain.reports.funds import FundsReport
from jara.domain.reports.impact import ImpactReport
from jara.domain.reports.statement import Statement
from jara.domain.reports.voting import VotingReport
from jara.languages import available
from jara.reports.branding import PLAIN, Branding
from jara.reports.csv_data import write_csv
from jara.reports.document import Document
from jara.reports.funds import build_funds
from jara.reports.html_writer import write_html
from jara.reports.impact import build_impact
from jara.reports.json_data import Json, impact_document, statement_document, voting_document
from jara.reports.json_funds import funds_document
from jara.reports.markdown_writer import write_markdown
from jara.reports.pdf_writer import write_pdf
from jara.reports.statement import build_statement
from jara.reports.voting import build_voting


class ReportFormat(StrEnum):
    """The file formats of a report."""

    MARKDOWN = "md"
    HTML = "html"
    PDF = "pdf"
    JSON = "json"
    CSV = "csv"


def parse_format(text: str) -> ReportFormat:
    """Return the format of that name.

    Raises:
        InvalidInput: there is none.
    """
    try:
        return ReportFormat(text)
    except ValueError:
        known = ", ".join(ReportFormat)
        raise InvalidInput(f"'{text}' is not a report format ({known}).") from None


def render_impact(
    report: ImpactReport, as_format: str, language: str = ENGLISH, branding: Branding = PLAIN
) -> bytes:
    """Write an impact report; the same report gives the same bytes."""
    document = replace(build_impact(report), branding=branding)
    return _render(document, impact_document(report), as_format, language)


def render_statement(
    statement: Statement, as_format: str, language: str = ENGLISH, branding: Branding = PLAIN
) -> bytes:
    """Write a member's statement."""
    document = replace(build_statement(statement), branding=branding)
    return _render(document, statement_document(statement), as_format, language)


def render_funds(
    report: FundsReport, as_format: str, language: str = ENGLISH, branding: Branding = PLAIN
) -> bytes:
    """Write the yearly statements."""
    document = replace(build_funds(report), branding=branding)
    return _render(document, funds_document(report), as_format, language)


def render_voting(
    report: VotingReport, as_format: str, language: str = ENGLISH, branding: Branding = PLAIN
) -> bytes:
    """Write the report on votes."""
    document = replace(build_voting(report), branding=branding)
    return _render(document, voting_document(report), as_format, language)


def _render(document: Document, data: Json, as_format: str, language: str) -> bytes:
    """Write a document, in English where the language has no texts; data have no language."""
    spoken = available(language)
    if spoken != ENGLISH:
        from jara.reports.translation import translate_document  # Babel is slow to load

        document = translate_document(document, spoken)
    match parse_format(as_format):
        case ReportFormat.MARKDOWN:
            return write_markdown(document).encode()
        case ReportFormat.HTML:
            return write_html(document).encode()
        case ReportFormat.PDF:
            return write_pdf(document)
        case ReportFormat.JSON:
            return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode()
        case ReportFormat.CSV:
            return write_csv(data).encode()
