"""Dates as people type them, and days in a time zone."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain import dates
from jara.domain.dates import Period, parse_instant, parse_period
from jara.domain.errors import InvalidInput, Unavailable
from jara.domain.time_zone import UTC_ZONE, TimeZone, parse_time_zone

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-11-20", date(2026, 11, 20), date(2026, 11, 20)),
        ("2026-11", date(2026, 11, 1), date(2026, 11, 30)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("today", TODAY, TODAY),
        ("yesterday", date(2026, 11, 19), date(2026, 11, 19)),
        ("this-month", date(2026, 11, 1), date(2026, 11, 30)),
        ("last-month", date(2026, 10, 1), date(2026, 10, 31)),
        ("this-year", date(2026, 1, 1), date(2026, 12, 31)),
        ("last-year", date(2025, 1, 1), date(2025, 12, 31)),
    ],
)
def test_a_text_names_its_first_and_last_day(text: str, first: date, last: date) -> None:
    """A day, a month, a year or a word is a period with both ends included."""
    assert parse_period(text, today=TODAY) == Period(first, last)
    assert dates.parse_first_day(text, today=TODAY) == first
    assert dates.parse_last_day(text, today=TODAY) == last


def test_january_looks_back_into_the_year_before() -> None:
    """The month before January is December of the previous year."""
    today = date(2026, 1, 1)

    assert parse_period("last-month", today=today) == Period(date(2025, 12, 1), date(2025, 12, 31))
    assert parse_period("yesterday", today=today) == Period(date(2025, 12, 31), date(2025, 12, 31))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-02-30", "'2026-02-30' does not exist: February 2026 has 28 days."),
        ("2026-11-00", "'2026-11-00' does not exist: November 2026 has 30 days."),
        ("2026-13", "'2026-13' does not exist: months go from 01 to 12."),
        ("0000-01-01", "'0000-01-01' is too early: years begin with 1900."),
        ("1899-12", "'1899-12' is too early: years begin with 1900."),
        ("20261120", "'20261120' is not a date; write 2026-11-20, 2026-11, 2026 or one of "),
        ("2026-W47", "'2026-W47' is not a date; "),
        ("٢٠٢٦-11-20", "'٢٠٢٦-11-20' is not a date; "),
        ("2026-11-20\n", "is not a date; "),
        ("", "'' is not a date; "),
        ("tomorow", "'tomorow' is not a date; "),
    ],
)
def test_days_that_do_not_exist_are_refused_by_name(text: str, reason: str) -> None:
    """The message gives the input and the reason why it is not a date."""
    with pytest.raises(InvalidInput) as caught:
        parse_period(text, today=TODAY)

    assert reason in caught.value.message


@given(st.dates(min_value=date(dates.FIRST_YEAR, 1, 1)))
def test_every_day_reads_back_as_itself(day: date) -> None:
    """The ISO form of every calendar day reads back as that day."""
    assert parse_period(day.isoformat(), today=TODAY) == Period(day, day)


@given(st.dates(min_value=date(dates.FIRST_YEAR, 1, 1)))
def test_last_month_ends_the_day_before_this_month(today: date) -> None:
    """Months follow one another without a gap or an overlap."""
    before = parse_period("last-month", today=today)
    this = parse_period("this-month", today=today)

    assert this.first.toordinal() == before.last.toordinal() + 1
    assert this.first <= today <= this.last


def test_month_and_year_take_nothing_shorter_or_longer() -> None:
    """``--month`` takes one month and ``--year`` one year, also as words."""
    assert dates.parse_month("last-month", today=TODAY).first == date(2026, 10, 1)
    assert dates.parse_year("last-year", today=TODAY).last == date(2025, 12, 31)
    with pytest.raises(InvalidInput, match=r"^'2026' is not a month;"):
        dates.parse_month("2026", today=TODAY)
    with pytest.raises(InvalidInput, match=r"^'2026-11' is not a year;"):
        dates.parse_year("2026-11", today=TODAY)


def test_an_instant_has_an_offset_or_is_the_end_of_a_day() -> None:
    """A date alone means the end of that day in UTC; an instant without a zone is refused."""
    moment = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)

    assert parse_instant("2026-11-20T10:30:00+01:00", today=TODAY, zone=UTC_ZONE) == moment
    assert parse_instant("2026-11-20T09:30:00Z", today=TODAY, zone=UTC_ZONE) == moment
    assert parse_instant("2026-11", today=TODAY, zone=UTC_ZONE) == datetime(
        2026, 11, 30, 23, 59, 59, 999999, tzinfo=UTC
    )
    with pytest.raises(InvalidInput, match="has no time zone"):
        parse_instant("2026-11-20T09:30:00", today=TODAY, zone=UTC_ZONE)
    with pytest.raises(InvalidInput, match="is not a time"):
        parse_instant("2026-11-20T25:00:00Z", today=TODAY, zone=UTC_ZONE)
    with pytest.raises(InvalidInput, match="is not a time"):
        parse_instant("9999-12-31T23:59:59-05:00", today=TODAY, zone=UTC_ZONE)
    with pytest.raises(InvalidInput, match="is too early: years begin with 1900"):
        parse_instant("0001-01-01T00:00:00+05:00", today=TODAY, zone=UTC_ZONE)


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
