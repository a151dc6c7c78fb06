"""Sums of balances that the tests compare."""

from __future__ import annotations

from collections import Counter

from jara.domain.books.account import AccountType, Fund, is_below
from jara.domain.books.balances import Totals


def by_account(totals: Totals) -> dict[str, int]:
    """Return each account's own balance, by name."""
    sums: Counter[str] = Counter()
    for row in totals.rows:
        sums[row.account] += row.cents
    return dict(sorted(sums.items()))


def cells_of(totals: Totals, fund: Fund) -> dict[str, int]:
    """Return a fund's balance on each asset account, by name."""
    sums: Counter[str] = Counter()
    for row in totals.rows:
        if row.fund is fund and is_below(row.account, AccountType.ASSETS):
            sums[row.account] += row.cents
    return dict(sorted(sums.items()))


def fund_totals(totals: Totals) -> dict[Fund, int]:
    """Return what each fund may spend, in the funds' order."""
    return {fund: totals.fund_cents(fund) for fund in Fund}
