"""A year's money per fund and in all: available, allocated, unallocated (money §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jara.domain.books.account import (
    FEE_TAX,
    FEES,
    OPENING,
    PLEDGES,
    TRANSFERS,
    AccountType,
    Fund,
)
from jara.domain.books.balances import Period, Totals

_PERCENT_TENTHS = 1000
"""100.0 percent, in tenths of a percent."""


@dataclass(frozen=True, slots=True)
class YearFigures:
    """What one fund, or all of them, had, got, gave and promised in a year, in cents.

    Args:
        opening: assets less liabilities when the year began, or the books did.
        received: income of the year, net of refunds and disputes.
        transfers: into the fund less out of it; 0 in all.
        spent: expenses of the year, net of reversals.
        held: committed and not yet paid, at the end of the year or now.
    """

    opening: int
    received: int
    transfers: int
    spent: int
    held: int

    @property
    def available(self) -> int:
        """What there was to use: opening, received and transferred in."""
        return self.opening + self.received + self.transfers

    @property
    def allocated(self) -> int:
        """What of it was spent or is held for passed proposals."""
        return self.spent + self.held

    @property
    def unallocated(self) -> int:
        """What is left; negative while a fund is overdrawn."""
        return self.available - self.allocated


@dataclass(frozen=True, slots=True)
class FundYear:
    """A fund's year, with its promised and its actual share in tenths of a percent."""

    fund: Fund
    figures: YearFigures
    promised_tenths: int
    actual_tenths: int


@dataclass(frozen=True, slots=True)
class YearBudget:
    """A year of the books: each fund in order, and all together."""

    year: int
    total: YearFigures
    funds: tuple[FundYear, ...]


def budget_of_year(totals: Totals, year: int) -> YearBudget:
    """Work out a year's budget; the totals end at the instant the figures are for."""
    figures = {fund: _figures(totals, year, fund) for fund in Fund}
    promised = promised_tenths(totals, Period.of_year(year))
    actual = actual_tenths(totals, Period.of_year(year))
    return YearBudget(
        year=year,
        total=_sum_of(figures),
        funds=tuple(FundYear(fund, figures[fund], promised[fund], actual[fund]) for fund in Fund),
    )


def total_of_year(totals: Totals, year: int) -> YearFigures:
    """Work out a year of all funds together, without looking at each of them."""
    return _figures(totals, year, None)


def promised_tenths(totals: Totals, period: Period) -> dict[Fund, int]:
    """Return each fund's share of a period's contributions, as the split gave them."""
    return shares_in_tenths(
        {fund: -totals.own_cents(PLEDGES, fund=fund, period=period) for fund in Fund}
    )


def actual_tenths(totals: Totals, period: Period) -> dict[Fund, int]:
    """Return each fund's share of what a period spent, card fees apart.

    What is paid from ``committed`` was promised to projects and counts with them.
    """
    spent = {
        fund: totals.sum_cents(AccountType.EXPENSES, fund=fund, period=period)
        - totals.own_cents(FEES, FEE_TAX, fund=fund, period=period)
        for fund in Fund
    }
    spent[Fund.PROJECTS] += spent[Fund.COMMITTED]
    spent[Fund.COMMITTED] = 0
    return shares_in_tenths(spent)


def shares_in_tenths(amounts: Mapping[Fund, int]) -> dict[Fund, int]:
    """Return shares in tenths of a percent which make 100.0 exactly.

    The largest remainders get what rounding down leaves, ties to the earlier fund. Where
    the amounts come to nothing there are no shares, and all are 0.
    """
    total = sum(amounts.values())
    if total <= 0:
        return dict.fromkeys(amounts, 0)
    shares = {fund: amount * _PERCENT_TENTHS // total for fund, amount in amounts.items()}
    missing = _PERCENT_TENTHS - sum(shares.values())
    by_remainder = sorted(
        amounts, key=lambda fund: (-(amounts[fund] * _PERCENT_TENTHS % total), fund.position)
    )
    for fund in by_remainder[:missing]:
        shares[fund] += 1
    return shares


def _figures(totals: Totals, year: int, fund: Fund | None) -> YearFigures:
    this_year, until_end = Period.of_year(year), Period(None, f"{year:04d}-12")
    net_assets = (AccountType.ASSETS, AccountType.LIABILITIES)
    return YearFigures(
        opening=totals.sum_cents(*net_assets, fund=fund, period=Period.before_year(year))
        - totals.sum_cents(OPENING, fund=fund, period=this_year),
        received=-totals.sum_cents(AccountType.INCOME, fund=fund, period=this_year),
        transfers=-totals.sum_cents(TRANSFERS, fund=fund, period=this_year),
        spent=totals.sum_cents(AccountType.EXPENSES, fund=fund, period=this_year),
        held=totals.sum_cents(*net_assets, fund=Fund.COMMITTED, period=until_end)
        if fund in {None, Fund.COMMITTED}
        else 0,
    )


def _sum_of(figures: Mapping[Fund, YearFigures]) -> YearFigures:
    years = figures.values()
    return YearFigures(
        opening=sum(year.opening for year in years),
        received=sum(year.received for year in years),
        transfers=sum(year.transfers for year in years),
        spent=sum(year.spent for year in years),
        held=sum(year.held for year in years),
    )
