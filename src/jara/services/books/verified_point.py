"""The verified point: the place and time of the last full verification of the books.

It is written after a full verification without findings. A key in the secrets folder
authenticates it (HMAC-SHA256 with its own purpose; the log's key signs only checkpoints), so that
write access to the database is not enough to forge one. A restored older point is also accepted;
it makes the next verification check more, never less.
"""

import hmac
import json
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

POINT_KEY = "verified.point"
"""Key in `meta`."""
_PURPOSE = "verified-point"

DayTotal = tuple[str, str, str, int]
"""Account, fund, day and cents."""


class VerifiedPoint(NamedTuple):
    """A state of the books that was fully verified."""

    size: int  # the size of the public log
    root: str  # its root, in hex
    entries: int
    sums: str  # hash of the posting sums by account, fund and day, in hex
    verified_at: datetime


def point_of(context: Context, work: UnitOfWork) -> VerifiedPoint:
    """Return the point for the state that was just verified."""
    head = work.log.head()
    return VerifiedPoint(
        size=head.size,
        root=head.root().hex(),
        entries=work.journal.count(),
        sums=hash_of_sums(work.inspection.day_totals()),
        verified_at=context.now(),
    )


def hash_of_sums(totals: Iterable[DayTotal]) -> str:
    """Return a hash of sums by account, fund and day; sums of zero are ignored."""
    rows = sorted(row for row in totals if row[3])
    return sha256(json.dumps(rows).encode()).hexdigest()


def keep_point(context: Context, point: VerifiedPoint) -> None:
    """Store a point with its HMAC."""
    body = json.dumps({**point._asdict(), "verified_at": point.verified_at.isoformat()})
    mark = context.vault.keyed_hash(_PURPOSE, body)
    with context.store.write() as work:
        work.meta.put(POINT_KEY, f"{mark} {body}")


def read_point(context: Context, work: UnitOfWork) -> VerifiedPoint | None:
    """Return the stored point; None if it is missing or its HMAC is not from our key."""
    mark, _, body = (work.meta.get(POINT_KEY) or "").partition(" ")
    if not hmac.compare_digest(mark.encode(), context.vault.keyed_hash(_PURPOSE, body).encode()):
        return None
    fields = json.loads(body)
    return VerifiedPoint(**{**fields, "verified_at": datetime.fromisoformat(fields["verified_at"])})
