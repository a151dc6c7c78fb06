"""Amounts, dates and counts have one format everywhere."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

import pytest

from jara.domain.books.account import Fund
from jara.domain.dates import long_date
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.statement import TraceFund, TracePayment
from jara.reports import words
from jara.reports.markdown_writer import escape_paragraph, escape_text
from jara.reports.render import render
from jara.reports.words import near_date
from tests.reports.builders.reports import (
    a_month_impact_report,
    a_statement,
    a_voting_report,
    an_impact_report,
)


@pytest.mark.parametrize(
    ("cents", "text"), [(145_700, "$1,457.00"), (-1_200, "−$12.00"), (0, "$0.00")]
)
def test_money_has_two_decimals(cents: int, text: str) -> None:
    """Tables show cents, and the minus sign is U+2212."""
    assert words.money(cents) == text


def test_summaries_are_in_whole_dollars() -> None:
    """Headlines show whole dollars."""
    assert (words.dollars(145_799), words.dollars(-1_299)) == ("$1,457", "−$12")


def test_shares_have_one_decimal() -> None:
    """A share has one decimal, and a difference always has its sign."""
    assert (words.percent(800), words.percent(-5)) == ("80.0%", "−0.5%")
    assert (words.points(15), words.points(-3), words.points(0)) == ("+1.5", "−0.3", "0.0")


def test_dates_are_spelled_out() -> None:
    """Months are written in words."""
    day = date(2026, 10, 31)

    assert long_date(day) == "31 October 2026"
    assert words.short_date(day) == "31 Oct 2026"
    assert (words.month_name(day), words.month_label(day)) == ("October 2026", "Oct")


def test_instants_are_utc() -> None:
    """Times are in UTC."""
    at = datetime(2026, 10, 31, 23, 5, 9, tzinfo=timezone(timedelta(hours=-2)))

    assert words.instant(at) == "1 November 2026, 01:05 UTC"
    assert words.iso_instant(at) == "2026-11-01T01:05:09Z"


@pytest.mark.parametrize(
    ("first", "last", "name"),
    [
        (date(2026, 1, 1), date(2026, 12, 31), "2026"),
        (date(2026, 10, 1), date(2026, 10, 31), "October 2026"),
        (date(2026, 10, 3), date(2026, 10, 3), "3 October 2026"),
        (date(2026, 1, 1), date(2026, 3, 31), "1 January 2026 to 31 March 2026"),
    ],
)
def test_a_period_has_the_shortest_name(first: date, last: date, name: str) -> None:
    """Whole years and months are named as such."""
    assert words.period_name(ReportPeriod(first, last)) == name


@pytest.mark.parametrize(
    ("day", "shown"),
    [(date(2026, 11, 30), "Monday, 30 November"), (date(2027, 1, 3), "Sunday, 3 January 2027")],
)
def test_the_year_is_told_where_it_is_another(day: date, shown: str) -> None:
    """The year is shown only if it is not the current one."""
    assert near_date(day, date(2026, 11, 21)) == shown


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
def test_markdown_characters_are_escaped(text: str, written: str) -> None:
    """Only characters that start markup are escaped."""
    assert escape_paragraph(text) == written


def test_markdown_cells_need_no_line_start() -> None:
    """A character in a table cell cannot start a list."""
    assert escape_text("+1.5") == "+1.5"


def pages(name: str, language: str) -> Iterator[str]:
    """Yield reports in which the organisation, the members and everything listed have a name."""
    for report in (an_impact_report(), a_month_impact_report()):
        impact = replace(
            report,
            organisation=name,
            drift_note=name,
            disbursements=tuple(one._replace(title=name) for one in report.disbursements),
            proposals=tuple(replace(one, title=name) for one in report.proposals),
            projects=tuple(one._replace(title=name) for one in report.projects),
        )
        yield render(impact, "html", language).decode()
    votes = a_voting_report()
    named = (
        tuple(replace(one, title=name) for one in each) for each in (votes.decided, votes.open)
    )
    decided, still_open = named
    votes = replace(votes, organisation=name, decided=decided, open=still_open)
    yield render(votes, "html", language).decode()
    paid = (TracePayment("expenses:projects:x", name, "e_01", date(2026, 5, 30), 1_600),)
    statement = a_statement(trace=(TraceFund(Fund.PROJECTS, 1_600, 0, 0, paid),))
    statement = replace(statement, organisation=name, member_name=name, imprint=name)
    yield render(statement, "html", language).decode()


@pytest.mark.parametrize("name", ["Operations", "Total", "5 May 2026", "Refund", "CHF 12", "{day}"])
def test_a_typed_name_stays_as_typed(name: str) -> None:
    """A name stands in the French page as often as in the English one."""
    texts = zip(pages(name, "en"), pages("Nemo", "en"), pages(name, "fr"), strict=True)
    for english, unlike, french in texts:
        assert french.count(name) >= english.count(name) - unlike.count(name) > 0
