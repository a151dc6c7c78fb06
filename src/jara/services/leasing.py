"""Working through a queue in the database: in leased batches, with retries.

A batch is leased, so that two processes never work on the same item. If a process dies,
another one gets its items when the lease expires.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

LEASE = timedelta(minutes=10)
BATCH = 50
GIVE_UP_AFTER = 3
"""After this many failures in a row, the service is down; it is not just one bad item."""

Item = TypeVar("Item")


class QueueRun(NamedTuple):
    """How many items are done and how many failed; ``failure`` is the last reason."""

    done: int = 0
    failed: int = 0
    failure: str = ""


def work_through(
    lease: Callable[[], Sequence[Item]],
    work: Callable[[Sequence[Item]], Iterable[str | None]],
) -> QueueRun:
    """Work on leased batches until none is due, or too many items in a row failed.

    Args:
        lease: returns the next batch; an empty one ends the run.
        work: yields, for each item of a batch, the reason for its failure, or None.
    """
    done = failed = in_a_row = 0
    failure = ""
    while items := lease():
        for reason in work(items):
            if reason is None:
                done, in_a_row = done + 1, 0
                continue
            failed, in_a_row, failure = failed + 1, in_a_row + 1, reason
            if in_a_row == GIVE_UP_AFTER:
                return QueueRun(done, failed, failure)
    return QueueRun(done, failed, failure)


def retry_at(now: datetime, *, attempts: int, minutes: Sequence[int]) -> datetime:
    """Return when to try again: the waits grow with each failure, the last one repeats."""
    return now + timedelta(minutes=minutes[min(attempts, len(minutes) - 1)])
