"""Port for verification: rows as they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from jara.domain.checks.entries import StoredEntry, StoredPosting
from jara.domain.checks.votes import StoredBallot


class InspectionRepository(Protocol):
    """What ``jara ledger verify`` and other checks read."""

    def used_provider(self) -> bool:
        """Return whether the organisation was set up with a payment provider."""
        ...

    def used_sandbox(self) -> bool:
        """Return whether the sandbox holds payments of the organisation."""
        ...

    def entries(self, start: int = 0) -> Iterator[StoredEntry]:
        """Return the entries in log order, from an index of the log."""
        ...

    def postings(self, entry: int) -> Sequence[StoredPosting]:
        """Return the postings of the entry with an index of the log."""
        ...

    def suspects(self, start: int = 0) -> Iterator[int]:
        """Return the entries, from an index of the log, whose postings `check_entry` refuses.

        Their accounts are not looked at; see `accounts`.
        """
        ...

    def accounts(self) -> list[str]:
        """Return every account that has postings."""
        ...

    def entries_on(self, account: str) -> list[int]:
        """Return the entries that have a posting on an account."""
        ...

    def sums(self, start: int) -> Iterator[tuple[str, str, str, int]]:
        """Return account, fund, day and the sum of the postings from an index of the log."""
        ...

    def day_totals(self) -> Iterator[tuple[str, str, str, int]]:
        """Return account, fund, day and cents of each total of a day."""
        ...

    def policies(self) -> list[tuple[int, str, Mapping[str, Any], Mapping[str, Any]]]:
        """Return log index, first day, weights and fee weights of each fund policy."""
        ...

    def ballots(self, start: int = 0) -> Iterator[StoredBallot]:
        """Return the ballots in log order, from an index of the log."""
        ...

    def ballots_of(self, proposal: str) -> list[StoredBallot]:
        """Return the ballots of a proposal with their voids, in log order."""
        ...

    def voids(self, start: int = 0) -> Iterator[tuple[int, int | None]]:
        """Return log index of voids and of the ballot each voids, from an index of the log."""
        ...

    def repeated_external_ids(self) -> list[tuple[str, str]]:
        """Return entry id and outside id of entries that share one."""
        ...

    def shared_subscriptions(self) -> list[tuple[str, int]]:
        """Return the subscriptions that several members have, and how many."""
        ...

    def wrong_returns(self) -> list[tuple[int, int, int]]:
        """Return payments whose returned money is not that of their entries."""
        ...

    def wrong_receipts(self) -> list[tuple[int, int, int]]:
        """Return payments whose amount is not that of their entry."""
        ...

    def committed(self) -> dict[str, int]:
        """Return what entries hold for each proposal, in cents of the fund ``committed``."""
        ...
