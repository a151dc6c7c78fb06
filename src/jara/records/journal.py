"""Queries of the journal, the lines they return, the sums of reports, and settings of the books."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import EntryKind, Foreign, PostedEntry
from jara.domain.books.overview import FixedCost


class EntryQuery(NamedTuple):
    """Which entries to list: all conditions hold together."""

    first_day: date | None = None
    last_day: date | None = None
    kinds: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """The description, the reference or the id contains one of these."""
    accounts: tuple[str, ...] = ()
    """With texts: also match entries on one of these accounts or below."""
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


class Cut(NamedTuple):
    """The entries that a figure includes."""

    last: date  # the last day, included
    size: int | None = None  # only entries below this log size; None for all
    first: date | None = None  # the first day; None from the beginning


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


class Return(NamedTuple):
    """An entry that takes a payment back, wholly or in part; negative cents come back to us.

    ``payment`` and ``entry`` are log indexes. A payment that is reversed was a mistake.
    """

    payment: int
    entry: int
    kind: str
    cents: int
    is_mistake: bool = False


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


class CommitmentRecord(NamedTuple):
    """The commitment to a passed proposal, and when it was decided."""

    commitment: Commitment
    decided_at: datetime


class FixedCostLine(NamedTuple):
    """A line of the monthly fixed-cost budget, with its id."""

    id: str
    cost: FixedCost


class YearLock(NamedTuple):
    """A closed year: its closing balances, and the log head at that time."""

    year: int
    locked_at: datetime
    log_size: int
    root: str
    balances: Mapping[str, int]


class WaySetting(NamedTuple):
    """A way to pay: the account that gets the money, and instructions for payers.

    Transfers also have the bank account, its holder, and whether it accepts euros.
    """

    way: str
    ledger: str
    details: str
    iban: str = ""
    holder: str = ""
    takes_euro: bool = False


class PlanRecord(NamedTuple):
    """A version of a year's plan."""

    year: int  # the calendar year
    version: int  # 1 for the first
    decided_on: date | None  # the day of the decision, if it is known
    minutes: str  # the SHA-256 of the document that decided it; empty without one
    imported_by: str  # the operator
    imported_at: datetime
    published_at: datetime | None = None  # since when members see it; None if they do not
