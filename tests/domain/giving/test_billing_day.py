"""The day on which a pledge is charged, and the laws of the charge calendar."""

import calendar
from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.giving import billing_day
from jara.domain.giving.billing_day import BillingDay, charge_dates
from jara.domain.time_zone import UTC_ZONE, TimeZone


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("current", BillingDay.CURRENT),
        ("1", BillingDay.FIRST),
        (1, BillingDay.FIRST),
        ("28", BillingDay.TWENTY_EIGHTH),
        (28, BillingDay.TWENTY_EIGHTH),
    ],
)
def test_three_payment_days_exist(value: object, expected: BillingDay) -> None:
    """Today, the 1st and the 28th can be chosen (spec §9)."""
    assert expected is billing_day.parse_billing_day(value)


@pytest.mark.parametrize("value", ["", "2", "Current", " 1", "01", 15, True, None, 1.0, "١"])
def test_any_other_payment_day_is_refused_by_name(value: object) -> None:
    """Any other day is refused, and the message lists the three."""
    with pytest.raises(InvalidInput, match="choose current") as caught:
        billing_day.parse_billing_day(value)

    assert f"'{value}'" in caught.value.message


@pytest.mark.parametrize(
    ("choice", "today", "expected"),
    [
        (BillingDay.CURRENT, date(2026, 5, 17), date(2026, 5, 17)),
        (BillingDay.FIRST, date(2026, 5, 1), date(2026, 5, 1)),
        (BillingDay.FIRST, date(2026, 5, 2), date(2026, 6, 1)),
        (BillingDay.FIRST, date(2026, 12, 31), date(2027, 1, 1)),
        (BillingDay.TWENTY_EIGHTH, date(2026, 2, 28), date(2026, 2, 28)),
        (BillingDay.TWENTY_EIGHTH, date(2026, 2, 3), date(2026, 2, 28)),
        (BillingDay.TWENTY_EIGHTH, date(2026, 5, 29), date(2026, 6, 28)),
    ],
)
def test_first_charge_is_the_next_such_day(choice: BillingDay, today: date, expected: date) -> None:
    """The first charge is today, or the next 1st or 28th, today included."""
    assert billing_day.first_charge_on(choice, today) == expected


def test_charge_after_a_charge_is_in_the_next_month() -> None:
    """The charge after a charge day is next month's; the charge on or after it is that day."""
    anchor = date(2026, 1, 31)

    assert billing_day.charge_after(anchor, date(2026, 2, 28)) == date(2026, 3, 31)
    assert billing_day.charge_on_or_after(anchor, date(2026, 2, 28)) == date(2026, 2, 28)


@pytest.mark.parametrize(
    ("choice", "now", "period_end", "expected"),
    [
        pytest.param(
            BillingDay.FIRST,
            datetime(2026, 5, 10, 8, tzinfo=UTC),
            datetime(2026, 5, 28, 12, tzinfo=UTC),
            datetime(2026, 6, 1, 12, tzinfo=UTC),
            id="the next 1st after what is paid for",
        ),
        pytest.param(
            BillingDay.FIRST,
            datetime(2026, 5, 10, 8, tzinfo=UTC),
            datetime(2026, 6, 1, 12, tzinfo=UTC),
            datetime(2026, 6, 1, 12, tzinfo=UTC),
            id="the end of the period itself at noon",
        ),
        pytest.param(
            BillingDay.FIRST,
            datetime(2026, 5, 10, 8, tzinfo=UTC),
            datetime(2026, 6, 1, 15, 30, tzinfo=UTC),
            datetime(2026, 7, 1, 12, tzinfo=UTC),
            id="noon of that day would be before the end of the period",
        ),
        pytest.param(
            BillingDay.CURRENT,
            datetime(2026, 5, 15, 8, tzinfo=UTC),
            datetime(2026, 6, 1, 12, tzinfo=UTC),
            datetime(2026, 6, 15, 12, tzinfo=UTC),
            id="today's day of the month",
        ),
        pytest.param(
            BillingDay.CURRENT,
            datetime(2026, 1, 31, 8, tzinfo=UTC),
            datetime(2026, 2, 1, 12, tzinfo=UTC),
            datetime(2026, 2, 28, 12, tzinfo=UTC),
            id="a short month gives its last day",
        ),
        pytest.param(
            BillingDay.TWENTY_EIGHTH,
            datetime(2026, 5, 30, 8, tzinfo=UTC),
            datetime(2026, 5, 1, 12, tzinfo=UTC),
            datetime(2026, 6, 28, 12, tzinfo=UTC),
            id="a period that is over does not lead into the past",
        ),
    ],
)
def test_changed_day_never_cuts_a_paid_period(
    choice: BillingDay, now: datetime, period_end: datetime, expected: datetime
) -> None:
    """The first charge on a new day is at noon UTC, not before the end of the paid period."""
    assert (
        billing_day.changed_charge_at(choice, now=now, period_end=period_end, zone=UTC_ZONE)
        == expected
    )


DAYS = st.dates(date(2000, 1, 1), date(2200, 12, 31))
INSTANTS = st.datetimes(
    datetime(2000, 1, 1),  # noqa: DTZ001 - Hypothesis wants naive limits
    datetime(2200, 1, 1),  # noqa: DTZ001 - Hypothesis wants them naive
    timezones=st.just(UTC),
)


@given(anchor=DAYS, later=st.integers(0, 3000))
def test_one_charge_in_each_month(anchor: date, later: int) -> None:
    """Consecutive charges are in consecutive months, one in each."""
    dates = list(islice(charge_dates(anchor, anchor + timedelta(days=later)), 30))
    months = [day.year * 12 + day.month for day in dates]

    assert all(after - before == 1 for before, after in pairwise(months))


@given(anchor=DAYS, start=DAYS)
def test_charges_return_to_the_anchor_day(anchor: date, start: date) -> None:
    """Each charge is on the anchor's day, or on the last day of a month without it."""
    for day in islice(charge_dates(anchor, start), 30):
        last = calendar.monthrange(day.year, day.month)[1]

        assert day.day == min(anchor.day, last)


@given(anchor=DAYS, start=DAYS)
def test_charges_never_precede_anchor_or_start(anchor: date, start: date) -> None:
    """Nothing is charged before joining, nor before the day asked for."""
    first = next(charge_dates(anchor, start))

    assert first >= max(anchor, start)
    assert first <= max(anchor, start) + timedelta(days=31)


@given(anchor=DAYS, start=DAYS)
def test_dates_do_not_depend_on_the_start(anchor: date, start: date) -> None:
    """Starting later gives the same dates, without the earlier ones."""
    whole = islice(charge_dates(anchor, anchor), 400)
    near = anchor + timedelta(days=(start - anchor).days % 3000)

    assert [day for day in whole if day >= near][:12] == list(
        islice(charge_dates(anchor, near), 12)
    )


@given(anchor=DAYS, day=DAYS)
def test_skipping_leaves_out_exactly_one_charge(anchor: date, day: date) -> None:
    """After a skipped charge comes the one that would have followed it."""
    skipped, following = islice(charge_dates(anchor, day), 2)

    assert following == billing_day.charge_after(anchor, skipped)


@given(choice=st.sampled_from(BillingDay), today=DAYS)
def test_first_charge_is_within_a_month(choice: BillingDay, today: date) -> None:
    """Whatever day is chosen, the first charge is at most 31 days away, on that day."""
    first = billing_day.first_charge_on(choice, today)

    assert today <= first <= today + timedelta(days=30)
    assert first.day == (today.day if choice is BillingDay.CURRENT else int(choice))


@given(
    choice=st.sampled_from(BillingDay),
    now=INSTANTS,
    ahead=st.timedeltas(timedelta(), timedelta(31)),
)
def test_changed_day_is_the_first_not_before_the_period_end(
    choice: BillingDay, now: datetime, ahead: timedelta
) -> None:
    """The new day's first charge is not in a paid period and at most a month after it."""
    charge = billing_day.changed_charge_at(choice, now=now, period_end=now + ahead, zone=UTC_ZONE)

    assert now + ahead <= charge <= now + ahead + timedelta(days=32)
    assert (charge.hour, charge.minute) == (12, 0)


@given(
    zone=st.sampled_from(sorted(available_timezones() - {"Factory", "localtime"})).map(TimeZone),
    wanted=st.sampled_from([1, 28]),
    month=st.dates(date(2020, 1, 1), date(2060, 12, 31)),
)
def test_a_provider_charges_on_the_billing_day_of_every_place(
    zone: TimeZone, wanted: int, month: date
) -> None:
    """It counts days in UTC, over two years of summers and winters; each is the place's day."""
    anchor = billing_day.charge_at(month.replace(day=wanted), zone)
    at = anchor
    for _ in range(24):
        assert zone.day_of(at).day == UTC_ZONE.day_of(at).day == wanted
        at = billing_day.charge_at_or_after(anchor, at + timedelta(seconds=1))
