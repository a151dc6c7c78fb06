"""The changemakers: who they are now, and what they pledge together (design, 'Ledger')."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from jara.domain.giving.changemaker import day_of_right
from jara.domain.giving.pledge import Pledge
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


def voting_day(
    work: UnitOfWork, pledge: Pledge | None, member_key: str, now: datetime
) -> date | None:
    """Return the day on which a member's right to vote began or begins, if one is known."""
    return day_of_right(pledge, work.payments.first_qualifying_day(member_key), now=now)
