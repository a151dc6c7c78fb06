"""Tests of days in a time zone, over changes of the clock and ends of years."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput, Unavailable
from jara.domain.time_zone import UTC_ZONE, TimeZone, parse_time_zone

DAY = timedelta(days=1)
ODD = (
    "America/Toronto",
    "Africa/Accra",
    "Asia/Kathmandu",
    "Pacific/Auckland",
    "Pacific/Apia",  # left out 30 December 2011
    "Pacific/Kwajalein",  # left out 21 August 1993
    "Pacific/Kiritimati",
    "Etc/GMT+12",
    "America/Havana",  # sets its clocks forward at midnight
    "America/Sao_Paulo",
    "America/St_Johns",  # set its clocks back at 00:01
    "Europe/Dublin",
    "Australia/Lord_Howe",  # by half an hour
    "Antarctica/Troll",  # by two hours
)
ZONES = st.sampled_from((*ODD, *sorted(available_timezones() - {"Factory", "localtime"}))).map(
    TimeZone
)
DAYS = st.dates(date(1900, 1, 2), date(2200, 12, 30))
YEAR_ENDS = st.builds(date, st.integers(1901, 2199), st.just(12), st.just(31))
INSTANTS = st.datetimes(
    datetime(1900, 1, 3),  # noqa: DTZ001 - Hypothesis wants naive limits
    datetime(2200, 12, 29),  # noqa: DTZ001 - Hypothesis wants them naive
    timezones=st.just(UTC),
)


@given(zone=ZONES, instant=INSTANTS)
def test_every_instant_belongs_to_exactly_one_day(zone: TimeZone, instant: datetime) -> None:
    """No instant is in two days, and none is in no day."""
    day = zone.day_of(instant)

    around = [day + DAY * step for step in range(-3, 4)]
    assert [one for one in around if zone.start_of(one) <= instant < zone.end_of(one)] == [day]


@given(zone=ZONES, instant=INSTANTS, later=st.timedeltas(timedelta(0), timedelta(days=400)))
def test_days_follow_the_order_of_time(zone: TimeZone, instant: datetime, later: timedelta) -> None:
    """A later instant is never in an earlier day."""
    assert zone.day_of(instant) <= zone.day_of(instant + later)


@given(zone=ZONES, day=DAYS | YEAR_ENDS)
def test_days_have_no_gap_and_no_overlap(zone: TimeZone, day: date) -> None:
    """Each day ends where the next one starts."""
    start, end = zone.start_of(day), zone.end_of(day)

    assert end == zone.start_of(day + DAY)
    assert timedelta(0) <= end - start <= timedelta(days=2)
    if start < end:  # else the place left the day out
        assert zone.day_of(start) == day == zone.day_of(end - timedelta(microseconds=1))
        assert zone.local(start).date() == day


@given(zone=ZONES, year=st.integers(1901, 2199))
def test_the_months_of_a_year_add_up_to_it(zone: TimeZone, year: int) -> None:
    """Months cover their year exactly, whatever the clock does."""
    starts = [date(year, month, 1) for month in range(1, 13)] + [date(year + 1, 1, 1)]

    lengths = [zone.start_of(end) - zone.start_of(start) for start, end in pairwise(starts)]

    assert sum(lengths, timedelta(0)) == zone.end_of(date(year, 12, 31)) - zone.start_of(starts[0])


@given(instant=INSTANTS, day=DAYS)
def test_days_of_utc_are_those_of_the_calendar(instant: datetime, day: date) -> None:
    """In UTC nothing changes."""
    assert UTC_ZONE.day_of(instant) == instant.date()
    assert UTC_ZONE.start_of(day) == datetime(day.year, day.month, day.day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "day", "start", "hours"),
    [
        ("America/Toronto", date(2026, 3, 8), "2026-03-08T05:00:00+00:00", 23),
        ("America/Toronto", date(2026, 11, 1), "2026-11-01T04:00:00+00:00", 25),
        ("America/Toronto", date(2026, 12, 31), "2026-12-31T05:00:00+00:00", 24),
        ("America/Toronto", date(1919, 3, 31), "1919-03-31T04:30:00+00:00", 23.5),
        ("America/Havana", date(2026, 3, 8), "2026-03-08T05:00:00+00:00", 23),
        ("America/St_Johns", date(2006, 10, 29), "2006-10-29T02:30:00+00:00", 25),
        ("Pacific/Apia", date(2011, 12, 30), "2011-12-30T10:00:00+00:00", 0),
        ("Pacific/Kiritimati", date(2027, 1, 1), "2026-12-31T10:00:00+00:00", 24),
    ],
)
def test_the_clock_changes(name: str, day: date, start: str, hours: float) -> None:
    """A day is shorter or longer when its clock is set."""
    zone = TimeZone(name)

    assert zone.start_of(day).isoformat() == start
    assert (zone.end_of(day) - zone.start_of(day)) / timedelta(hours=1) == hours


@pytest.mark.parametrize("zone", [UTC_ZONE, TimeZone("America/Toronto"), TimeZone("Asia/Tokyo")])
def test_the_first_and_the_last_day_have_bounds(zone: TimeZone) -> None:
    """The limits of the calendar raise no error."""
    assert zone.start_of(date.min) <= datetime(1, 1, 2, tzinfo=UTC)
    assert zone.end_of(date.max) == datetime.max.replace(tzinfo=UTC)


@pytest.mark.parametrize("name", ["America/Toronto", "america/toronto", " America/toronto "])
def test_a_name_is_read_in_any_case(name: str) -> None:
    """The zone has its own spelling."""
    assert parse_time_zone(name) == TimeZone("America/Toronto")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Torronto", "did you mean America/Toronto?"),
        ("America/Torronto", "did you mean America/Toronto"),
        ("Kampala", "did you mean Africa/Kampala"),
        ("Factory", "write an IANA name like America/Toronto."),
        ("", "write an IANA name like America/Toronto."),
        ("../etc/passwd", "write an IANA name like America/Toronto."),
    ],
)
def test_a_wrong_name_gets_the_nearest_ones(text: str, hint: str) -> None:
    """A city alone, or a wrong letter, gets a suggestion."""
    with pytest.raises(InvalidInput) as refused:
        parse_time_zone(text)

    assert str(refused.value).startswith(f"'{text}' is not a time zone; {hint}")


def test_a_zone_that_the_machine_does_not_know_is_named() -> None:
    """The error names the zone and what to update."""
    with pytest.raises(Unavailable) as refused:
        TimeZone("Europe/Atlantis").day_of(datetime(2026, 1, 1, tzinfo=UTC))

    assert "'Europe/Atlantis'" in str(refused.value)
