"""Closed years and the days on which entries may be booked."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import NamedTuple

from jara.domain.errors import Conflict, InvalidInput, YearLocked

AHEAD_MAX = timedelta(days=7)
"""How far in the future an entry may be dated without confirmation."""


class BookingDay(NamedTuple):
    """The day of an entry; ``true_day`` is set only if the actual day is in a locked year."""

    day: date
    true_day: date | None = None


def booking_day(day: date, locked_years: Collection[int]) -> BookingDay:
    """Return the first open day on or after a day, with the actual day if it differs.

    A closed year closes those before it: an entry in one would change what the closed one
    began with.
    """
    closed = max(locked_years, default=0)
    if day.year > closed:
        return BookingDay(day)
    return BookingDay(date(closed + 1, 1, 1), true_day=day)


def require_open_year(day: date, locked_years: Collection[int]) -> None:
    """Require that the books of a day's year, and of all later ones, are open.

    Raises:
        YearLocked: they are closed.
    """
    closed = max(locked_years, default=0)
    if day.year == closed:
        raise YearLocked(f"The books of {day.year} are closed, so nothing can be dated {day}.")
    if day.year < closed:
        raise YearLocked(
            f"The books of {day.year} are closed with those of {closed}, so nothing can be "
            f"dated {day}."
        )


def require_next_to_close(year: int, locked_years: Collection[int], *, first: int | None) -> None:
    """Require that a year may be closed: years close in order, from that of the oldest entry on.

    Raises:
        YearLocked: it is closed.
        Conflict: an earlier year is open.
    """
    closed = max(locked_years, default=0)
    if year <= closed:
        others = "" if year in locked_years else f" with those of {closed}"
        raise YearLocked(f"The books of {year} are closed already{others}.")
    oldest = year if first is None else max(closed + 1, first)
    if oldest < year:
        raise Conflict(
            f"The books of {oldest} are open, and years close in order; first: "
            f"jara ledger close-year {oldest}"
        )


def require_last_closed(year: int, locked_years: Collection[int]) -> None:
    """Require that a closed year may be opened: the last one closed opens first.

    Raises:
        Conflict: it is open, or a later year is closed.
    """
    closed = max(locked_years, default=0)
    if year > closed:
        raise Conflict(f"The books of {year} are open.")
    if year < closed:
        raise Conflict(
            f"The books of {closed} begin with those of {year}; first: "
            f"jara ledger open-year {closed} --why …"
        )


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
