"""Reads a period from a command's options."""

from __future__ import annotations

from datetime import date

from jara.domain.dates import (
    Period,
    parse_first_day,
    parse_last_day,
    parse_month,
    parse_year,
)
from jara.domain.errors import InvalidInput


def choose_period(
    *,
    from_day: str | None,
    to_day: str | None,
    month: str | None,
    year: str | None,
    today: date,
) -> Period | None:
    """Turn ``--from --to``, ``--month`` or ``--year`` into one period; None if none is given.

    ``--from`` alone ends today; ``--to`` alone starts at the first entry.
    """
    ranged = from_day is not None or to_day is not None
    if ranged + (month is not None) + (year is not None) > 1:
        raise InvalidInput("Give one of --from with --to, --month or --year, not several.")
    if month is not None:
        return parse_month(month, today=today)
    if year is not None:
        return parse_year(year, today=today)
    if not ranged:
        return None
    first = date.min if from_day is None else parse_first_day(from_day, today=today)
    last = today if to_day is None else parse_last_day(to_day, today=today)
    if last < first:
        raise InvalidInput(f"The range begins on {first} and ends before it, on {last}.")
    return Period(first, last)
