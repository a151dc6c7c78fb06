"""Who may vote and from which day; ways to pay; a failed charge."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput, NotAChangemaker
from jara.domain.giving import payment_way
from jara.domain.giving.billing_day import charge_after
from jara.domain.giving.changemaker import (
    GRACE,
    RETRY_AFTER,
    STEPS,
    attempts_after,
    card_pays_until,
    is_changemaker,
    may_vote_from,
    payment_counts,
    require_changemaker,
    step_at,
)
from jara.domain.giving.payment_way import print_reference
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


@given(day=st.dates(date(2026, 1, 1), date(2032, 12, 31)))
def test_a_card_payment_reaches_beyond_a_skipped_month(day: date) -> None:
    """The charge after the skipped one has its whole day, and the grace follows."""
    after_skip = charge_after(day, charge_after(day, day))

    assert card_pays_until(day, UTC_ZONE) >= UTC_ZONE.start_of(
        after_skip + timedelta(days=1) + GRACE
    )


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
    [(timedelta(0), True), (timedelta(days=14), True), (timedelta(days=14, microseconds=1), False)],
)
def test_failed_charge_has_fourteen_days_of_grace(after: timedelta, expected: bool) -> None:
    """A past-due pledge keeps the vote for at most 14 days, today and in reports."""
    assert expected is is_changemaker(LATE, PAID_UNTIL, now=NOON + after)


@pytest.mark.parametrize(
    ("pledge", "first_paid_on", "expected"),
    [
        pytest.param(None, PAID_ON, None, id="no pledge"),
        pytest.param(
            a_pledge(state=PledgeState.CANCELED, next_charge_on=None), PAID_ON, None, id="canceled"
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


REFERENCES = st.binary(min_size=6, max_size=6).map(payment_way.make_reference)


@pytest.mark.parametrize(
    ("days", "ends"),
    [
        (["2026-01-31", "2026-02-28", "2026-03-31"], ["2026-02-28", "2026-03-31", "2026-04-30"]),
        (["2026-01-31", "2026-02-10", "2026-02-20"], ["2026-02-28", "2026-03-31", "2026-04-30"]),
        (["2027-11-30", "2027-12-30", "2028-01-30"], ["2027-12-30", "2028-01-30", "2028-02-29"]),
        (["2028-01-30", "2028-02-29", "2028-03-30"], ["2028-02-29", "2028-03-30", "2028-04-30"]),
        (["2026-01-31", "2026-03-01", "2026-04-01"], ["2026-02-28", "2026-04-01", "2026-05-01"]),
    ],
)
def test_a_short_month_does_not_move_the_day(days: list[str], ends: list[str]) -> None:
    """Months that follow each other end on the day of the first one, or on a month's last."""
    payments = [(date.fromisoformat(day), 1) for day in days]

    assert [str(end) for end in payment_way.ends_of_months(payments)] == ends


@given(REFERENCES)
def test_a_reference_is_read_as_it_is_printed(reference: str) -> None:
    """A reference is read in any case, with any blanks, and within a bank's text."""
    assert payment_way.parse_reference(f" {print_reference(reference).lower()} ") == reference
    assert reference in list(payment_way.references_in(f"gift{reference.lower()}thanks"))


@given(REFERENCES, st.integers(1, 7), st.sampled_from(payment_way.ALPHABET))
def test_a_wrong_sign_is_noticed(reference: str, place: int, sign: str) -> None:
    """One wrong character, or two swapped neighbours, are detected."""
    wrong = reference[:place] + sign + reference[place + 1 :]
    swapped = reference[:place] + reference[place : place + 2][::-1] + reference[place + 2 :]
    for text in {wrong, swapped} - {reference}:
        with pytest.raises(InvalidInput, match="a character may be wrong"):
            payment_way.parse_reference(text)


@pytest.mark.parametrize("text", ["", "K7K3QXW2", "J7K3", "J0000000", "JJJJ-JJJJ-J"])
def test_other_texts_are_no_references(text: str) -> None:
    """No reference is read from other texts, or found in them."""
    with pytest.raises(InvalidInput):
        payment_way.parse_reference(text)
    assert [one for one in payment_way.references_in(text) if len(one) != 8] == []


FAILED = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("days", "step"), [(-3, 0), (0, 0), (6, 0), (7, 7), (13, 7), (14, 14), (20, 14)]
)
def test_the_newest_step_counts(days: int, step: int) -> None:
    """A time before the failure, from a clock behind the provider's, counts as the first step."""
    assert timedelta(days=step) == step_at(timedelta(days=days))


def test_after_the_last_attempt_there_is_no_step() -> None:
    """The final email follows the pledge's end; attempts end before the next renewal."""
    assert step_at(RETRY_AFTER[-1]) is None
    assert RETRY_AFTER[-1] < timedelta(days=28)


def test_the_facts_follow_the_schedule() -> None:
    """Every coming attempt has its day, and the right to vote ends on the day of one."""
    days = tuple(FAILED + after for after in RETRY_AFTER)

    assert [attempts_after(FAILED, step) for step in STEPS] == [days, days[1:], days[2:]]
    assert GRACE in STEPS
