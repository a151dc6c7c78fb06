"""The schedule after a failed charge, and consistent wording for it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from jara.domain.giving.changemaker import (
    GRACE,
    RETRY_AFTER,
    STEPS,
    attempts_after,
    step_at,
)

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
