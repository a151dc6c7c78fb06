"""Dates as users type them: ``2026-11``, ``2026-11-20``, ``today``, ``last-month``."""

import re
from calendar import month_name, monthrange
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.texts import Value, value
from jara.domain.time_zone import TimeZone

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""The English names, whatever the locale of the machine."""

_NUMERIC = re.compile(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?)?", re.ASCII
)

FIRST_YEAR = 1900
"""Earlier dates are slips of typing; from here on, days can be counted back."""


class Period(NamedTuple):
    """The days from ``first`` to ``last``, both included."""

    first: date
    last: date


def parse_period(text: str, *, today: date) -> Period:
    """Read a day, a month, a year, or a word such as ``last-month``.

    Raises:
        InvalidInput: the text is not a date.
    """
    words = {
        "today": lambda: Period(today, today),
        "yesterday": lambda: Period(today - timedelta(1), today - timedelta(1)),
        "this-month": lambda: _month(today.year, today.month),
        "last-month": lambda: _month_before(today),
        "this-year": lambda: _year(today.year),
        "last-year": lambda: _year(today.year - 1),
    }
    if text in words:
        return words[text]()
    match = _NUMERIC.fullmatch(text)
    if match is None:
        raise InvalidInput(
            f"'{text}' is not a date; write 2026-11-20, 2026-11, 2026 or one of {', '.join(words)}."
        )
    year = int(match["year"])
    _check_year(year, text)
    if match["month"] is None:
        return _year(year)
    month = int(match["month"])
    if not 1 <= month <= len(MONTHS):
        raise InvalidInput(f"'{text}' does not exist: months go from 01 to 12.")
    if match["day"] is None:
        return _month(year, month)
    day = int(match["day"])
    days = monthrange(year, month)[1]
    if not 1 <= day <= days:
        raise InvalidInput(f"'{text}' does not exist: {month_name[month]} {year} has {days} days.")
    return Period(date(year, month, day), date(year, month, day))


def parse_month(text: str, *, today: date) -> Period:
    """Read exactly one month, for ``--month``."""
    period = parse_period(text, today=today)
    if period != _month(period.first.year, period.first.month):
        raise InvalidInput(f"'{text}' is not a month; write 2026-11, this-month or last-month.")
    return period


def parse_year(text: str, *, today: date) -> Period:
    """Read exactly one calendar year, for ``--year``."""
    period = parse_period(text, today=today)
    if period != _year(period.first.year):
        raise InvalidInput(f"'{text}' is not a year; write 2026, this-year or last-year.")
    return period


def parse_one_day(text: str, *, today: date) -> date:
    """Read a single day.

    Raises:
        InvalidInput: the text is not a date, or means several days.
    """
    period = parse_period(text, today=today)
    if period.first != period.last:
        raise InvalidInput(f"'{text}' is not a single day; write it like 2026-11-20.")
    return period.first


def parse_first_day(text: str, *, today: date) -> date:
    """Read the first day of a range: ``2026-11`` is 1 November."""
    return parse_period(text, today=today).first


def parse_last_day(text: str, *, today: date) -> date:
    """Read the last day of a range: ``2026-11`` is 30 November."""
    return parse_period(text, today=today).last


def parse_instant(text: str, *, today: date, zone: TimeZone) -> datetime:
    """Read an instant with its offset; a date means the last moment of its last day there."""
    if "T" not in text:
        return zone.end_of(parse_last_day(text, today=today)) - timedelta(microseconds=1)
    try:
        instant = datetime.fromisoformat(text)
        _check_year(instant.year, text)
        if instant.tzinfo is None:
            raise InvalidInput(f"'{text}' has no time zone; end it with Z for UTC.")
        return instant.astimezone(UTC)
    except (ValueError, OverflowError):  # of the last hours of the year 9999, elsewhere
        raise InvalidInput(f"'{text}' is not a time; write 2026-11-20T09:30:00Z.") from None


def parse_state(text: str, *, today: date, zone: TimeZone) -> int | datetime:
    """Read a state of the books: a number is a size of the log, anything else an instant."""
    if text.isascii() and text.isdigit():
        return int(text[:18])  # no log has that many leaves
    return parse_instant(text, today=today, zone=zone)


def _check_year(year: int, text: str) -> None:
    if year < FIRST_YEAR:
        raise InvalidInput(f"'{text}' is too early: years begin with {FIRST_YEAR}.")


def month_of(day: date) -> Period:
    """Return the calendar month of a day."""
    return _month(day.year, day.month)


def _month(year: int, month: int) -> Period:
    return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _month_before(today: date) -> Period:
    last = today.replace(day=1) - timedelta(1)
    return Period(last.replace(day=1), last)


def _year(year: int) -> Period:
    return Period(date(year, 1, 1), date(year, 12, 31))


def long_date(day: date) -> Value:
    """Show a day: ``31 October 2026``."""
    return value(f"{day.day} {MONTHS[day.month - 1]} {day.year}", "day", day)
