"""Closed years and the days on which entries may be booked."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from typing import NamedTuple

from jara.domain.errors import InvalidInput, YearLocked

AHEAD_MAX = timedelta(days=7)
"""How far in the future an entry may be dated without confirmation."""


class BookingDay(NamedTuple):
    """The day of an entry; ``true_day`` is set only if the actual day is in a locked year."""

    day: date
    true_day: date | None = None


def booking_day(day: date, locked_years: Collection[int]) -> BookingDay:
    """Return the first open day on or after a day, with the actual day if it differs."""
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


def require_near(day: date, *, today: date) -> None:
    """Require that a day is not far in the future, which is usually a mistyped year.

    Raises:
        InvalidInput: it is more than a week in the future.
    """
    if day - today > AHEAD_MAX:
        raise InvalidInput(
            f"{day} is more than {AHEAD_MAX.days} days ahead; if that is right, "
            "use `jara ledger post` or `jara ledger import` with --future."
        )
