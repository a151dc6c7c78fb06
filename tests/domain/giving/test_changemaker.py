"""Who may vote, and from which day."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from jara.domain.errors import NotAChangemaker
from jara.domain.giving.changemaker import (
    card_pays_until,
    is_changemaker,
    may_vote_from,
    payment_counts,
    require_changemaker,
)
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.time_zone import UTC_ZONE
from tests.domain.giving.giving_builders import NOON, a_pledge

LATE = a_pledge(state=PledgeState.PAST_DUE, past_due_since=NOON)
PAID_ON = date(2026, 4, 28)
PAID_UNTIL = card_pays_until(PAID_ON, UTC_ZONE)


@pytest.mark.parametrize(
    ("pledge", "expected"),
    [
        (a_pledge(), True),
        (None, False),
        (a_pledge(state=PledgeState.INCOMPLETE), False),
        (a_pledge(state=PledgeState.PAUSED), False),
        (a_pledge(state=PledgeState.CANCELED), False),
    ],
)
def test_changemaker_has_an_active_pledge(pledge: Pledge | None, expected: bool) -> None:
    """With a qualifying contribution, the state of the pledge decides the right to vote."""
    assert expected is is_changemaker(pledge, PAID_UNTIL, now=NOON)


@pytest.mark.parametrize(
    ("returned_cents", "dispute", "expected"),
    [
        (0, "none", True),
        (999, "none", True),
        (1000, "none", False),
        (0, "won", True),
        (0, "open", False),
        (0, "lost", False),
        (0, "reversed", False),
    ],
)
def test_a_payment_counts_while_some_is_left_and_undisputed(
    returned_cents: int, dispute: str, expected: bool
) -> None:
    """A full refund, or an open or lost dispute, removes the right to vote."""
    assert expected is payment_counts(cents=1000, returned_cents=returned_cents, dispute=dispute)


def test_nobody_votes_for_free() -> None:
    """An active pledge without a qualifying contribution gives no vote."""
    assert not is_changemaker(a_pledge(), None, now=NOON)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (timedelta(0), True),
        (timedelta(days=14), True),
        (timedelta(days=14, microseconds=1), False),
    ],
)
def test_failed_charge_has_fourteen_days_of_grace(after: timedelta, expected: bool) -> None:
    """A past-due pledge keeps the vote for at most 14 days, today and in reports."""
    assert expected is is_changemaker(LATE, PAID_UNTIL, now=NOON + after)


@pytest.mark.parametrize(
    ("pledge", "first_paid_on", "expected"),
    [
        pytest.param(None, PAID_ON, None, id="no pledge"),
        pytest.param(
            a_pledge(state=PledgeState.CANCELED, next_charge_on=None),
            PAID_ON,
            None,
            id="canceled",
        ),
        pytest.param(a_pledge(), None, date(2026, 5, 28), id="first charge to come"),
        pytest.param(
            a_pledge(next_charge_on=date(2026, 5, 9)), None, NOON.date(), id="charge in progress"
        ),
        pytest.param(a_pledge(), PAID_ON, PAID_ON, id="the first payment that counts"),
        pytest.param(LATE, PAID_ON, PAID_ON, id="in the days of grace"),
        pytest.param(LATE, None, None, id="the first charge failed"),
        pytest.param(
            a_pledge(state=PledgeState.PAUSED, resumes_on=date(2026, 6, 1)),
            PAID_ON,
            date(2026, 6, 1),
            id="a pause with an end",
        ),
        pytest.param(
            a_pledge(
                state=PledgeState.PAUSED,
                resumes_on=date(2026, 8, 1),
                next_charge_on=date(2026, 8, 28),
            ),
            PAID_ON,
            date(2026, 8, 28),
            id="a pause that is longer than the time paid for",
        ),
        pytest.param(
            a_pledge(next_charge_on=date(2026, 5, 28)),
            date(2026, 1, 28),
            date(2026, 5, 28),
            id="paid long ago",
        ),
        pytest.param(
            a_pledge(state=PledgeState.PAUSED, next_charge_on=None), None, None, id="paused unpaid"
        ),
    ],
)
def test_day_of_the_right_to_vote(
    pledge: Pledge | None, first_paid_on: date | None, expected: date | None
) -> None:
    """The right starts with the first qualifying payment, or with the next one if there is none."""
    paid_until = None if first_paid_on is None else card_pays_until(first_paid_on, UTC_ZONE)

    day = may_vote_from(pledge, first_paid_on, now=NOON, paid_until=paid_until, zone=UTC_ZONE)

    assert day == expected


def test_changemaker_is_not_refused() -> None:
    """A changemaker may vote."""
    require_changemaker(a_pledge(), PAID_ON, now=NOON, paid_until=PAID_UNTIL, zone=UTC_ZONE)


@pytest.mark.parametrize(
    ("pledge", "first_paid_on", "now", "words"),
    [
        (None, None, NOON, "start a monthly pledge"),
        (a_pledge(), None, NOON, "begins on 28 May 2026"),
        (a_pledge(state=PledgeState.INCOMPLETE), None, NOON, "confirmed yet.*on 28 May 2026"),
        (
            a_pledge(state=PledgeState.INCOMPLETE, next_charge_on=None),
            None,
            NOON,
            "once it is, your right to vote begins.$",
        ),
        (
            a_pledge(state=PledgeState.PAUSED, next_charge_on=None),
            PAID_ON,
            NOON,
            "when you resume it",
        ),
        (
            a_pledge(state=PledgeState.PAUSED, next_charge_on=None),
            date(2026, 1, 28),
            NOON,
            "paused.*with your next payment",
        ),
        (LATE, PAID_ON, NOON + timedelta(days=15), "check your card"),
    ],
)
def test_the_refusal_names_the_day_or_the_next_step(
    pledge: Pledge | None, first_paid_on: date | None, now: datetime, words: str
) -> None:
    """A refusal names the day on which the right starts, or how to get it."""
    paid_until = None if not first_paid_on else card_pays_until(first_paid_on, UTC_ZONE)
    with pytest.raises(NotAChangemaker, match=words):
        require_changemaker(pledge, first_paid_on, now=now, paid_until=paid_until, zone=UTC_ZONE)
