"""Settings of the books: commitments, fixed costs, closed years, ways to pay."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from jara.domain.books.commitment import Commitment
from jara.domain.books.overview import FixedCost


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
