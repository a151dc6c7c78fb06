"""Ports of the books' settings: commitments, accounts, policies, closed years."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

from jara.domain.books.account import ChartOfAccounts
from jara.domain.books.commitment import Commitment
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.books.overview import FixedCost


class CommitmentRecord(NamedTuple):
    """The commitment to a passed proposal, and when it was decided."""

    commitment: Commitment
    decided_at: datetime


class CommitmentRepository(Protocol):
    """Money committed to passed proposals."""

    def get(self, proposal: str) -> CommitmentRecord | None:
        """Return a proposal's commitment."""
        ...

    def put(self, record: CommitmentRecord) -> None:
        """Add or update a commitment."""
        ...

    def all(self) -> list[CommitmentRecord]:
        """Return every commitment, in order of decision."""
        ...


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


class BookSettingsRepository(Protocol):
    """Chart of accounts, fund policies, fixed costs, locked years."""

    def chart(self) -> ChartOfAccounts:
        """Return the chart of accounts."""
        ...

    def accounts(self) -> list[tuple[str, str, str]]:
        """Return (name, type, meaning) of every account, by name."""
        ...

    def put_account(self, name: str, *, kind: str, meaning: str) -> None:
        """Add an account, or change its meaning."""
        ...

    def policies(self) -> list[FundPolicy]:
        """Return every fund policy in log order."""
        ...

    def add_policy(self, policy: FundPolicy, *, log_index: int) -> None:
        """Store a policy that is in the log."""
        ...

    def fixed_costs(self) -> list[FixedCostLine]:
        """Return the lines of the fixed-cost budget."""
        ...

    def put_fixed_cost(self, line: FixedCostLine) -> None:
        """Add or replace a line."""
        ...

    def remove_fixed_cost(self, line_id: str) -> bool:
        """Remove a line; return whether it was there."""
        ...

    def ways(self) -> list[WaySetting]:
        """Return the ways to pay other than card, by name."""
        ...

    def put_way(self, setting: WaySetting) -> None:
        """Add or replace a way to pay."""
        ...

    def remove_way(self, way: str) -> bool:
        """Remove a way to pay; return whether it was there."""
        ...

    def locked_years(self) -> list[YearLock]:
        """Return the closed years, oldest first."""
        ...

    def lock_year(self, lock: YearLock) -> None:
        """Close a year."""
        ...

    def unlock_year(self, year: int) -> bool:
        """Reopen a year; return whether it was closed."""
        ...
