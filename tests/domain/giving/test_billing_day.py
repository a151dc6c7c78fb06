"""The day on which a pledge is charged."""

from datetime import UTC, date, datetime
from itertools import islice

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.giving import billing_day
from jara.domain.giving.billing_day import BillingDay
from jara.domain.time_zone import UTC_ZONE


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


def test_short_month_charges_on_its_last_day_and_goes_back() -> None:
    """31 January is followed by 28 February and 31 March, as with Stripe."""
    dates = billing_day.charge_dates(date(2026, 1, 31), date(2026, 1, 31))

    assert list(islice(dates, 5)) == [
        date(2026, 1, 31),
        date(2026, 2, 28),
        date(2026, 3, 31),
        date(2026, 4, 30),
        date(2026, 5, 31),
    ]


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
