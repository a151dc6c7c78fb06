"""The record of the last daily run: its time, and the steps that failed."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

LATE_AFTER = timedelta(hours=36)
"""After this time without a daily run, it is late."""
CLOCK_TOLERANCE = timedelta(minutes=1)
"""The clocks of several hosts differ by seconds; a larger difference is an error."""
_LAST_RUN = "daily.last_run"


class LastRun(NamedTuple):
    """The time of the last daily run, and its failed steps."""

    at: datetime
    failed: tuple[str, ...]


def note_run(work: UnitOfWork, at: datetime, failed: Sequence[str]) -> None:
    """Record a daily run."""
    work.meta.put(_LAST_RUN, json.dumps({"at": at.isoformat(), "failed": list(failed)}))


def last_run(context: Context) -> LastRun | None:
    """Return the last daily run; None before the first."""
    with context.store.read() as work:
        text = work.meta.get(_LAST_RUN)
    if text is None:
        return None
    document = json.loads(text)
    return LastRun(datetime.fromisoformat(document["at"]), tuple(document["failed"]))


def clock_fault(context: Context) -> str | None:
    """Describe a record that is newer than the clock, and the remedy; None if there is none."""
    now, last = context.now(), last_run(context)
    with context.store.read() as work:
        newest = work.journal.newest()
    instants = {
        "newest entry": None if newest is None else newest.booked_at,
        "last daily run": None if last is None else last.at,
    }
    for what, at in instants.items():
        if at is not None and at > now + CLOCK_TOLERANCE:
            remedy = "correct the clock"
            if context.payment_mode.is_sandbox:
                remedy += f", or move it for one command: --now {at:%Y-%m-%d}"
            return (
                f"The {what} is of {context.zone.minute(at)}, but the clock says "
                f"{context.zone.minute(now)}; {remedy}."
            )
    return None
