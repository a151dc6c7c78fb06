"""Who may vote now."""

from __future__ import annotations

from datetime import datetime

from jara.domain.giving.changemaker import Changemakers, require_changemaker
from jara.domain.giving.pledge import Pledge
from jara.store.unit_of_work import UnitOfWork


def changemakers(work: UnitOfWork, now: datetime) -> Changemakers:
    """Return how many changemakers there are, from maintained counts."""
    count, dollars = work.electors.figures(now)
    return Changemakers(count=count, monthly_cents=dollars * 100)


def require_elector(work: UnitOfWork, member_id: str, now: datetime) -> Pledge | None:
    """Return the pledge of a member who may vote now.

    Raises:
        NotAChangemaker: the message says from when or how the member may vote.
    """
    account = work.pledges.account(member_id, now=now)
    require_changemaker(account.pledge, account.first_paid_on, now=now)
    return account.pledge
