"""One schedule after a failed charge, said in words that do not contradict each other."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from jara.domain.giving.changemaker import GRACE
from jara.domain.giving.failed_charge import (
    RETRY_AFTER,
    STEPS,
    attempts_after,
    step_at,
    vote_rests_on,
)

FAILED = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("days", "step"), [(-3, 0), (0, 0), (6, 0), (7, 7), (13, 7), (14, 14), (20, 14)]
)
def test_the_newest_step_counts(days: int, step: int) -> None:
    """A clock behind the provider's stands at the first step."""
    assert timedelta(days=step) == step_at(timedelta(days=days))


def test_after_the_last_attempt_there_is_no_step() -> None:
    """The email of the end follows when the pledge has ended, and attempts end before a renewal."""
    assert step_at(RETRY_AFTER[-1]) is None
    assert RETRY_AFTER[-1] < timedelta(days=28)


def test_the_facts_follow_the_schedule() -> None:
    """Every coming attempt is known with its day, and the day until which the member can vote."""
    days = tuple(FAILED + after for after in RETRY_AFTER)

    assert [days, days[1:], days[2:]] == [attempts_after(FAILED, step) for step in STEPS]
    assert [FAILED + GRACE, FAILED + GRACE, None] == [vote_rests_on(FAILED, step) for step in STEPS]
    assert GRACE in STEPS
