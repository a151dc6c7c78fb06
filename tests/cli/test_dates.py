"""The options that name a period."""

from datetime import date

import pytest

from jara.domain.dates import Period
from jara.domain.errors import InvalidInput
from jara_cli.options import PeriodOptions

TODAY = date(2026, 11, 20)


def choose(**options: str) -> Period | None:
    """Choose a period from the options of a report."""
    return PeriodOptions(**options).choose(today=TODAY)


def test_one_way_of_naming_a_period_is_enough() -> None:
    """A range, a month or a year is enough; two of them are refused."""
    assert choose() is None
    both = choose(from_day="2026-10", to_day="2026-11")
    assert both == Period(date(2026, 10, 1), date(2026, 11, 30))
    assert choose(from_day="2026-10") == Period(date(2026, 10, 1), TODAY)
    assert choose(to_day="2026-10") == Period(date.min, date(2026, 10, 31))
    assert choose(from_day="2026-11-20", to_day="today") == Period(TODAY, TODAY)
    assert choose(month="2026-10") == Period(date(2026, 10, 1), date(2026, 10, 31))
    assert choose(year="2026") == Period(date(2026, 1, 1), date(2026, 12, 31))
    with pytest.raises(InvalidInput, match="not several"):
        choose(from_day="2026-10", month="2026-10")
    with pytest.raises(InvalidInput, match="not several"):
        choose(month="2026-10", year="2026")
    with pytest.raises(InvalidInput, match="begins on 2026-11-01 and ends before it"):
        choose(from_day="2026-11", to_day="2026-10")
