"""The history of a pledge, for reports."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from jara.domain.giving.pledge import PledgeState


class PledgeChange(NamedTuple):
    """The state and amount of a member's pledge from an instant.

    Reports use these rows, so that old reports can be regenerated.
    """

    member_key: str
    at: datetime
    state: PledgeState
    dollars: int


class Standing(NamedTuple):
    """The state and amount of a pledge at an instant, and since when it had that state."""

    state: PledgeState
    dollars: int
    since: datetime


def standing_at(changes: Iterable[PledgeChange], at: datetime) -> Standing | None:
    """Return the state of a pledge at an instant, given its changes in order of time.

    A change of the amount does not reset ``since``. None before the first change.
    """
    standing: Standing | None = None
    for change in changes:
        if change.at > at:
            break
        same = standing is not None and standing.state is change.state
        since = standing.since if standing is not None and same else change.at
        standing = Standing(state=change.state, dollars=change.dollars, since=since)
    return standing
