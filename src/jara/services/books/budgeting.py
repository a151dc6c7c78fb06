"""A year's budget, from the maintained totals."""

from __future__ import annotations

from collections.abc import Iterable

from jara.domain.books.balances import Total, Totals
from jara.domain.books.budget import YearBudget, budget_of_year
from jara.services.context import Context
from jara.services.ports.journal import BalanceRow


def read_budget(context: Context, year: int) -> YearBudget:
    """Return a year's budget per fund and in all (money §9)."""
    with context.store.read() as work:
        return budget_of_year(totals_of(work.journal.balances(by_month=True)), year)


def totals_of(rows: Iterable[BalanceRow]) -> Totals:
    """Return the sums of the store as the core adds them up."""
    return Totals.of(Total(row.account, row.fund, row.month or "", row.cents) for row in rows)
