"""Balances: sums of the stored totals per account, fund and month."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from jara.domain.books.account import AccountType, Fund
from jara.domain.books.journal import JournalEntry

Cell = tuple[str, Fund, str]
"""Account, fund and month (``YYYY-MM``): the key of a total."""


class Total(NamedTuple):
    """The sum of all postings on one account and fund in one month, in cents."""

    account: str
    fund: Fund
    month: str
    cents: int


_LATEST = "~"
"""Sorts after every month."""


@dataclass(frozen=True, slots=True)
class Period:
    """Months from first to last, both included; an open end is None."""

    first: str | None = None
    last: str | None = None

    @classmethod
    def of_year(cls, year: int) -> "Period":
        """Return January to December of a year."""
        return cls(f"{year:04d}-01", f"{year:04d}-12")

    @classmethod
    def before_year(cls, year: int) -> "Period":
        """Return everything up to the end of the year before."""
        return cls(None, f"{year - 1:04d}-12")

    def __contains__(self, month: str) -> bool:
        return (self.first or "") <= month <= (self.last or _LATEST)


ALWAYS = Period()
"""All months in the totals."""


class Totals(NamedTuple):
    """The totals of the books at one instant."""

    rows: tuple[Total, ...]

    @classmethod
    def of(cls, rows: Iterable[Total]) -> "Totals":
        """Wrap the store's rows."""
        return cls(tuple(rows))

    @classmethod
    def of_entries(cls, entries: Iterable[JournalEntry]) -> "Totals":
        """Sum entries, as the store does when it writes them."""
        sums = sum_by_cell(entries)
        return cls(tuple(Total(*cell, cents) for cell, cents in sums.items() if cents))

    def sum_cents(self, *accounts: str, fund: Fund | None = None, period: Period = ALWAYS) -> int:
        """Sum accounts and their subaccounts, in one fund or in all; debit is positive.

        Accounts are names or prefixes such as ``assets`` or ``expenses:projects``.
        """
        # A budget calls this about fifty times, so it scans the rows once; prefixes end in ":".
        below = tuple(f"{account}:" for account in accounts)
        return sum(
            row.cents
            for row in self.rows
            if (fund is None or row.fund is fund)
            and f"{row.account}:".startswith(below)
            and row.month in period
        )

    def fund_cents(self, fund: Fund) -> int:
        """Return what the fund may spend: its assets less its liabilities."""
        return self.sum_cents(AccountType.ASSETS, AccountType.LIABILITIES, fund=fund)


def sum_by_cell(entries: Iterable[JournalEntry]) -> dict[Cell, int]:
    """Sum the postings of entries per account, fund and month."""
    sums: Counter[Cell] = Counter()
    for entry in entries:
        month = f"{entry.day:%Y-%m}"
        for posting in entry.postings:
            sums[posting.account, posting.fund, month] += posting.cents
    return dict(sums)
