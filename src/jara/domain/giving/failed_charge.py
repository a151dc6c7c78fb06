"""The retry schedule of a failed charge, shared by the sandbox, the emails and the documents.

The charge is retried after 7, 14 and 21 days. The member can vote for 14 days. After the last
attempt the pledge ends, and the member owes nothing.
"""

from __future__ import annotations

from datetime import date, timedelta

from jara.domain.giving.changemaker import GRACE

RETRY_AFTER = (timedelta(days=7), timedelta(days=14), timedelta(days=21))
"""When a failed charge is retried, counted from the first attempt."""

STEPS = (timedelta(0), *RETRY_AFTER[:-1])
"""When the member gets an email; a final one reports the end of the pledge."""


def step_at(passed: timedelta) -> timedelta | None:
    """Return the latest step after a failed charge; None after the last attempt."""
    if passed >= RETRY_AFTER[-1]:
        return None
    return max(step for step in STEPS if step <= max(passed, timedelta(0)))


def attempts_after(failed_on: date, step: timedelta) -> tuple[date, ...]:
    """Return the days of the remaining attempts after a step; there is at least one."""
    return tuple(failed_on + after for after in RETRY_AFTER if after > step)


def vote_rests_on(failed_on: date, step: timedelta) -> date | None:
    """Return the day until which the member can vote; None if it has passed."""
    return failed_on + GRACE if step < GRACE else None
