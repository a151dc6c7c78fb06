"""Each report in each format is complete, safe, consistent and reproducible."""

import builtins
import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.reports.parts import BooksMark
from jara.domain.reports.statement import Statement
from jara.domain.reports.voting import VotingReport
from jara.reports.csv_data import HEADER
from jara.reports.json_data import report_document
from jara.reports.pdf_writer import PdfNotInstalled
from jara.reports.render import ReportFormat, parse_format, render
from tests.reports.builders.pages import cents_of, read_page
from tests.reports.builders.reports import (
    BOOKS,
    HOSTILE,
    a_month_impact_report,
    a_plan_report,
    a_spending_report,
    a_statement,
    a_voting_report,
    an_empty_impact_report,
    an_impact_report,
)
from tests.reports.builders.statements import a_funds_report

Render = Callable[[Any, str], bytes]


def hostile_report() -> Any:
    """Return a report in which every text tries to be markup."""
    report = an_impact_report()
    return replace(
        report,
        organisation=HOSTILE,
        drift_note=HOSTILE,
        disbursements=tuple(p._replace(title=HOSTILE) for p in report.disbursements),
        projects=tuple(p._replace(title=HOSTILE, status=HOSTILE) for p in report.projects),
        proposals=tuple(replace(p, title=HOSTILE) for p in report.proposals),
        late_entries=tuple(e._replace(description=HOSTILE) for e in report.late_entries),
    )


def empty_statement() -> Statement:
    """Return the statement of a member who paid nothing."""
    return a_statement(lines=(), trace=())


def empty_votes() -> VotingReport:
    """Return a period without votes."""
    return a_voting_report(decided=(), open=())


REPORTS: list[tuple[str, Callable[[], Any], Render]] = [
    ("impact", an_impact_report, render),
    ("empty", an_empty_impact_report, render),
    ("month", a_month_impact_report, render),
    ("hostile", hostile_report, render),
    ("statement", a_statement, render),
    ("no-payment", empty_statement, render),
    ("voting", a_voting_report, render),
    ("no-vote", empty_votes, render),
    ("spending", a_spending_report, render),
    ("plan", a_plan_report, render),
    ("funds", a_funds_report, render),
]
every_report = pytest.mark.parametrize(
    ("make", "render"), [case[1:] for case in REPORTS], ids=[case[0] for case in REPORTS]
)


@every_report
@pytest.mark.parametrize("as_format", list(ReportFormat))
def test_the_same_report_gives_the_same_bytes(
    make: Callable[[], Any], render: Render, as_format: str
) -> None:
    """Two runs give the same bytes."""
    assert render(make(), as_format) == render(make(), as_format)


@every_report
def test_a_page_is_well_formed_and_fetches_nothing(make: Callable[[], Any], render: Render) -> None:
    """A page has one h1, no skipped level, texts for pictures and tables, no request, no script."""
    html = render(make(), "html").decode()
    page = read_page(html)
    levels = [level for level, _ in page.headings]

    assert html.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(picture == ["img", "title", "desc"] for picture in page.pictures)
    assert len(page.tables) == len(page.captions)
    assert page.unscoped == 0
    assert {"header", "main", "footer"} <= set(page.tags)
    assert {"script", "link", "iframe", "img", "object"}.isdisjoint(page.tags)
    assert all(reference.startswith("#") for reference in page.references)
    assert {reference[1:] for reference in page.references} <= set(page.ids)
    assert re.search(r"url\(|@import", html) is None


@every_report
def test_totals_of_tables_are_sums(make: Callable[[], Any], render: Render) -> None:
    """A row 'Total' has the sum of the amounts above it."""
    checked = 0
    for table in read_page(render(make(), "html").decode()).tables:
        *rows, total = table[1:]
        if total[0] != "Total":
            continue
        for column, cell in enumerate(total):
            if cell.startswith(("$", "−$")):
                assert cents_of(cell) == sum(cents_of(row[column]) for row in rows)
                checked += 1

    assert checked or make in {empty_statement, empty_votes}


@every_report
def test_tables_of_markdown_keep_their_columns(make: Callable[[], Any], render: Render) -> None:
    """Each row of a pipe table has as many cells as its heading, for any text."""
    text = render(make(), "md").decode()
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(cells) == 1

    assert text.startswith("# ")
    assert re.search(r"<(?!br)[a-z]", text) is None


def test_hostile_texts_stay_texts() -> None:
    """Typed texts become neither markup nor formulas nor code."""
    html = render(hostile_report(), "html").decode()
    cells = list(csv.reader(io.StringIO(render(hostile_report(), "csv").decode())))

    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert HOSTILE in json.loads(render(hostile_report(), "json"))["driftNote"]
    assert all(len(row) == 5 for row in cells)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_spreadsheet_reads_no_formula(start: str) -> None:
    """Text cells that start like a formula are quoted."""
    rows = csv.reader(
        io.StringIO(render(an_impact_report(drift_note=f"{start}cmd()"), "csv").decode())
    )

    assert next(row[3] for row in rows if row[0] == "driftNote") == f"'{start}cmd()"


def test_csv_has_one_figure_a_line() -> None:
    """Each line has one value with its unit: dollars, a share, a count or an answer."""
    text = render(an_impact_report(), "csv").decode()
    rows = [tuple(row) for row in csv.reader(io.StringIO(text))]

    assert rows[0] == HEADER
    assert ("received", "", "total", "12095.00", "USD") in rows
    assert ("funds", "1: projects", "promisedShare", "80.0", "percent") in rows
    assert ("changemakers", "", "", "64", "count") in rows
    assert ("lateEntries", "1: e_9f2c", "amount", "-5.00", "USD") in rows
    assert ("proposals", "3: prop_03", "tally", "", "") in rows
    assert ("proposals", "1: prop_01", "tally.passes", "yes", "answer") in rows
    assert ("proposals", "2: prop_02", "tally.passes", "no", "answer") in rows
    assert ("proposals", "1: prop_01", "payouts.2.amount", "1590.00", "USD") in rows


def test_a_measured_decimal_is_a_number_and_no_share() -> None:
    """Measures have up to three decimals; only shares are percent."""
    text = render(an_impact_report(), "csv").decode()
    rows = {tuple(row) for row in csv.reader(io.StringIO(text))}

    project = ("projects", "1: clean-water-boreholes")
    assert {
        (*project, "results.1.target", "240.5", "number"),
        (*project, "results.1.actual", "212.125", "number"),
        (*project, "results.1.baseline", "12", "count"),
        (*project, "results.1.costPerUnit", "22.93", "USD"),
    } <= rows


def test_canadian_amounts_are_marked() -> None:
    """A sheet marks the currency if it has two."""
    text = render(a_funds_report(), "csv").decode()
    rows = [tuple(row) for row in csv.reader(io.StringIO(text))]

    assert ("sizeLines", "1: publicSources", "cad", "16618.94", "CAD") in rows
    assert ("sizeLines", "1: publicSources", "usd", "12120.00", "USD") in rows


def test_lists_within_an_item_are_numbered() -> None:
    """A nested list keeps its order in the field names."""
    text = render(a_statement(), "csv").decode()

    assert "contributions,1: 2026-03-01,amount,10.00,USD\r\n" in text
    assert "funds,,projects.paid.2.amount,10.00,USD\r\n" in text


def test_the_impact_document_has_the_keys_of_the_contract() -> None:
    """The keys that programs depend on stay, and more may be added."""
    document = report_document(an_impact_report())

    assert document["period"] == {"from": "2026-01-01", "to": "2026-12-31"}
    assert document["books"] == {"size": 4_217, "root": BOOKS.root, "at": "2026-12-31T22:05:09Z"}
    assert {"pledges", "gifts", "grants", "total"} <= set(document["receivedCents"])
    assert {"fund", "receivedCents", "spentCents", "promisedShare", "actualShare"} <= set(
        document["funds"][0]
    )
    assert {"date", "project", "account", "proposal", "cents"} <= set(document["disbursements"][0])
    assert "proposal" not in document["disbursements"][1]
    assert {"id", "title", "status", "tally"} <= set(document["proposals"][0])
    assert {"slug", "title", "status", "milestones"} <= set(document["projects"][0])
    assert document["projects"][0]["milestones"] == {"done": 4, "total": 5}
    assert {
        "changemakers",
        "pledgedMonthlyCents",
        "feesCents",
        "refundsCents",
        "cashAtHandCents",
        "cashDeployedCents",
    } <= set(document)


def test_a_final_tally_has_the_keys_of_the_tally_command() -> None:
    """The count in a report has the same keys as `jara votes tally`."""
    tally = report_document(an_impact_report())["proposals"][1]["tally"]

    assert tally == {
        "yes": 27,
        "no": 20,
        "void": 1,
        "roll": 66,
        "notVoted": 19,
        "needed": 6,
        "upvotePercentage": 40.9,
        "downvotePercentage": 30.3,
        "turnoutPercentage": 71.2,
        "rule": {"num": 1, "den": 2, "of": "roll"},
        "passes": False,
        "final": True,
    }


def test_only_known_formats_are_written() -> None:
    """The message lists the formats."""
    with pytest.raises(InvalidInput, match=r"'docx'.*md, html, pdf, json, csv"):
        parse_format("docx")


@every_report
def test_a_pdf_has_pages_and_the_date_of_its_books(make: Callable[[], Any], render: Render) -> None:
    """A PDF is tagged and has the date of the books, not of the clock."""
    pdf = render(make(), "pdf")

    assert pdf.startswith(b"%PDF-")
    assert re.search(rb"/Type\s*/Page\b", pdf)
    assert b"/StructTreeRoot" in pdf
    assert (b"20261231220509" in pdf) == (make().books.at is not None)


def test_without_typst_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the optional extra for PDF, the message names it."""
    whole = builtins.__import__

    def import_all_but_typst(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "typst":
            raise ImportError(name)
        return whole(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", import_all_but_typst)

    with pytest.raises(PdfNotInstalled, match=r"pip install 'jara\[pdf\]'"):
        render(an_impact_report(), "pdf")


def test_books_without_an_entry_have_no_time() -> None:
    """Without entries, a report has no time."""
    document = report_document(an_empty_impact_report(books=BooksMark(0, "", None)))

    assert document["books"] == {"size": 0, "root": "", "at": None}


@pytest.mark.parametrize("name", ["😀 Bo", "\u674e\u96f7", "\u1275\u130d\u122b\u12ed", "\ufffe x"])
def test_a_letter_that_the_fonts_lack_stops_no_pdf(name: str) -> None:
    """A member chooses the name, and the run for all members goes on."""
    pytest.importorskip("typst")

    assert render(a_statement(member_name=name), ReportFormat.PDF).startswith(b"%PDF-")
