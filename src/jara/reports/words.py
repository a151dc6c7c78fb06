"""Amounts, dates and counts as people read them: no locale, no time zone, no clock."""

from __future__ import annotations

from datetime import UTC, date, datetime

from jara.domain.books.account import Fund
from jara.domain.currency import DEFAULT_CURRENCY, books_currency
from jara.domain.money import format_cents, format_dollars
from jara.domain.reports.parts import ReportPeriod
from jara.domain.time_zone import UTC_ZONE

MINUS = "\u2212"
NO_FIGURE = "–"
"""The text of a cell without a figure."""

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

FUND_NAMES = {
    Fund.PROJECTS: "Projects",
    Fund.STAFF: "Staff",
    Fund.MARKETING: "Marketing",
    Fund.OTHER: "Other costs",
    Fund.COMMITTED: "Committed by vote",
}


def money(cents: int, currency: str | None = None) -> str:
    """Show an amount with its cents: ``$1,457.00``, ``−$12.00``; by default the books' money."""
    return format_cents(cents, currency).replace("-", MINUS)


def dollars(cents: int) -> str:
    """Show an amount without its cents, for summaries: ``$1,457``."""
    return format_dollars(cents).replace("-", MINUS)


def currency_name(*, capital: bool = False) -> str:
    """Name the currency of the books: ``US dollars``, ``euros``; at the beginning ``Euros``."""
    currency = books_currency()
    if currency == DEFAULT_CURRENCY:
        return "US dollars"
    from jara.languages.formats import english_name  # dollars need no Babel

    name = english_name(currency)
    return name[:1].upper() + name[1:] if capital else name


def percent(tenths: int) -> str:
    """Show tenths of a percent: ``80.0%``."""
    sign = MINUS if tenths < 0 else ""
    whole, rest = divmod(abs(tenths), 10)
    return f"{sign}{whole}.{rest}%"


def points(tenths: int) -> str:
    """Show a difference of two shares, always with its sign: ``+1.5``, ``−0.3``, ``0.0``."""
    sign = "+" if tenths > 0 else MINUS if tenths < 0 else ""
    whole, rest = divmod(abs(tenths), 10)
    return f"{sign}{whole}.{rest}"


def long_date(day: date) -> str:
    """Show a day: ``31 October 2026``."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def near_date(day: date, today: date) -> str:
    """Show a day not far from now: ``Monday, 30 November``; the year only if it differs."""
    full = long_date(day)
    shown = full.removesuffix(f" {today.year}")
    return f"{_WEEKDAYS[day.weekday()]}, {shown}"


def short_date(day: date) -> str:
    """Show a day in a table: ``31 Oct 2026``."""
    return f"{day.day} {_MONTHS[day.month - 1][:3]} {day.year}"


def month_name(day: date) -> str:
    """Show a month: ``October 2026``."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def month_label(day: date) -> str:
    """Show a month below a chart: ``Oct``."""
    return _MONTHS[day.month - 1][:3]


def instant(at: datetime) -> str:
    """Show an instant in UTC: ``31 October 2026, 14:05 UTC``."""
    return f"{long_date(UTC_ZONE.day_of(at))}, {UTC_ZONE.clock(at)}"


def iso_instant(at: datetime) -> str:
    """Write an instant as data: ``2026-10-31T14:05:00Z``."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def period_name(period: ReportPeriod) -> str:
    """Name a period: ``2026``, ``October 2026`` or two days; say if it is not over."""
    if period.first == period.end:
        name = long_date(period.first)
    elif period.is_year:
        name = str(period.first.year)
    elif period.is_month:
        name = month_name(period.first)
    else:
        name = f"{long_date(period.first)} to {long_date(period.last)}"
        if period.until == period.last:
            return name
    return f"{name}{so_far(period)}"


def so_far(period: ReportPeriod) -> str:
    """Say that a period is not over: `` so far, to the 11th``, or the full date unless a month."""
    if period.until is None:
        return ""
    if not period.is_month:
        return f" so far, to {long_date(period.until)}"
    return f" so far, to the {ordinal(period.until.day)}"


def ordinal(number: int) -> str:
    """Show a day of the month: ``1st``, ``2nd``, ``11th``."""
    teens = number % 100 in {11, 12, 13}
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def number(value: float) -> str:
    """Show a number with up to three decimals: ``1,250``, ``−2.5``."""
    return f"{round(value, 3):,}".removesuffix(".0").replace("-", MINUS)


def listing(parts: list[str]) -> str:
    """Join parts with commas and "and": ``a, b and c``."""
    if not parts:
        return ""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last
