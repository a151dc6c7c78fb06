"""Each report in each format: whole, safe, adding up, and the same bytes every time."""

from __future__ import annotations

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
from jara.domain.report_parts import BooksMark
from jara.domain.reporting import Receipts, Statement, VotingReport
from jara.reports.csv_data import HEADER, guard_cell
from jara.reports.impact_votes import build_decided
from jara.reports.json_data import impact_document
from jara.reports.markdown_writer import escape_paragraph, escape_text
from jara.reports.pdf_writer import PdfNotInstalled
from jara.reports.render import (
    ReportFormat,
    parse_format,
    render_funds,
    render_impact,
    render_statement,
    render_voting,
)
from jara.reports.statement import RECEIPT_ENGLISH, RECEIPT_FRENCH
from tests.reports.builders.pages import cents_of, read_page
from tests.reports.builders.reports import (
    BOOKS,
    HOSTILE,
    a_funds_report,
    a_month_impact_report,
    a_statement,
    a_vote,
    a_voting_report,
    an_empty_impact_report,
    an_impact_report,
    payouts,
    proposals,
)

Render = Callable[[Any, str], bytes]


def hostile_report() -> Any:
    """Return a report in which every text tries to be markup."""
    report = an_impact_report()
    return replace(
        report,
        organisation=HOSTILE,
        drift_note=HOSTILE,
        disbursements=tuple(replace(p, title=HOSTILE) for p in report.disbursements),
        projects=tuple(replace(p, title=HOSTILE, status=HOSTILE) for p in report.projects),
        proposals=tuple(replace(p, title=HOSTILE) for p in report.proposals),
        late_entries=tuple(replace(e, description=HOSTILE) for e in report.late_entries),
    )


def empty_statement() -> Statement:
    """Return the statement of a member who paid nothing."""
    return a_statement(lines=(), trace=())


def empty_votes() -> VotingReport:
    """Return a period without votes."""
    return a_voting_report(decided=(), open=())


REPORTS: list[tuple[str, Callable[[], Any], Render]] = [
    ("impact", an_impact_report, render_impact),
    ("empty", an_empty_impact_report, render_impact),
    ("month", a_month_impact_report, render_impact),
    ("hostile", hostile_report, render_impact),
    ("statement", a_statement, render_statement),
    ("no-payment", empty_statement, render_statement),
    ("voting", a_voting_report, render_voting),
    ("no-vote", empty_votes, render_voting),
    ("funds", a_funds_report, render_funds),
]
every_report = pytest.mark.parametrize(
    ("make", "render"), [case[1:] for case in REPORTS], ids=[case[0] for case in REPORTS]
)


@every_report
@pytest.mark.parametrize("as_format", list(ReportFormat))
def test_the_same_report_gives_the_same_bytes(
    make: Callable[[], Any], render: Render, as_format: str
) -> None:
    """A report made again is the same, byte for byte (design, 'Reports')."""
    assert render(make(), as_format) == render(make(), as_format)


@every_report
def test_a_page_is_well_formed_and_fetches_nothing(make: Callable[[], Any], render: Render) -> None:
    """One h1, no skipped level, all pictures named, all tables captioned, no request, no script."""
    html = render(make(), "html").decode()
    page = read_page(html)
    levels = [level for level, _ in page.headings]

    assert html.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert 1 == levels.count(1)
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(["img", "title", "desc"] == picture for picture in page.pictures)
    assert len(page.tables) == len(page.captions)
    assert 0 == page.unscoped
    assert {"header", "main", "footer"} <= set(page.tags)
    assert {"script", "link", "iframe", "img", "object"}.isdisjoint(page.tags)
    assert all(reference.startswith("#") for reference in page.references)
    assert {reference[1:] for reference in page.references} <= set(page.ids)
    assert re.search(r"url\(|@import", html) is None


@every_report
def test_totals_of_tables_are_sums(make: Callable[[], Any], render: Render) -> None:
    """Where a table ends in 'Together', each amount there is the sum of the rows above."""
    checked = 0
    for table in read_page(render(make(), "html").decode()).tables:
        *rows, total = table[1:]
        if total[0] != "Together":
            continue
        for column, cell in enumerate(total):
            if cell.startswith(("$", "−$")):
                assert cents_of(cell) == sum(cents_of(row[column]) for row in rows)
                checked += 1

    assert checked or make in {empty_statement, empty_votes}


@every_report
def test_tables_of_markdown_keep_their_columns(make: Callable[[], Any], render: Render) -> None:
    """No text adds a column to a pipe table: each row has as many cells as its heading."""
    text = render(make(), "md").decode()
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert 1 == len(cells)

    assert text.startswith("# ")
    assert re.search(r"<(?!br)[a-z]", text) is None


def test_hostile_texts_stay_texts() -> None:
    """Nothing that a person typed becomes markup, a formula or code."""
    html = render_impact(hostile_report(), "html").decode()
    cells = list(csv.reader(io.StringIO(render_impact(hostile_report(), "csv").decode())))

    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert HOSTILE in json.loads(render_impact(hostile_report(), "json"))["driftNote"]
    assert all(5 == len(row) for row in cells)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_spreadsheet_reads_no_formula(start: str) -> None:
    """Text cells that begin like a formula are quoted (trust §4)."""
    rows = csv.reader(
        io.StringIO(render_impact(an_impact_report(drift_note=f"{start}cmd()"), "csv").decode())
    )

    assert f"'{start}cmd()" == next(row[3] for row in rows if row[0] == "driftNote")
    assert "plain" == guard_cell("plain")


def test_csv_has_one_figure_a_line() -> None:
    """Amounts are dollars with their unit; shares, counts and answers have theirs."""
    text = render_impact(an_impact_report(), "csv").decode()
    rows = [tuple(row) for row in csv.reader(io.StringIO(text))]

    assert HEADER == rows[0]
    assert ("received", "", "total", "12095.00", "USD") in rows
    assert ("funds", "1: projects", "promisedShare", "80.0", "percent") in rows
    assert ("changemakers", "", "", "64", "count") in rows
    assert ("lateEntries", "1: e_9f2c", "amount", "-5.00", "USD") in rows
    assert ("proposals", "3: prop_03", "tally", "", "") in rows
    assert ("proposals", "1: prop_01", "tally.passes", "yes", "answer") in rows
    assert ("proposals", "2: prop_02", "tally.passes", "no", "answer") in rows
    assert ("proposals", "1: prop_01", "payouts.2.amount", "1590.00", "USD") in rows


def test_canadian_amounts_are_marked() -> None:
    """A sheet never mixes two currencies without saying so."""
    text = render_funds(a_funds_report(), "csv").decode()
    rows = [tuple(row) for row in csv.reader(io.StringIO(text))]

    assert ("sizeLines", "1: publicSources", "cad", "16618.94", "CAD") in rows
    assert ("sizeLines", "1: publicSources", "usd", "12120.00", "USD") in rows


def test_lists_within_an_item_are_numbered() -> None:
    """A list in a list keeps its order in the field's name."""
    text = render_statement(a_statement(), "csv").decode()

    assert "contributions,1: 2026-03-01,amount,10.00,USD\r\n" in text
    assert "funds,,projects.paid.2.amount,10.00,USD\r\n" in text


def test_the_impact_document_has_the_keys_of_the_contract() -> None:
    """Scripts live on these keys: they stay, more may join them."""
    document = impact_document(an_impact_report())

    assert {"from": "2026-01-01", "to": "2026-12-31"} == document["period"]
    assert {
        "size": 4_217,
        "root": BOOKS.root,
        "at": "2026-12-31T22:05:09Z",
    } == document["books"]
    assert {"pledges", "gifts", "grants", "total"} <= set(document["receivedCents"])
    assert {"fund", "receivedCents", "spentCents", "promisedShare", "actualShare"} <= set(
        document["funds"][0]
    )
    assert {"date", "project", "account", "proposal", "cents"} <= set(document["disbursements"][0])
    assert "proposal" not in document["disbursements"][1]
    assert {"id", "title", "status", "tally"} <= set(document["proposals"][0])
    assert {"slug", "title", "status", "milestones"} <= set(document["projects"][0])
    assert {"done": 4, "total": 5} == document["projects"][0]["milestones"]
    assert {
        "changemakers",
        "pledgedMonthlyCents",
        "feesCents",
        "refundsCents",
        "cashAtHandCents",
        "cashDeployedCents",
    } <= set(document)


def test_a_final_tally_has_the_keys_of_the_tally_command() -> None:
    """The count in a report reads like `jara votes tally`."""
    tally = impact_document(an_impact_report())["proposals"][1]["tally"]

    assert {
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
    } == tally


@pytest.mark.parametrize("as_format", ["md", "html", "json", "csv"])
def test_an_open_vote_shows_no_count(as_format: str) -> None:
    """An open vote appears, without its count."""
    text = render_voting(a_voting_report(decided=()), as_format).decode()

    assert "A seed bank for Kisumu" in text
    assert "Turnout was" not in text
    assert "upvotePercentage" not in text


@pytest.mark.parametrize("as_format", ["md", "html"])
def test_a_statement_says_in_both_languages_what_it_is_not(as_format: str) -> None:
    """A statement is no tax receipt, and says so (money §11)."""
    text = render_statement(a_statement(), as_format).decode().replace("&#x27;", "'")

    assert RECEIPT_ENGLISH in text
    assert RECEIPT_FRENCH in text
    assert "tax receipt" not in text
    assert "deductible" not in text


def test_french_is_marked_as_french() -> None:
    """A screen reader changes its voice."""
    assert '<p class="notice" lang="fr">Ce reçu' in render_statement(a_statement(), "html").decode()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "The widest gap is in Projects: 1.7 points more than promised."),
        ({"drift_note": "Because."}, "In the words of Jara Giving Society: Because."),
        ({"disbursements": ()}, "Nothing was paid out in this period."),
        ({"fees_cents": 0}, "No card or bank fees were paid in this period."),
        ({"late_entries": ()}, "Every entry of the period was booked before its end."),
        ({"proposals": ()}, "No proposal was put to a vote in this period."),
        ({"projects": ()}, "There was no project in this period."),
        ({}, "1 entry of this period reached the books only after 31 December 2026."),
        ({}, "Rejected on 31 August 2026: 27 voted yes, it needed 50% or more of the 66"),
        ({}, "6 more yes votes were missing."),
        ({}, "The count; 1 voided ballot is not in it"),
        ({}, "$2,000.00 is held for it and $1,500.00 waits for further receipts."),
    ],
)
def test_an_impact_report_says_it_in_words(changes: dict[str, Any], sentence: str) -> None:
    """What matters is said, not only shown."""
    assert sentence in render_impact(an_impact_report(**changes), "md").decode()


def test_an_empty_organisation_has_a_report() -> None:
    """No receipts, no spending, no votes: sentences instead of empty tables."""
    text = render_impact(an_empty_impact_report(), "md").decode()

    for sentence in (
        "Nothing was received in this period.",
        "Nothing was spent in this period, so there is no split to compare.",
        "Nothing was paid out in this period.",
        "Made from books that hold no entry yet.",
    ):
        assert sentence in text


def test_no_policy_no_promise() -> None:
    """Without a fund policy there is nothing to compare."""
    text = render_impact(an_empty_impact_report(funds=()), "md").decode()

    assert "No fund policy was in force in this period." in text


def test_a_kept_promise_is_said() -> None:
    """No gap is a result too."""
    report = an_impact_report()
    kept = tuple(replace(line, actual_tenths=line.promised_tenths) for line in report.funds)
    text = render_impact(replace(report, funds=kept), "md").decode()

    assert "Every fund spent exactly the share that was promised." in text


def test_several_late_entries_are_counted() -> None:
    """Late entries are counted and named (design, 'Reports')."""
    late = an_impact_report().late_entries
    text = render_impact(an_impact_report(late_entries=late + late), "md").decode()

    assert "2 entries of this period" in text
    assert 2 == text.count("e\\_9f2c")


def test_other_income_appears_when_there_is_some() -> None:
    """A kind of income that the chart of accounts does not name is not hidden."""
    received = Receipts(746_000, 210_000, 252_500, 1_000)
    text = render_impact(an_impact_report(received=received), "md").decode()

    assert "| Other income | $10.00 |" in text
    assert "Other income" not in render_impact(an_impact_report(), "md").decode()


def test_money_that_comes_back_is_shown() -> None:
    """A payout that was reversed has no bar and a negative amount."""
    back = replace(payouts()[4], cents=-42_500)
    text = render_impact(an_impact_report(disbursements=(back,)), "html").decode()

    assert "−$425.00" in text


def test_a_released_commitment_is_said() -> None:
    """What a finished project did not need goes to others."""
    passed = replace(proposals()[0], released_cents=100, payouts=())
    text = render_voting(a_voting_report(decided=(passed,)), "md").decode()

    assert "$1.00 was released to other projects." in text


def test_a_rule_of_thirds_is_a_fraction() -> None:
    """A rule that is no whole percent is shown as it is stored."""
    vote = a_vote(rule_num=2, rule_den=3, needed=2, passes=False)
    rejected = replace(proposals()[1], vote=vote)
    text = render_voting(a_voting_report(decided=(rejected,)), "html").decode()

    assert "2/3 or more of the 64" in text
    assert "67% to pass" in text


def test_an_open_vote_has_no_part_of_its_own() -> None:
    """A part of a decided vote cannot be made from an open one."""
    with pytest.raises(InvalidInput, match="A seed bank for Kisumu"):
        build_decided(proposals()[2])


def test_statements_name_what_is_missing() -> None:
    """Statements without a rate, commitments or operations say so."""
    report = a_funds_report(rate=None, commitments=(), operations=(), approved_by="A. Director")
    text = render_funds(report, "md").decode()

    for sentence in (
        "No exchange rate was given for this year",
        "nothing was promised to a passed proposal",
        "Nothing was received or spent in this year.",
        "signed by A. Director.",
    ):
        assert sentence in text


def test_members_of_the_corporation_are_not_the_public() -> None:
    """Whether changemakers are members in the Act's sense decides what is public money."""
    ours = render_funds(a_funds_report(changemakers_are_members=True), "md").decode()
    theirs = render_funds(a_funds_report(), "md").decode()

    assert "gifts of changemakers do not count as public sources" in ours
    assert "gifts of changemakers count as public sources" in theirs


def test_operations_add_up_by_fund_and_year() -> None:
    """Revenue over expenses is what the lines give, and last year stands beside it."""
    tables = read_page(render_funds(a_funds_report(), "html").decode()).tables
    last = next(t[-1] for t in tables if t[-1][0] == "Revenue over expenses")

    assert ["$3,120.00", "$1,200.00"] == last[-2:]
    assert 312_000 == sum(cents_of(cell) for cell in last[1:-2])


def test_only_known_formats_are_written() -> None:
    """The message lists the formats."""
    with pytest.raises(InvalidInput, match=r"'docx'.*md, html, pdf, json, csv"):
        parse_format("docx")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("80.0% spent", "80.0% spent"),
        ("1. first", "1\\. first"),
        ("- no list", "\\- no list"),
        ("# no heading", "\\# no heading"),
        ("a | b", "a \\| b"),
        ("<b> & [x](y)", "&lt;b&gt; &amp; \\[x\\](y)"),
        ("two\nlines", "two lines"),
    ],
)
def test_markdown_shows_what_was_typed(text: str, written: str) -> None:
    """Signs that begin markup are escaped, others are left alone."""
    assert written == escape_paragraph(text)


def test_markdown_cells_need_no_line_start() -> None:
    """Inside a table a sign begins no list."""
    assert "+1.5" == escape_text("+1.5")


@every_report
def test_a_pdf_has_pages_and_the_date_of_its_books(make: Callable[[], Any], render: Render) -> None:
    """A PDF is tagged, and dated by the books, never by the clock."""
    pdf = render(make(), "pdf")

    assert pdf.startswith(b"%PDF-")
    assert re.search(rb"/Type\s*/Page\b", pdf)
    assert b"/StructTreeRoot" in pdf
    assert (b"20261231220509" in pdf) == (make().books.at is not None)


def test_without_typst_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """PDF is an optional extra; without it the message says what to do."""
    whole = builtins.__import__

    def import_all_but_typst(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "typst":
            raise ImportError(name)
        return whole(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", import_all_but_typst)

    with pytest.raises(PdfNotInstalled, match=r"pip install 'jara\[pdf\]'"):
        render_impact(an_impact_report(), "pdf")


def test_books_without_an_entry_have_no_time() -> None:
    """A report of books that hold nothing has no instant."""
    document = impact_document(an_empty_impact_report(books=BooksMark(0, "", None)))

    assert {"size": 0, "root": "", "at": None} == document["books"]
