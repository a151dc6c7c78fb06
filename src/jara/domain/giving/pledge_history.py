"""The dated facts of a pledge, from which reports are made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from jara.domain.giving.pledge import Pledge, PledgeState


@dataclass(frozen=True, slots=True)
class PledgeChange:
    """A dated fact: from this instant on the pledge had this state and amount.

    Reports are made from these rows, so that an old report can be made again.
    """

    at: datetime
    state: PledgeState
    dollars: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How a pledge stood at an instant, and since when it had been in that state."""

    state: PledgeState
    dollars: int
    since: datetime


def change_of(pledge: Pledge, *, at: datetime) -> PledgeChange:
    """Return the dated row that records how the pledge stands from now on."""
    return PledgeChange(at=at, state=pledge.state, dollars=pledge.dollars)


def standing_at(changes: Iterable[PledgeChange], at: datetime) -> Standing | None:
    """Return how a pledge stood at an instant, from its rows in order of time.

    A changed amount does not restart the time in a state. None before the first row.
    """
    standing: Standing | None = None
    for change in changes:
        if change.at > at:
            break
        same = standing is not None and standing.state is change.state
        since = standing.since if standing is not None and same else change.at
        standing = Standing(state=change.state, dollars=change.dollars, since=since)
    return standing
