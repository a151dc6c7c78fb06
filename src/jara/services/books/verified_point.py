"""The verified point: up to where, and when, the whole books were verified last.

It is written after a complete verification without findings. A key of the secrets folder
authenticates it (HMAC-SHA256 with a purpose of its own; the log's key signs nothing but
checkpoints), so that whoever can only write to the database cannot make one. An older point put
back is genuine too; then more is verified again, never less.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from jara.services.context import Context
from jara.services.ports.database import UnitOfWork

POINT_KEY = "verified.point"
"""Key in `meta`."""
_PURPOSE = "verified-point"

DayTotal = tuple[str, str, str, int]
"""Account, fund, day and cents."""


class VerifiedPoint(NamedTuple):
    """A state of the books that was verified as a whole.

    Args:
        size: the size of the public log.
        root: its root, in hex.
        entries: how many entries there were.
        sums: hash of the sums of the postings by account, fund and day, in hex.
        verified_at: when.
    """

    size: int
    root: str
    entries: int
    sums: str
    verified_at: datetime


def point_of(context: Context, work: UnitOfWork) -> VerifiedPoint:
    """Return the point of a state that has just been verified."""
    head = work.log.head()
    return VerifiedPoint(
        size=head.size,
        root=head.root().hex(),
        entries=work.journal.count(),
        sums=hash_of_sums(work.inspection.day_totals()),
        verified_at=context.now(),
    )


def hash_of_sums(totals: Iterable[DayTotal]) -> str:
    """Return a hash of sums by account, fund and day; sums of zero do not count."""
    rows = sorted(row for row in totals if row[3])
    return sha256(json.dumps(rows).encode()).hexdigest()


def keep_point(context: Context, point: VerifiedPoint) -> None:
    """Store a point, with its authentication."""
    body = json.dumps({**point._asdict(), "verified_at": point.verified_at.isoformat()})
    mark = context.vault.keyed_hash(_PURPOSE, body)
    with context.store.write() as work:
        work.meta.put(POINT_KEY, f"{mark} {body}")


def read_point(context: Context, work: UnitOfWork) -> VerifiedPoint | None:
    """Return the stored point; None if there is none, or one that was not made with our key."""
    mark, _, body = (work.meta.get(POINT_KEY) or "").partition(" ")
    if not hmac.compare_digest(mark.encode(), context.vault.keyed_hash(_PURPOSE, body).encode()):
        return None
    fields = json.loads(body)
    return VerifiedPoint(**{**fields, "verified_at": datetime.fromisoformat(fields["verified_at"])})
