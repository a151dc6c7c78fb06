"""Port for verification: the raw stored rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from jara.domain.checks.entries import StoredEntry, StoredPosting
from jara.domain.checks.votes import StoredBallot


class InspectionRepository(Protocol):
    """Reads for ``jara ledger verify`` and other checks."""

    def used_provider(self) -> bool:
        """Return whether the organisation was set up with a payment provider."""
        ...

    def used_sandbox(self) -> bool:
        """Return whether the sandbox holds payments of the organisation."""
        ...

    def entries(self, start: int = 0) -> Iterator[StoredEntry]:
        """Return the entries in log order, from a log index on."""
        ...

    def postings(self, entry: int) -> Sequence[StoredPosting]:
        """Return the postings of the entry at a log index."""
        ...

    def suspects(self, start: int = 0) -> Iterator[int]:
        """Return the entries, from a log index on, whose postings `check_entry` refuses.

        This ignores accounts; see `accounts`.
        """
        ...

    def accounts(self) -> list[str]:
        """Return every account that has postings."""
        ...

    def entries_on(self, account: str) -> list[int]:
        """Return the entries that have a posting on an account."""
        ...

    def sums(self, start: int) -> Iterator[tuple[str, str, str, int]]:
        """Return account, fund, day and sum of the postings from a log index on."""
        ...

    def day_totals(self) -> Iterator[tuple[str, str, str, int]]:
        """Return account, fund, day and cents of each daily total."""
        ...

    def policies(self) -> list[tuple[int, str, Mapping[str, Any], Mapping[str, Any]]]:
        """Return log index, first day, weights and fee weights of each fund policy."""
        ...

    def ballots(self, start: int = 0) -> Iterator[StoredBallot]:
        """Return the ballots in log order, from a log index on."""
        ...

    def ballots_of(self, proposal: str) -> list[StoredBallot]:
        """Return the ballots of a proposal with their voids, in log order."""
        ...

    def voids(self, start: int = 0) -> Iterator[tuple[int, int | None]]:
        """Return the log index of each void and of its ballot, from a log index on."""
        ...

    def repeated_external_ids(self) -> list[tuple[str, str]]:
        """Return entry id and external id of entries that share an external id."""
        ...

    def shared_subscriptions(self) -> list[tuple[str, int]]:
        """Return the subscriptions shared by several members, and how many share each."""
        ...

    def wrong_returns(self) -> list[tuple[int, int, int]]:
        """Return the payments whose returned amount differs from their entries."""
        ...

    def wrong_receipts(self) -> list[tuple[int, int, int]]:
        """Return the payments whose amount differs from their entry."""
        ...

    def committed(self) -> dict[str, int]:
        """Return the cents that entries hold for each proposal in the fund ``committed``."""
        ...
