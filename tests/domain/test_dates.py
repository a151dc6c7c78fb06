"""Dates as people type them; dates that do not exist are refused."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.dates import (
    FIRST_YEAR,
    Period,
    parse_first_day,
    parse_instant,
    parse_last_day,
    parse_month,
    parse_period,
    parse_year,
)
from jara.domain.errors import InvalidInput
from jara.domain.time_zone import UTC_ZONE

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-11-20", date(2026, 11, 20), date(2026, 11, 20)),
        ("2026-11", date(2026, 11, 1), date(2026, 11, 30)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("today", TODAY, TODAY),
        ("yesterday", date(2026, 11, 19), date(2026, 11, 19)),
        ("this-month", date(2026, 11, 1), date(2026, 11, 30)),
        ("last-month", date(2026, 10, 1), date(2026, 10, 31)),
        ("this-year", date(2026, 1, 1), date(2026, 12, 31)),
        ("last-year", date(2025, 1, 1), date(2025, 12, 31)),
    ],
)
def test_a_text_names_its_first_and_last_day(text: str, first: date, last: date) -> None:
    """A day, a month, a year or a word is a period with both ends included."""
    assert parse_period(text, today=TODAY) == Period(first, last)
    assert parse_first_day(text, today=TODAY) == first
    assert parse_last_day(text, today=TODAY) == last


def test_january_looks_back_into_the_year_before() -> None:
    """The month before January is December of the previous year."""
    today = date(2026, 1, 1)

    assert parse_period("last-month", today=today) == Period(date(2025, 12, 1), date(2025, 12, 31))
    assert parse_period("yesterday", today=today) == Period(date(2025, 12, 31), date(2025, 12, 31))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-02-30", "'2026-02-30' does not exist: February 2026 has 28 days."),
        ("2026-11-00", "'2026-11-00' does not exist: November 2026 has 30 days."),
        ("2026-13", "'2026-13' does not exist: months go from 01 to 12."),
        ("0000-01-01", "'0000-01-01' is too early: years begin with 1900."),
        ("1899-12", "'1899-12' is too early: years begin with 1900."),
        ("20261120", "'20261120' is not a date; write 2026-11-20, 2026-11, 2026 or one of "),
        ("2026-W47", "'2026-W47' is not a date; "),
        ("٢٠٢٦-11-20", "'٢٠٢٦-11-20' is not a date; "),
        ("2026-11-20\n", "is not a date; "),
        ("", "'' is not a date; "),
        ("tomorow", "'tomorow' is not a date; "),
    ],
)
def test_days_that_do_not_exist_are_refused_by_name(text: str, reason: str) -> None:
    """The message gives the input and the reason why it is not a date."""
    with pytest.raises(InvalidInput) as caught:
        parse_period(text, today=TODAY)

    assert reason in caught.value.message


@given(st.dates(min_value=date(FIRST_YEAR, 1, 1)))
def test_every_day_reads_back_as_itself(day: date) -> None:
    """The ISO form of every calendar day reads back as that day."""
    assert parse_period(day.isoformat(), today=TODAY) == Period(day, day)


@given(st.dates(min_value=date(FIRST_YEAR, 1, 1)))
def test_last_month_ends_the_day_before_this_month(today: date) -> None:
    """Months follow one another without a gap or an overlap."""
    before = parse_period("last-month", today=today)
    this = parse_period("this-month", today=today)

    assert this.first.toordinal() == before.last.toordinal() + 1
    assert this.first <= today <= this.last


def test_month_and_year_take_nothing_shorter_or_longer() -> None:
    """``--month`` takes one month and ``--year`` one year, also as words."""
    assert parse_month("last-month", today=TODAY).first == date(2026, 10, 1)
    assert parse_year("last-year", today=TODAY).last == date(2025, 12, 31)
    with pytest.raises(InvalidInput, match=r"^'2026' is not a month;"):
        parse_month("2026", today=TODAY)
    with pytest.raises(InvalidInput, match=r"^'2026-11' is not a year;"):
        parse_year("2026-11", today=TODAY)


def test_an_instant_has_an_offset_or_is_the_end_of_a_day() -> None:
    """A date alone means the end of that day in UTC; an instant without a zone is refused."""
    moment = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)

    assert parse_instant("2026-11-20T10:30:00+01:00", today=TODAY, zone=UTC_ZONE) == moment
    assert parse_instant("2026-11-20T09:30:00Z", today=TODAY, zone=UTC_ZONE) == moment
    assert parse_instant("2026-11", today=TODAY, zone=UTC_ZONE) == datetime(
        2026, 11, 30, 23, 59, 59, 999999, tzinfo=UTC
    )
    with pytest.raises(InvalidInput, match="has no time zone"):
        parse_instant("2026-11-20T09:30:00", today=TODAY, zone=UTC_ZONE)
    with pytest.raises(InvalidInput, match="is not a time"):
        parse_instant("2026-11-20T25:00:00Z", today=TODAY, zone=UTC_ZONE)
    with pytest.raises(InvalidInput, match="is not a time"):
        parse_instant("9999-12-31T23:59:59-05:00", today=TODAY, zone=UTC_ZONE)
    with pytest.raises(InvalidInput, match="is too early: years begin with 1900"):
        parse_instant("0001-01-01T00:00:00+05:00", today=TODAY, zone=UTC_ZONE)
