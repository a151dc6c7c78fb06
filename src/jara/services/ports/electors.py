"""Port of the maintained list of changemakers; counting them is O(1)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol


class ElectorRepository(Protocol):
    """The changemakers, updated with every change of a pledge or a payment."""

    def figures(self, now: datetime) -> tuple[int, int]:
        """Return how many changemakers there are, and their pledges of a month in dollars."""
        ...

    def member_ids(self, now: datetime) -> frozenset[str]:
        """Return the ids of the changemakers."""
        ...

    def lapsed(self, now: datetime) -> frozenset[str]:
        """Return the keys of those who stopped being a changemaker while a vote is open.

        They may have voted or not; only the ballots' claims say that.
        """
        ...

    def forget_lapsed(self) -> None:
        """Forget who was a changemaker earlier, when a vote opens and no other is open."""
        ...

    def next_lapse(self, now: datetime) -> datetime | None:
        """Return when the next member loses the right to vote; None where nobody will.

        Only a charge that stays failed does that without another change.
        """
        ...

    def contributions(self) -> tuple[int, int]:
        """Return how many payments were received and kept, and the cents kept of them."""
        ...

    def discrepancies(self) -> Iterator[tuple[str, int, int]]:
        """Return what differs from a recount: name, stored value, recounted value."""
        ...
