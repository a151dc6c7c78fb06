"""Valid values of the giving domain, to be changed by keyword."""

from dataclasses import replace
from datetime import UTC, date, datetime

from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import Pledge, PledgeState

NOON = datetime(2026, 5, 10, 12, tzinfo=UTC)

_PLEDGE = Pledge(
    id="plg_1",
    member_id="mem_1",
    dollars=10,
    billing_day=BillingDay.TWENTY_EIGHTH,
    state=PledgeState.ACTIVE,
    anchor_on=date(2026, 4, 28),
    started_at=datetime(2026, 4, 20, 9, tzinfo=UTC),
    next_charge_on=date(2026, 5, 28),
)


def a_pledge(**changes: object) -> Pledge:
    """Return an active pledge of $10 on the 28th, with these fields changed."""
    return replace(_PLEDGE, **changes)  # type: ignore[arg-type] # given by the test, by name
