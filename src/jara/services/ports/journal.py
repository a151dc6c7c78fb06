"""Port of the journal: entries, postings and their maintained totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple, Protocol

from jara.domain.books.account import Fund
from jara.domain.books.journal import PostedEntry


class EntryQuery(NamedTuple):
    """Which entries to list: all conditions hold together."""

    first_day: date | None = None
    last_day: date | None = None
    kinds: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """The description, the reference or the id contains one of these."""
    accounts: tuple[str, ...] = ()
    """With texts: also match entries on one of these accounts."""
    member_key: str | None = None
    reference: str | None = None
    size: int | None = None
    """Only entries below this log size."""


class RegisterLine(NamedTuple):
    """One entry's movement on an account in cents, and the balance after it."""

    posted: PostedEntry
    cents: int
    balance_cents: int


class BalanceRow(NamedTuple):
    """The sum of an account in a fund, and in a month when grouped by month."""

    account: str
    fund: Fund
    cents: int
    month: str | None = None


class JournalRepository(Protocol):
    """Entries, postings and their maintained totals."""

    def add(self, posted: PostedEntry) -> None:
        """Store an entry of the log, and add its postings to the totals."""
        ...

    def get(self, index: int) -> PostedEntry:
        """Return the entry at a log index.

        Raises:
            NotFound: there is none.
        """
        ...

    def find(self, text: str) -> PostedEntry:
        """Return the entry with that id or unique prefix of an id.

        Raises:
            NotFound: no entry matches.
            Conflict: several entries match.
        """
        ...

    def known_external_ids(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the log index of each external id that is already posted."""
        ...

    def reversal_of(self, index: int) -> int | None:
        """Return the index of the entry that reverses this one, if any."""
        ...

    def count_in(self, indexes: range) -> int:
        """Return the number of entries in a range of the log."""
        ...

    def not_reversed(self, indexes: range) -> list[int]:
        """Return a log range's entries, except reversed ones and reversals of entries in it."""
        ...

    def entries(self, query: EntryQuery, *, newest_first: bool = False) -> Iterator[PostedEntry]:
        """Return the matching entries, in order of day and index."""
        ...

    def page(
        self, query: EntryQuery, *, before: tuple[date, int] | None, limit: int
    ) -> list[PostedEntry]:
        """Return the newest matching entries before a position (day, index)."""
        ...

    def register(
        self, account: str, *, first_day: date | None, last_day: date | None
    ) -> Iterator[RegisterLine]:
        """Return an account's movements with its running balance, oldest first."""
        ...

    def balances(
        self, *, at: date | None = None, accounts: Sequence[str] = (), by_month: bool = False
    ) -> list[BalanceRow]:
        """Return the maintained sums per account and fund up to a day inclusive.

        Args:
            at: the last day included; None for all.
            accounts: only these accounts and their subaccounts; empty for all.
            by_month: return a row for each month.
        """
        ...

    def balances_at_size(self, size: int) -> list[BalanceRow]:
        """Return the sums per account, fund and month over the log up to a size."""
        ...

    def count(self) -> int:
        """Return the number of entries."""
        ...

    def newest(self, size: int | None = None) -> PostedEntry | None:
        """Return the newest entry in the log, or in the log of that size."""
        ...

    def wrong_totals(self) -> Iterator[tuple[str, str, str, int, int]]:
        """Return (account, fund, period, stored, recomputed) of each wrong total."""
        ...

    def forget_notes(self, before: date) -> int:
        """Delete the notes of entries before a day; return how many."""
        ...

    def many(self, indexes: Iterable[int]) -> dict[int, PostedEntry]:
        """Return the entries at these log indexes, by index."""
        ...

    def known_ids(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the log index of each entry id that exists in the books."""
        ...

    def notes_of(self, indexes: Iterable[int]) -> dict[int, str]:
        """Return the notes of these entries, which are not in the log."""
        ...

    def in_log_order(self) -> Iterator[PostedEntry]:
        """Return every entry in log order; references point to earlier ones."""
        ...
