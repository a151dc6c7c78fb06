"""One schedule after a failed charge, said in words that do not contradict each other."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from jara.domain.giving.changemaker import GRACE
from jara.domain.giving.failed_charge import RETRY_AFTER, STEPS, describe_step, step_at

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


def test_the_words_follow_the_schedule() -> None:
    """Every coming attempt is named with its day, and the day on which the vote rests."""
    at_once, second, third = (describe_step(FAILED, step) for step in STEPS)

    assert (
        "We will try again on 27 November 2026, 4 December 2026 and 11 December 2026. You can "
        "vote until 4 December 2026; then your right to vote rests until you pay again. If the "
        "last attempt fails too, your pledge ends and you owe nothing."
    ) == at_once
    assert "try again on 4 December 2026 and 11 December 2026." in second
    assert third.startswith(
        "We will try one last time on 11 December 2026. Your right to vote rests"
    )
    assert GRACE in STEPS
