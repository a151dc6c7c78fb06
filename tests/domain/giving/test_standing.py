"""The months that payments cover, and the state of a promise that follows from them."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.changemaker import GRACE, is_changemaker, months_pay_until
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_MIN,
    Pledge,
    PledgeChange,
    PledgeState,
    move_pledge,
    start_pledge,
)
from jara.domain.giving.standing import (
    PledgePayment,
    amount_paid,
    covered_until,
    due_on,
    months_paid,
    stand,
)
from jara.domain.time_zone import UTC_ZONE
from tests.sizes import fewer_examples

DAYS = st.dates(date(2026, 1, 1), date(2026, 12, 31))
PAYMENTS = st.lists(st.tuples(DAYS, st.integers(1, 5000)), max_size=6)
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
PROMISED = replace(
    start_pledge(
        pledge_id="p",
        member_id="m",
        dollars=10,
        billing_day=BillingDay.CURRENT,
        now=BEGAN,
        zone=UTC_ZONE,
    ),
    way=PaymentWay.TRANSFER,
    next_charge_on=None,
)


def a_payment(day: str | date, cents: int = 1000, **changes: object) -> PledgePayment:
    """Return a payment by transfer of which nothing was returned, booked the day after."""
    on = date.fromisoformat(day) if isinstance(day, str) else day
    booked_at = datetime.combine(on + timedelta(days=1), time(9), tzinfo=UTC)
    payment = PledgePayment("m", on, PaymentWay.TRANSFER, cents, cents, booked_at)
    return payment._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def amounts(*changes: tuple[str, int]) -> list[PledgeChange]:
    """Return the history of an active pledge whose amount changes at instants; 0 ends it."""
    ended = PledgeState.CANCELED
    return [
        PledgeChange("m", at, PledgeState.ACTIVE if dollars else ended, dollars or 10)
        for text, dollars in changes
        for at in [datetime.fromisoformat(text).replace(tzinfo=UTC)]
    ]


TEN = amounts(("2026-01-01", 10))
LEAST = 100 * PLEDGE_DOLLARS_MIN


@pytest.mark.parametrize(
    ("payments", "expected"),
    [
        ([], None),
        ([("2026-05-04", 999)], None),
        ([("2026-05-04", 1000)], "2026-06-04"),
        ([("2026-05-04", 1999)], "2026-06-04"),
        ([("2026-05-04", 3000)], "2026-08-04"),
        ([("2026-01-31", 1000)], "2026-02-28"),
        ([("2026-12-04", 1000)], "2027-01-04"),
        ([("2026-06-01", 1000), ("2026-05-04", 1000)], "2026-07-04"),
        ([("2026-05-04", 1000), ("2026-05-04", 1000)], "2026-07-04"),
        ([("2026-05-04", 1000), ("2026-08-09", 1000)], "2026-09-09"),
    ],
)
def test_a_payment_covers_months(payments: list[tuple[str, int]], expected: str | None) -> None:
    """Coverage starts on the day paid or at the end of earlier coverage; only full months count."""
    until = None if expected is None else date.fromisoformat(expected)

    assert until == covered_until([a_payment(*one) for one in payments], TEN, UTC_ZONE)


@pytest.mark.parametrize(
    ("changes", "cents", "expected"),
    [
        ([("2026-05-01", 10)], 1000, 10),
        ([("2026-05-01", 10), ("2026-05-05", 20)], 1000, 10),
        ([("2026-05-01", 100), ("2026-05-05", 5)], 10000, 100),
        ([("2026-05-01", 10), ("2026-05-03", 20)], 1000, 20),
        ([("2026-05-05", 20)], 1000, 20),
        # Booked later, on the day itself, the last amount that the payment pays.
        ([("2026-05-01", 10), ("2026-05-04T12:00", 20)], 1000, 10),
        ([("2026-05-01", 10), ("2026-05-04T12:00", 20)], 2000, 20),
        ([("2026-05-01", 20), ("2026-05-04T12:00", 10)], 1000, 10),
        ([("2026-05-01", 20), ("2026-05-04T12:00", 10)], 900, 10),
        # A change that is dated back holds from the one before it.
        ([("2026-05-01", 10), ("2026-05-20", 20), ("2026-05-02", 20)], 1000, 10),
        # Without a pledge on that day, the one that it is booked under, or the next one.
        ([("2026-01-01", 100), ("2026-03-01", 0), ("2026-05-06", 10)], 1000, 10),
        ([("2026-05-01", 100), ("2026-05-04T08:00", 0), ("2026-05-04T09:00", 10)], 10000, 10),
        ([("2026-05-06", 20), ("2026-05-07", 10)], 1000, 10),
        ([("2026-03-01", 0), ("2026-07-01", 20)], 1000, 20),
        ([("2026-03-01", 0)], 1000, 10),
    ],
)
def test_the_amount_of_the_day_counts(
    changes: list[tuple[str, int]], cents: int, expected: int
) -> None:
    """A payment of 4 May is for the amount of that day, whenever it is booked."""
    late = datetime(2026, 6, 1, tzinfo=UTC)

    payment = a_payment("2026-05-04", cents, booked_at=late)
    assert amount_paid(payment, amounts(*changes), UTC_ZONE) == expected


def test_a_payment_booked_before_a_change_keeps_its_amount() -> None:
    """A member pays in the morning or at night, and lowers the pledge in the evening."""
    changes = amounts(("2026-05-01", 100), ("2026-05-04T18:00", 5))
    morning, night = (datetime(2026, 5, 4, hour, tzinfo=UTC) for hour in (9, 20))

    assert [
        months_paid(a_payment("2026-05-04", 10000, booked_at=at), changes, UTC_ZONE)
        for at in (morning, night)
    ] == [1, 20]


def test_a_raised_amount_is_due_on_its_day() -> None:
    """Who raises the pledge and pays the old amount in cash has not paid the month."""
    changes = amounts(("2026-05-01", 10), ("2026-05-04T12:00", 20))
    night = datetime(2026, 5, 4, 20, tzinfo=UTC)

    assert months_paid(a_payment("2026-05-04", 1000, booked_at=night), changes, UTC_ZONE) == 0


@pytest.mark.parametrize(
    ("cents", "left", "months"),
    [
        (1000, 1000, 1),
        (1000, LEAST, 1),
        (1000, LEAST - 1, 0),
        (3000, 2999, 3),
        (3000, 2000 + LEAST, 3),
        (3000, 2000 + LEAST - 1, 2),
        (3000, 0, 0),
        (1500, 1500, 1),
        (900, 900, 0),
    ],
)
@pytest.mark.parametrize("way", list(PaymentWay))
def test_a_month_stands_on_the_smallest_pledge(
    way: PaymentWay, cents: int, left: int, months: int
) -> None:
    """A refund takes from the last month; a charge by card is for one month."""
    payment = a_payment("2026-05-04", cents, left_cents=left, way=way)
    by_card = int(left >= LEAST)

    assert months_paid(payment, TEN, UTC_ZONE) == (by_card if way is PaymentWay.CARD else months)


def test_a_smaller_pledge_of_earlier_rules_stands_on_its_own_amount() -> None:
    """Members who pledged less under an earlier minimum keep their months."""
    changes = amounts(("2026-01-01", 3))

    assert months_paid(a_payment("2026-05-04", 900, left_cents=900), changes, UTC_ZONE) == 3
    assert months_paid(a_payment("2026-05-04", 900, left_cents=899), changes, UTC_ZONE) == 2


def test_without_a_pledge_nothing_is_covered() -> None:
    """A payment of somebody who never pledged covers no month."""
    assert covered_until([a_payment("2026-05-04")], [], UTC_ZONE) is None


@given(PAYMENTS, DAYS)
def test_standing_follows_from_payments_alone(
    payments: list[tuple[date, int]], today: date
) -> None:
    """A promise gives no vote; a payment gives it for the months it covers and 14 days more."""
    now = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
    before = [a_payment(day, cents) for day, cents in payments if day <= today]
    covered = covered_until(before, TEN, UTC_ZONE)
    pledge = stand(PROMISED, before, TEN, now=now, zone=UTC_ZONE)
    again = stand(pledge, before, TEN, now=now, zone=UTC_ZONE)
    until = None if covered is None else months_pay_until(covered, UTC_ZONE)

    assert pledge == again
    end = (
        None if covered is None else datetime(covered.year, covered.month, covered.day, tzinfo=UTC)
    )
    assert (end is not None and now <= end + GRACE) is is_changemaker(pledge, until, now=now)
    assert (PledgeState.INCOMPLETE is pledge.state) is (covered is None)


def test_a_late_payment_makes_a_pledge_active_again() -> None:
    """A late payment reactivates a pledge, unless the pledge has ended."""
    now = datetime(2026, 7, 1, 12, tzinfo=UTC)
    may, june = a_payment("2026-05-04"), a_payment("2026-06-20")
    late = stand(PROMISED, [may], TEN, now=now, zone=UTC_ZONE)
    paid = stand(late, [may, june], TEN, now=now, zone=UTC_ZONE)
    ended = move_pledge(late, PledgeState.CANCELED, at=now)

    assert (late.state, late.next_charge_on) == (PledgeState.PAST_DUE, date(2026, 6, 4))
    assert (paid.state, paid.past_due_since) == (PledgeState.ACTIVE, None)
    assert paid.next_charge_on == date(2026, 7, 20)
    assert stand(paid, [may], TEN, now=now, zone=UTC_ZONE) == late
    assert stand(paid, [], TEN, now=now, zone=UTC_ZONE) == PROMISED
    assert stand(ended, [may, june], TEN, now=now, zone=UTC_ZONE) == ended


def due_day(payments: list[PledgePayment]) -> date | None:
    """Return the day since which the promise is due, found day by day.

    On each day, the payments are those of that day, less what was returned until then.
    """
    covered = [
        day
        for n in range(365 + 31 * sum(one.cents // 1000 for one in payments))
        for day in [BEGAN.date() + timedelta(days=n)]
        if (end := covered_until([_as_of(one, day) for one in payments], TEN, UTC_ZONE)) is not None
        and day < end
    ]
    return covered[-1] + timedelta(days=1) if covered else None


def _as_of(payment: PledgePayment, day: date) -> PledgePayment:
    is_returned = payment.returned_on is not None and payment.returned_on <= day
    return payment if is_returned else payment._replace(left_cents=payment.cents)


RETURNED = st.one_of(st.none(), st.tuples(st.integers(0, 200), st.integers(0, 4000)))


@fewer_examples(2)
@given(st.lists(st.tuples(DAYS, st.integers(1000, 4000), RETURNED), max_size=5))
def test_a_refund_makes_due_on_its_day(
    rows: list[tuple[date, int, tuple[int, int] | None]],
) -> None:
    """A promise is due since the day after the last one that was covered as the days went by."""
    payments = [
        a_payment(day, cents)
        if returned is None
        else a_payment(
            day,
            cents,
            returned_on=day + timedelta(days=returned[0]),
            left_cents=max(0, cents - returned[1]),
        )
        for day, cents, returned in rows
    ]
    known = due_on(payments, TEN, begins=BEGAN.date(), zone=UTC_ZONE)
    expected = due_day(payments)

    if known is not None and expected is None:  # paid and returned on one day
        assert known in {one.returned_on for one in payments}
    else:
        assert known == expected


def test_a_promise_returned_before_it_began_is_new() -> None:
    """What an earlier promise got back does not make the next one due."""
    began = replace(PROMISED, started_at=datetime(2026, 6, 1, 12, tzinfo=UTC))
    returned = a_payment("2026-05-04", 3000, left_cents=0, returned_on=date(2026, 5, 20))

    now = datetime(2026, 7, 1, tzinfo=UTC)
    assert stand(began, [returned], TEN, now=now, zone=UTC_ZONE) == began


def test_a_pledge_is_past_due_at_the_first_uncovered_instant() -> None:
    """At the first instant that no payment covers, the pledge is past due."""
    first_uncovered = datetime(2026, 6, 4, tzinfo=UTC)

    def at(now: datetime) -> Pledge:
        return stand(PROMISED, [a_payment("2026-05-04")], TEN, now=now, zone=UTC_ZONE)

    assert at(first_uncovered - timedelta(microseconds=1)).state is PledgeState.ACTIVE
    assert (at(first_uncovered).state, at(first_uncovered).past_due_since) == (
        PledgeState.PAST_DUE,
        first_uncovered,
    )
