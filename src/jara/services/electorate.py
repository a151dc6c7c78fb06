"""The changemakers: who they are now, and what they pledge together (design, 'Ledger')."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from jara.domain.giving.changemaker import is_changemaker, may_vote_from
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.services.electors import contributions_of
from jara.services.ports.database import UnitOfWork


@dataclass(frozen=True, slots=True)
class Changemakers:
    """Who may vote at an instant, and their pledges of a month together."""

    member_ids: frozenset[str]
    monthly_cents: int

    @property
    def count(self) -> int:
        """How many there are: the number on the home page."""
        return len(self.member_ids)


def changemakers(work: UnitOfWork, now: datetime) -> Changemakers:
    """Return the changemakers: the pledge stands, and a contribution qualifies (trust §3)."""
    paying = work.payments.qualifying_members()
    standing = [
        pledge
        for pledge, key in work.pledges.with_keys(PledgeState.ACTIVE, PledgeState.PAST_DUE)
        if is_changemaker(pledge, has_qualifying_contribution=key in paying, now=now)
    ]
    return Changemakers(
        member_ids=frozenset(pledge.member_id for pledge in standing),
        monthly_cents=sum(pledge.dollars for pledge in standing) * 100,
    )


def voting_day(
    work: UnitOfWork, pledge: Pledge | None, member_key: str, now: datetime
) -> date | None:
    """Return the day on which a member's right to vote began or begins, if one is known."""
    return may_vote_from(pledge, contributions_of(work, member_key), now=now)
