"""What follows a failed charge: one schedule for the sandbox, the emails and the documents.

The charge is tried again after 7, 14 and 21 days. From the 14th day on the right to vote rests.
After the last attempt the pledge ends, and nothing is owed.
"""

from __future__ import annotations

from datetime import date, timedelta

from jara.domain.giving.billing_day import spell_day
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


def describe_step(failed_on: date, step: timedelta) -> str:
    """Say what follows a failed attempt: the next ones, the right to vote, the end."""
    coming = [spell_day(failed_on + after) for after in RETRY_AFTER if after > step]
    rests_on = spell_day(failed_on + GRACE)
    if len(coming) == 1:
        attempts = f"We will try one last time on {coming[0]}."
    else:
        attempts = f"We will try again on {', '.join(coming[:-1])} and {coming[-1]}."
    if step < GRACE:
        vote = f"You can vote until {rests_on}; then your right to vote rests until you pay again."
    else:
        vote = "Your right to vote rests until a payment works."
    return f"{attempts} {vote} If the last attempt fails too, your pledge ends and you owe nothing."
