"""What follows a failed charge: one schedule for the sandbox, the emails and the documents.

The charge is tried again after 7, 14 and 21 days. From the 14th day on the member cannot vote.
After the last attempt the pledge ends, and nothing is owed.
"""

from __future__ import annotations

from datetime import date, timedelta

from jara.domain.giving.changemaker import GRACE

RETRY_AFTER = (timedelta(days=7), timedelta(days=14), timedelta(days=21))
"""When a failed charge is tried again, counted from the first attempt."""

STEPS = (timedelta(0), *RETRY_AFTER[:-1])
"""When the member gets an email; one more says that the pledge ended."""


def step_at(passed: timedelta) -> timedelta | None:
    """Return the newest step after a failed charge; None once the last attempt was made."""
    if passed >= RETRY_AFTER[-1]:
        return None
    return max(step for step in STEPS if step <= max(passed, timedelta(0)))


def attempts_after(failed_on: date, step: timedelta) -> tuple[date, ...]:
    """Return the days of the attempts that follow a step; at least one does."""
    return tuple(failed_on + after for after in RETRY_AFTER if after > step)


def vote_rests_on(failed_on: date, step: timedelta) -> date | None:
    """Return the day until which the member can vote; None if that day is over."""
    return failed_on + GRACE if step < GRACE else None
