"""The changemakers as they are kept, so that counting them costs the same however many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol


class ElectorRepository(Protocol):
    """Who may vote, kept up to date by every change of a pledge or a payment."""

    def figures(self, now: datetime) -> tuple[int, int]:
        """Return how many changemakers there are, and their pledges of a month in dollars."""
        ...

    def member_ids(self, now: datetime) -> frozenset[str]:
        """Return the ids of the changemakers."""
        ...

    def lapsed(self, proposal: str, now: datetime) -> frozenset[str]:
        """Return who has taken part in an open vote and is no changemaker now."""
        ...

    def next_lapse(self, now: datetime) -> datetime | None:
        """Return the last instant of whoever loses the vote next; None where nobody will.

        Only a charge that stays failed takes it away without any further change.
        """
        ...

    def contributions(self) -> tuple[int, int]:
        """Return how many payments were received and kept, and the cents kept of them."""
        ...

    def discrepancies(self) -> Iterator[tuple[str, int, int]]:
        """Return what is kept otherwise than a recount says: name, kept, counted anew."""
        ...
