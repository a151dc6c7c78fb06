"""A date near today is shown with its weekday, as in the browser."""

from datetime import date

import pytest

from jara.reports.words import near_date


@pytest.mark.parametrize(
    ("day", "shown"),
    [(date(2026, 11, 30), "Monday, 30 November"), (date(2027, 1, 3), "Sunday, 3 January 2027")],
)
def test_the_year_is_told_where_it_is_another(day: date, shown: str) -> None:
    """The year is shown only if it is not the current one."""
    assert near_date(day, date(2026, 11, 21)) == shown
