"""Amounts, dates and counts as people read them: no locale, no time zone, no clock."""

from datetime import UTC, date, datetime

from jara.domain.books.account import Fund
from jara.domain.currency import DEFAULT_CURRENCY, books_currency
from jara.domain.dates import MONTHS, WEEKDAYS, long_date
from jara.domain.money import format_cents, format_dollars
from jara.domain.reports.parts import ReportPeriod
from jara.domain.texts import Text, Value, tr, value
from jara.domain.time_zone import UTC_ZONE

MINUS = "\u2212"
NO_FIGURE = "–"
"""The text of a cell without a figure."""
TOTAL = tr("Total")

FUND_NAMES = {
    Fund.PROJECTS: tr("Projects"),
    Fund.STAFF: tr("Staff"),
    Fund.MARKETING: tr("Marketing"),
    Fund.OTHER: tr("Other costs"),
    Fund.COMMITTED: tr("Committed by vote"),
}


def money(cents: int, currency: str | None = None) -> Value:
    """Show an amount with its cents: ``$1,457.00``, ``−$12.00``; by default the books' money."""
    return _with_minus(format_cents(cents, currency))


def bare_money(cents: int) -> Value:
    """Show an amount with its cents in a drawing, where there is no room to say whose dollars."""
    return value(money(cents), "bare_money", cents)


def dollars(cents: int) -> Value:
    """Show an amount without its cents, for summaries: ``$1,457``."""
    return _with_minus(format_dollars(cents))


def _with_minus(amount: Value) -> Value:
    return value(amount.replace("-", MINUS), amount.kind, *amount.args)


def currency_name(*, capital: bool = False) -> Value:
    """Name the currency of the books: ``US dollars``, ``euros``; at the beginning ``Euros``."""
    name, currency = "US dollars", books_currency()
    if currency != DEFAULT_CURRENCY:
        from jara.languages.formats import english_name  # dollars need no Babel

        name = english_name(currency)
    if capital:
        return value(name[:1].upper() + name[1:], "currency_title", currency)
    return value(name, "currency_name", currency)


def percent(tenths: int) -> Value:
    """Show tenths of a percent: ``80.0%``."""
    return value(f"{_tenths(tenths)}%", "percent", tenths)


def points(tenths: int) -> Value:
    """Show a difference of two shares, always with its sign: ``+1.5``, ``−0.3``, ``0.0``."""
    return value(f"{'+' if tenths > 0 else ''}{_tenths(tenths)}", "points", tenths)


def unsigned_points(tenths: int) -> Value:
    """Show how far two shares are apart: ``1.5``."""
    return value(_tenths(abs(tenths)), "tenths", abs(tenths))


def _tenths(tenths: int) -> str:
    whole, rest = divmod(abs(tenths), 10)
    return f"{MINUS if tenths < 0 else ''}{whole}.{rest}"


def near_date(day: date, today: date) -> Value:
    """Show a day not far from now: ``Monday, 30 November``; the year only if it differs."""
    shown = f"{WEEKDAYS[day.weekday()]}, {long_date(day)}".removesuffix(f" {today.year}")
    return value(shown, "near_day", day, today)


def short_date(day: date) -> Value:
    """Show a day in a table: ``31 Oct 2026``."""
    return value(f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}", "short_day", day)


def month_name(day: date) -> Value:
    """Show a month: ``October 2026``."""
    return value(f"{MONTHS[day.month - 1]} {day.year}", "month", day)


def month_label(day: date) -> Value:
    """Show a month below a chart: ``Oct``."""
    return value(MONTHS[day.month - 1][:3], "month_label", day)


def instant(at: datetime) -> Value:
    """Show an instant in UTC: ``31 October 2026, 14:05 UTC``."""
    return value(f"{long_date(UTC_ZONE.day_of(at))}, {UTC_ZONE.clock(at)}", "instant", at)


def iso_instant(at: datetime) -> str:
    """Write an instant as data: ``2026-10-31T14:05:00Z``."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def period_name(period: ReportPeriod) -> Text:
    """Name a period: ``2026``, ``October 2026`` or two days; say if it is not over."""
    if period.first == period.end:
        name: Text = long_date(period.first)
    elif period.is_year:
        name = tr(str(period.first.year))
    elif period.is_month:
        name = month_name(period.first)
    else:
        first, last = long_date(period.first), long_date(period.last)
        name = tr("{first} to {last}", first=first, last=last)
        if period.until == period.last:
            return name
    if period.until is None:
        return name
    if not period.is_month:
        return tr("{period} so far, to {day}", period=name, day=long_date(period.until))
    day = ordinal(period.until.day)
    return tr("{period} so far, to the {ordinal}", period=name, ordinal=day)


def ordinal(number: int) -> Value:
    """Show a day of the month: ``1st``, ``2nd``, ``11th``."""
    teens = number % 100 in {11, 12, 13}
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return value(f"{number}{ending}", "day_of_month", number)


def number(amount: float) -> Value:
    """Show a number with up to three decimals: ``1,250``, ``−2.5``."""
    written = f"{round(amount, 3):,}".removesuffix(".0").replace("-", MINUS)
    return value(written, "number", amount)


def count(number: int) -> Value:
    """Show a whole number that stands alone: ``1,250``."""
    return value(f"{number:,}", "number", number)
