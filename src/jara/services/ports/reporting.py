"""Port of the reports: sums over the books, cut by day and by the size of the log."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple, Protocol

from jara.domain.books.journal import EntryKind, Foreign
from jara.services.ports.journal import BalanceRow


class Cut(NamedTuple):
    """The entries that a figure includes.

    Args:
        last: the last day, included.
        size: only entries below this log size; None for all.
        first: the first day; None from the beginning.
    """

    last: date
    size: int | None = None
    first: date | None = None


class IncomeFlow(NamedTuple):
    """Income (negative) or refunds of one kind of entry on an account in a month."""

    kind: EntryKind
    account: str
    month: str
    is_credit: bool
    cents: int


class Givings(NamedTuple):
    """The number of pledge payments, of gifts, and of givers."""

    contributions: int
    gifts: int
    givers: int


@dataclass(frozen=True, slots=True)
class AccountMovement:
    """One entry's movement on an account, over all funds."""

    index: int
    entry: str
    day: date
    account: str
    cents: int
    reference: str | None
    foreign: Foreign | None = None


class LateRow(NamedTuple):
    """An entry that was booked after an instant; `cents` is its movement of our money."""

    entry: str
    day: date
    booked_at: datetime
    description: str
    cents: int


class HeldFunds(NamedTuple):
    """The movement into (positive) or out of `committed`, for one kind and proposal."""

    proposal: str
    kind: EntryKind
    cents: int


class ReportingRepository(Protocol):
    """Sums over the books, for reports."""

    def size_at(self, instant: datetime) -> int | None:
        """Return the log index of the first entry booked after an instant, if there is one."""
        ...

    def booked_next(self, size: int) -> datetime | None:
        """Return when the first entry at or after a log size was booked, if there is one."""
        ...

    def first_day(self) -> date | None:
        """Return the day of the oldest entry."""
        ...

    def sums(self, cut: Cut) -> list[BalanceRow]:
        """Return the sums per account, fund and month."""
        ...

    def income_flows(self, cut: Cut) -> list[IncomeFlow]:
        """Return income and refunds on income accounts, by kind of entry."""
        ...

    def givings(self, cut: Cut) -> Givings:
        """Count payments and givers; each gift without a key counts as one giver."""
        ...

    def movements_below(self, parents: Collection[str], cut: Cut) -> list[AccountMovement]:
        """Return each entry's movement on accounts below some parents, oldest first."""
        ...

    def booked_after(self, instant: datetime, cut: Cut) -> list[LateRow]:
        """Return the entries booked after an instant, oldest first."""
        ...

    def held_funds(self, proposals: Collection[str], cut: Cut) -> list[HeldFunds]:
        """Return the movements into and out of `committed` for some proposals."""
        ...

    def day_of_payer(self, count: int) -> date | None:
        """Return the day of the first monthly payment of the ``count``-th person, or None."""
        ...

    def qualifying_members(self, cut: Cut) -> set[str]:
        """Return the keys of members with a pledge payment that qualified at the cut."""
        ...

    def reversed_among(self, indexes: Collection[int], cut: Cut) -> set[int]:
        """Return the log indexes of the entries reversed within the cut."""
        ...

    def returned_cents(self, indexes: Collection[int], cut: Cut) -> dict[int, int]:
        """Return the amount returned of each payment within the cut, by log index."""
        ...
