"""Closed years take no entries; late ones go to the first open day."""

from __future__ import annotations

from datetime import date

import pytest

from jara.domain.books.years import BookingDay, booking_day, require_near, require_open_year
from jara.domain.errors import InvalidInput, YearLocked

LATE = date(2024, 12, 30)


@pytest.mark.parametrize(
    ("locked", "expected"),
    [
        ((), BookingDay(LATE)),
        ((2023,), BookingDay(LATE)),
        ((2024,), BookingDay(date(2025, 1, 1), LATE)),
        ((2025, 2024), BookingDay(date(2026, 1, 1), LATE)),
        ((2025,), BookingDay(date(2026, 1, 1), LATE)),
        ((2024, 2026), BookingDay(date(2027, 1, 1), LATE)),
    ],
)
def test_a_late_movement_is_booked_on_the_first_open_day(
    locked: tuple[int, ...], expected: BookingDay
) -> None:
    """The entry stores the true day beside its own day."""
    assert booking_day(LATE, locked) == expected


def test_an_operator_cannot_post_into_a_closed_year() -> None:
    """The refusal names the year and the day."""
    require_open_year(LATE, {2023})
    with pytest.raises(YearLocked, match=r"books of 2024 are closed.*2024-12-30"):
        require_open_year(LATE, {2024})
    with pytest.raises(YearLocked, match=r"books of 2024 are closed with those of 2025.*12-30"):
        require_open_year(LATE, {2025})


def test_a_day_far_ahead_is_refused() -> None:
    """A day up to a week ahead is accepted; a later one is most often a typo in the year."""
    require_near(date(2026, 11, 27), today=date(2026, 11, 20))

    with pytest.raises(InvalidInput, match="2062-12-01 is more than 7 days ahead"):
        require_near(date(2062, 12, 1), today=date(2026, 11, 20))
