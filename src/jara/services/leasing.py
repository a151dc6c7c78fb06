"""Working through a queue in the database: in leased batches, with retries.

A batch is leased, so that two processes never work on the same item. If a process dies,
another one gets its items when the lease expires.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

LEASE = timedelta(minutes=10)
BATCH = 50
GIVE_UP_AFTER = 3
"""After this many failures of the service in a row, it is down."""

Item = TypeVar("Item")


class Failure(NamedTuple):
    """Why an item failed.

    ``is_of_item`` means that the service answered and the reason is this item's alone.
    """

    reason: str
    is_of_item: bool = False


class QueueRun(NamedTuple):
    """How many items are done and how many failed; ``failure`` is the last reason."""

    done: int = 0
    failed: int = 0
    failure: str = ""


def work_through(
    lease: Callable[[], Sequence[Item]], work: Callable[[Sequence[Item]], Iterable[Failure | None]]
) -> QueueRun:
    """Work on leased batches until none is due, or the service failed too often in a row.

    `lease` returns the next batch; an empty one ends the run. `work` yields, for each item of a
    batch, its failure, or None.
    """
    done = failed = in_a_row = 0
    reason = ""
    while items := lease():
        for failure in work(items):
            if failure is None:
                done, in_a_row = done + 1, 0
                continue
            failed, reason = failed + 1, failure.reason
            in_a_row = 0 if failure.is_of_item else in_a_row + 1
            if in_a_row == GIVE_UP_AFTER:
                return QueueRun(done, failed, reason)
    return QueueRun(done, failed, reason)


def retry_at(now: datetime, *, attempts: int, minutes: Sequence[int]) -> datetime:
    """Return when to try again: the waits grow with each failure, the last one repeats."""
    return now + timedelta(minutes=minutes[min(attempts, len(minutes) - 1)])
