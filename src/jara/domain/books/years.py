"""Closed years and the days on which entries may be booked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from jara.domain.errors import YearLocked


@dataclass(frozen=True, slots=True)
class BookingDay:
    """The day of an entry; ``true_day`` only where it happened in a locked year."""

    day: date
    true_day: date | None = None


def booking_day(day: date, locked_years: Collection[int]) -> BookingDay:
    """Return the first open day from a day on, with the actual day if it differs."""
    year = day.year
    while year in locked_years:
        year += 1
    if year == day.year:
        return BookingDay(day)
    return BookingDay(date(year, 1, 1), true_day=day)


def require_open_year(day: date, locked_years: Collection[int]) -> None:
    """Require that the books of a day's year are open.

    Raises:
        YearLocked: they are closed.
    """
    if day.year in locked_years:
        raise YearLocked(f"The books of {day.year} are closed, so nothing can be dated {day}.")
