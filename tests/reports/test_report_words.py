"""Amounts, dates and counts have one format everywhere."""

from datetime import date, datetime, timedelta, timezone

import pytest

from jara.domain.dates import long_date
from jara.domain.reports.parts import ReportPeriod
from jara.reports import words


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
