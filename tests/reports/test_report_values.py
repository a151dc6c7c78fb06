"""The values of reports refuse contradictory figures; amounts, dates and counts have one format."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

import pytest

from jara.domain.books.account import Fund
from jara.domain.dates import long_date
from jara.domain.errors import InvalidInput
from jara.domain.reports.funds import SIZE_LINES, CanadianRate, OperationsLine, SizeLine
from jara.domain.reports.impact import Receipts
from jara.domain.reports.parts import BooksMark, ReportPeriod
from jara.domain.reports.statement import TraceFund, TracePayment
from jara.reports import words
from jara.reports.markdown_writer import escape_paragraph, escape_text
from jara.reports.render import render
from jara.reports.words import near_date, ordinal, period_name
from tests.reports.builders.reports import (
    a_month_impact_report,
    a_statement,
    a_vote,
    a_voting_report,
    an_impact_report,
    proposals,
)
from tests.reports.builders.statements import a_funds_report


def test_a_period_knows_whole_months_and_years() -> None:
    """A period is a year or a month only if it is a complete one."""
    year = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))
    february = ReportPeriod(date(2028, 2, 1), date(2028, 2, 29))
    most = ReportPeriod(date(2028, 2, 1), date(2028, 2, 28))
    last = ReportPeriod(date(9999, 12, 1), date(9999, 12, 31))

    assert (year.is_year, year.is_month) == (True, False)
    assert (february.is_year, february.is_month) == (False, True)
    assert not most.is_month
    assert last.is_month


def test_a_period_does_not_end_before_it_begins() -> None:
    """The message names both dates."""
    with pytest.raises(InvalidInput, match=r"2026-01-01.*2026-01-02"):
        ReportPeriod(date(2026, 1, 2), date(2026, 1, 1))


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 1, 1),  # noqa: DTZ001 - the very thing that is refused
        datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=1))),
    ],
)
def test_the_time_of_the_books_is_utc(at: datetime) -> None:
    """A report must be the same in every time zone."""
    with pytest.raises(InvalidInput, match="UTC"):
        BooksMark(1, "00", at)


def test_funds_and_receipts_are_the_same_money() -> None:
    """The funds' receipts equal the income, net of refunds."""
    with pytest.raises(InvalidInput, match=r"\$12,020\.00.*-\$75\.00"):
        an_impact_report(received=Receipts())


def test_an_impact_report_adds_up_its_payouts() -> None:
    """The total paid out is the sum of the payouts."""
    assert an_impact_report().disbursed_cents == 782_550


def test_an_empty_roll_has_no_turnout() -> None:
    """An empty roll causes no division by zero."""
    empty = a_vote(yes=0, no=0, roll=0)

    assert (empty.turnout_tenths, a_vote().turnout_tenths) == (0, 781)


def test_an_open_vote_has_no_count() -> None:
    """An open vote with a count is refused."""
    passed, _, still_open = proposals()
    with pytest.raises(InvalidInput, match="open"):
        type(still_open)("p", "s", "T", "open", date(2026, 1, 1), 1, passed.vote)


def test_a_decided_vote_has_a_count() -> None:
    """A voting report refuses an undecided proposal among the decided ones."""
    with pytest.raises(InvalidInput, match="not decided"):
        a_voting_report(decided=proposals())


def test_a_trace_accounts_for_every_cent() -> None:
    """Paid, waiting and refunded money add up to the received amount."""
    with pytest.raises(InvalidInput, match=r"\$1\.00.*\$0\.90"):
        TraceFund(Fund.STAFF, 100, 0, 90, ())


def test_a_statement_adds_up_its_lines() -> None:
    """Paid and refunded amounts are sums of the lines."""
    statement = a_statement()

    assert (statement.paid_cents, statement.refunded_cents) == (7_000, 400)


def test_position_and_net_assets_are_the_same_money() -> None:
    """Assets less liabilities equal the funds' closing balances."""
    with pytest.raises(InvalidInput, match=r"\$0\.00.*\$4,320\.00"):
        a_funds_report(position=())


def test_cash_flows_explain_the_cash() -> None:
    """Opening cash plus its flows is the closing cash."""
    report = a_funds_report()

    assert report.net_position_cents == report.closing_cash_cents


def test_an_operations_line_adds_up_its_funds() -> None:
    """A line's amount is the sum over the funds."""
    line = OperationsLine("revenue", "Gifts", {Fund.PROJECTS: 80, Fund.STAFF: 7}, 0)

    assert line.cents == 87


@pytest.mark.parametrize(
    ("rate", "usd", "cad"),
    [(13_712, 1, 1), (13_712, 3, 4), (13_712, 10_000, 13_712), (15_000, 1, 2), (15_000, -1, -2)],
)
def test_canadian_dollars_are_rounded_to_the_nearest_cent(rate: int, usd: int, cad: int) -> None:
    """Half cents are rounded away from zero, for either sign."""
    assert CanadianRate(rate, "test").convert_cents(usd) == cad


def test_an_exchange_rate_is_positive() -> None:
    """A rate of 0 is refused."""
    with pytest.raises(InvalidInput, match="above 0"):
        CanadianRate(0, "none")


def test_size_lines_hold_from_their_date_to_their_end() -> None:
    """Thresholds have dates, because they change."""
    line = SizeLine("grossRevenue", 1, "c", "s", date(2020, 1, 1), date(2020, 12, 31))

    assert [
        line.is_in_force(day)
        for day in (date(2019, 12, 31), date(2020, 1, 1), date(2020, 12, 31), date(2021, 1, 1))
    ] == [False, True, True, False]


def test_every_line_in_force_is_measured() -> None:
    """Without a rate nothing is compared; a missing measure is 0."""
    converted = a_funds_report().measured_lines()
    bare = a_funds_report(rate=None).measured_lines()

    assert [line for line, _, _ in converted] == list(SIZE_LINES)
    assert {cad for _, _, cad in bare} == {None}
    assert [usd for line, usd, _ in bare if line.measure == "investmentIncome"] == [0]


def test_lines_of_a_later_law_are_not_measured() -> None:
    """In a year before the Act, only the lines of that time apply."""
    early = ReportPeriod(date(2000, 1, 1), date(2000, 12, 31))
    lines = a_funds_report(period=early).measured_lines()

    assert {line.measure for line, _, _ in lines} == {"investmentIncome", "totalAssetsBefore"}


def test_project_payments_equal_the_payouts() -> None:
    """A report with contradictory sections is refused."""
    with pytest.raises(InvalidInput, match=r"clean-water-boreholes' are \$0\.00, .* \$4,590\.00"):
        an_impact_report(disbursements=())


@pytest.mark.parametrize(
    ("period", "name"),
    [
        (ReportPeriod(date(2026, 11, 1), date(2026, 11, 30)), "November 2026 so far, to the 11th"),
        (ReportPeriod(date(2026, 1, 1), date(2026, 12, 31)), "2026 so far, to 11 November 2026"),
        (
            ReportPeriod(date(2026, 10, 3), date(2026, 11, 12)),
            "3 October 2026 to 12 November 2026 so far, to 11 November 2026",
        ),
        (ReportPeriod(date(2026, 10, 3), date(2026, 11, 11)), "3 October 2026 to 11 November 2026"),
    ],
)
def test_an_unfinished_period_is_marked(period: ReportPeriod, name: str) -> None:
    """The name of an incomplete period includes its last known day."""
    assert period_name(period.known_on(date(2026, 11, 11))) == name


@pytest.mark.parametrize(
    ("day", "name"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (23, "23rd")],
)
def test_days_of_the_month_are_counted_as_people_do(day: int, name: str) -> None:
    """11, 12 and 13 end in "th"."""
    assert ordinal(day) == name


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
