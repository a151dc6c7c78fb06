"""Port of the maintained list of changemakers; counting them is O(1)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol


class ElectorRepository(Protocol):
    """The changemakers, updated with every change of a pledge or a payment."""

    def figures(self, now: datetime) -> tuple[int, int]:
        """Return the number of changemakers, and their monthly pledges in dollars."""
        ...

    def member_ids(self, now: datetime) -> frozenset[str]:
        """Return the ids of the changemakers."""
        ...

    def lapsed(self, now: datetime) -> frozenset[str]:
        """Return the keys of members who stopped being changemakers during an open vote.

        Only the ballots' claims tell whether they voted.
        """
        ...

    def forget_lapsed(self) -> None:
        """Clear the lapsed keys; called when a vote opens and no other is open."""
        ...

    def next_lapse(self, now: datetime) -> datetime | None:
        """Return when the next member loses the right to vote; None if nobody will.

        Without another change, only a charge that stays failed causes this.
        """
        ...

    def contributions(self) -> tuple[int, int]:
        """Return the number of payments still kept, and their remaining cents."""
        ...

    def discrepancies(self) -> Iterator[tuple[str, int, int]]:
        """Return the differences from a recount: name, stored value, recounted value."""
        ...
