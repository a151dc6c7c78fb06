"""Formats instants for a member: in the local time of their country, with the zone's name."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jara.domain.giving.billing_day import spell_day

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def spell_deadline(end: datetime, zone_name: str | None) -> str:
    """Format the end of something: ``Thursday, 10 December 2026, 23:59 UTC``.

    Midnight belongs to the day that ends with it.

    Args:
        end: the first instant that is too late.
        zone_name: a time zone such as ``America/Toronto``; UTC if it is empty or unknown.
    """
    local = last_minute(end, zone_name)
    name = local.tzname() or "UTC"
    shown = f"UTC{name}" if name[0] in "+-" else name
    return f"{_WEEKDAYS[local.weekday()]}, {spell_day(local.date())}, {local:%H:%M} {shown}"


def last_minute(end: datetime, zone_name: str | None) -> datetime:
    """Return an end in local time; midnight becomes the last minute of the day before."""
    local = end.astimezone(_zone(zone_name))
    if local.time() == time():
        return (end - timedelta(minutes=1)).astimezone(local.tzinfo)
    return local


def _zone(name: str | None) -> tzinfo:
    if not name:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
