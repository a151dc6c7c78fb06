"""Who may vote, and from which day."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from jara.domain.errors import NotAChangemaker
from jara.domain.giving.changemaker import (
    ChangemakerFigures,
    count_changemakers,
    is_changemaker,
    may_vote_from,
    require_changemaker,
    was_changemaker,
)
from jara.domain.giving.contribution import Contribution
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.giving.pledge_history import PledgeChange
from tests.domain.giving.giving_builders import NOON, a_contribution, a_pledge

LATE = a_pledge(state=PledgeState.PAST_DUE, past_due_since=NOON)
REFUNDED = a_contribution(refunded_cents=1000)


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
    """With a qualifying contribution, the state of the pledge decides (trust §3)."""
    assert expected is is_changemaker(pledge, has_qualifying_contribution=True, now=NOON)


def test_nobody_votes_for_free() -> None:
    """Without a contribution that qualifies an active pledge gives no vote (trust §3)."""
    assert not is_changemaker(a_pledge(), has_qualifying_contribution=False, now=NOON)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (timedelta(0), True),
        (timedelta(days=14), True),
        (timedelta(days=14, microseconds=1), False),
    ],
)
def test_failed_charge_has_fourteen_days_of_grace(after: timedelta, expected: bool) -> None:
    """A pledge that is past due counts for at most 14 days, now as in a report."""
    changes = [PledgeChange(NOON, PledgeState.PAST_DUE, 10)]
    now = NOON + after

    assert expected is is_changemaker(LATE, has_qualifying_contribution=True, now=now)
    assert expected is was_changemaker(changes, has_qualifying_contribution=True, at=now)


def test_earlier_instants_are_judged_by_the_history() -> None:
    """Before the first row nobody was a changemaker, nor ever without a contribution."""
    changes = [PledgeChange(NOON, PledgeState.ACTIVE, 10)]
    before = NOON - timedelta(days=1)

    assert was_changemaker(changes, has_qualifying_contribution=True, at=NOON)
    assert not was_changemaker(changes, has_qualifying_contribution=True, at=before)
    assert not was_changemaker(changes, has_qualifying_contribution=False, at=NOON)


@pytest.mark.parametrize(
    ("pledge", "contributions", "expected"),
    [
        pytest.param(None, [a_contribution()], None, id="no pledge"),
        pytest.param(
            a_pledge(state=PledgeState.CANCELED, next_charge_on=None),
            [a_contribution()],
            None,
            id="canceled",
        ),
        pytest.param(a_pledge(), [], date(2026, 5, 28), id="first charge to come"),
        pytest.param(a_pledge(), [REFUNDED], date(2026, 5, 28), id="refunded, so the next charge"),
        pytest.param(
            a_pledge(next_charge_on=date(2026, 5, 9)), [], NOON.date(), id="charge in progress"
        ),
        pytest.param(
            a_pledge(),
            [REFUNDED, a_contribution(), a_contribution(received_on=date(2026, 5, 1))],
            date(2026, 4, 28),
            id="the first payment that qualifies",
        ),
        pytest.param(LATE, [a_contribution()], date(2026, 4, 28), id="in the days of grace"),
        pytest.param(LATE, [], None, id="the first charge failed"),
        pytest.param(
            a_pledge(state=PledgeState.PAUSED, resumes_on=date(2026, 8, 1)),
            [a_contribution()],
            date(2026, 8, 1),
            id="a pause with an end",
        ),
        pytest.param(
            a_pledge(state=PledgeState.PAUSED, next_charge_on=None), [], None, id="paused unpaid"
        ),
    ],
)
def test_day_of_the_right_to_vote(
    pledge: Pledge | None, contributions: list[Contribution], expected: date | None
) -> None:
    """The right begins with the first payment that qualifies; the next one where none does."""
    assert expected == may_vote_from(pledge, contributions, now=NOON)


def test_changemaker_is_not_refused() -> None:
    """Who has the right may vote."""
    require_changemaker(a_pledge(), [a_contribution()], now=NOON)


@pytest.mark.parametrize(
    ("pledge", "contributions", "now", "words"),
    [
        (None, [], NOON, "start a monthly pledge"),
        (a_pledge(), [], NOON, "begins on 28 May 2026"),
        (a_pledge(state=PledgeState.INCOMPLETE), [], NOON, "confirmed yet.*on 28 May 2026"),
        (
            a_pledge(state=PledgeState.INCOMPLETE, next_charge_on=None),
            [],
            NOON,
            "once it is, your right to vote begins.$",
        ),
        (
            a_pledge(state=PledgeState.PAUSED, next_charge_on=None),
            [a_contribution()],
            NOON,
            "paused",
        ),
        (LATE, [a_contribution()], NOON + timedelta(days=15), "look at your card"),
    ],
)
def test_refusal_names_the_day_or_what_to_do(
    pledge: Pledge | None, contributions: list[Contribution], now: datetime, words: str
) -> None:
    """A refused vote says from which day on, or what brings the right (trust §3)."""
    with pytest.raises(NotAChangemaker, match=words):
        require_changemaker(pledge, contributions, now=now)


def test_figures_count_changemakers_alone() -> None:
    """Counts and monthly sum leave out who may not vote (design, figures)."""
    pledges = [
        (a_pledge(), True),
        (a_pledge(dollars=20), True),
        (a_pledge(dollars=50), False),
        (a_pledge(state=PledgeState.PAUSED), True),
    ]

    assert count_changemakers(pledges, now=NOON) == ChangemakerFigures(total=2, monthly_dollars=30)
