"""The day of the month on which a pledge is charged."""

import calendar
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

from jara.domain.errors import InvalidInput
from jara.domain.time_zone import UTC_ZONE, TimeZone

_NOON, _EARLY = time(12, tzinfo=UTC), time(6, tzinfo=UTC)


class BillingDay(StrEnum):
    """The member's choice: the day of joining, the 1st or the 28th (spec §9)."""

    CURRENT = "current"
    FIRST = "1"
    TWENTY_EIGHTH = "28"


_OTHERS = " or ".join(day for day in BillingDay if day is not BillingDay.CURRENT)
BILLING_DAYS = f"{BillingDay.CURRENT}, {_OTHERS}"
"""The choices as help names them."""


def parse_billing_day(value: object) -> BillingDay:
    """Parse ``current``, ``1`` or ``28``, as text or number.

    Raises:
        InvalidInput: anything else.
    """
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    try:
        return BillingDay(text)
    except ValueError:
        shown = str(value)[:20]
        raise InvalidInput(
            "'{text}' is not a payment day; choose current (today), 1 or 28.", text=shown
        ) from None


def first_charge_on(choice: BillingDay, today: date) -> date:
    """Return the day of the first charge: today, or the next 1st or 28th.

    Today counts when today is the chosen day. This day is also the anchor of all later
    charges.
    """
    if choice is BillingDay.CURRENT:
        return today
    return _day_of_month_on_or_after(int(choice), today)


def nth_charge_on(anchor: date, n: int) -> date:
    """Return the n-th charge after the anchor's own; a short month charges on its last day.

    31 Jan, 28 Feb, 31 Mar: each date is counted from the anchor, so a short month does
    not change later dates. Stripe does the same.
    """
    months = anchor.year * 12 + anchor.month - 1 + n
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(anchor.day, calendar.monthrange(year, month)[1]))


def charge_dates(anchor: date, start: date) -> Iterator[date]:
    """Yield the charge days of a pledge from ``start`` on, none before ``anchor``; no end."""
    months = (start.year - anchor.year) * 12 + start.month - anchor.month
    n = max(0, months)
    if nth_charge_on(anchor, n) < start:
        n += 1
    while True:
        yield nth_charge_on(anchor, n)
        n += 1


def charge_on_or_after(anchor: date, day: date) -> date:
    """Return the first charge on or after a day, such as the next one of a resumed pledge."""
    return next(charge_dates(anchor, day))


def charge_after(anchor: date, day: date) -> date:
    """Return the first charge after a day, such as the one after a skipped month."""
    return charge_on_or_after(anchor, day + timedelta(days=1))


def charge_at(day: date, zone: TimeZone) -> datetime:
    """Return when a pledge is charged on a day, in UTC.

    Providers count days in UTC, so the charge is at a time that is on the same day there and in
    the zone, in summer and in winter: noon UTC, or 06:00 UTC where noon is the next day.
    """
    noons = [datetime.combine(date(day.year, month, 1), _NOON) for month in (1, 7)]
    is_next = any(zone.day_of(noon) > UTC_ZONE.day_of(noon) for noon in noons)
    return datetime.combine(day, _EARLY if is_next else _NOON)


def charge_at_or_after(anchor: datetime, at: datetime) -> datetime:
    """Return the provider's first charge at or after an instant.

    It counts months in UTC from the anchor, and charges at that time of the day.
    """
    days = charge_dates(UTC_ZONE.day_of(anchor), UTC_ZONE.day_of(at))
    charges = (datetime.combine(day, anchor.timetz()) for day in days)
    return next(charge for charge in charges if charge >= at)


def changed_charge_at(
    choice: BillingDay, *, now: datetime, period_end: datetime, zone: TimeZone
) -> datetime:
    """Return the first charge on a newly chosen day, which becomes the new anchor.

    It is on the first such day on or after the end of the paid period. ``current`` means today's
    day of the month.
    """
    earliest = max(now, period_end)
    day = zone.day_of(earliest)
    if earliest > charge_at(day, zone):
        day += timedelta(days=1)
    wanted = zone.day_of(now).day if choice is BillingDay.CURRENT else int(choice)
    return charge_at(_day_of_month_on_or_after(wanted, day), zone)


def _day_of_month_on_or_after(wanted: int, day: date) -> date:
    # December has 31 days, so counting from it clamps only the day of a short month.
    grid = date(day.year - 1, 12, wanted)
    return charge_on_or_after(grid, day)
