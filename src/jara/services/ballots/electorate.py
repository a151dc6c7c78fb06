"""The changemakers: who they are now, and what they pledge together (design, 'Ledger')."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from jara.services.ports.database import UnitOfWork


@dataclass(frozen=True, slots=True)
class Changemakers:
    """How many may vote at an instant, and their pledges of a month together."""

    count: int
    monthly_cents: int


def changemakers(work: UnitOfWork, now: datetime) -> Changemakers:
    """Count the changemakers: the pledge stands, and a contribution qualifies (trust §3).

    The figures are kept, so that this costs the same however many there are.
    """
    count, dollars = work.electors.figures(now)
    return Changemakers(count=count, monthly_cents=dollars * 100)
