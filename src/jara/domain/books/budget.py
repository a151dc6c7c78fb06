"""The budget of a year per fund and in total: available, allocated, unallocated."""

from collections.abc import Mapping
from typing import NamedTuple

from jara.domain.books import account
from jara.domain.books.account import AccountType, Fund
from jara.domain.books.balances import Period, Totals

_PERCENT_TENTHS = 1000
"""100.0 percent, in tenths of a percent."""


class YearFigures(NamedTuple):
    """The year of one fund or of all funds, in cents."""

    opening: int  # assets less liabilities at the start of the year or of the books
    received: int  # income of the year, net of refunds and disputes
    transfers: int  # transfers in less transfers out; 0 for all funds
    spent: int  # expenses of the year, net of reversals
    held: int  # committed but not yet paid, at the end of the year or now

    @property
    def available(self) -> int:
        """Opening balance, income and transfers."""
        return self.opening + self.received + self.transfers

    @property
    def allocated(self) -> int:
        """The part that is spent or held for passed proposals."""
        return self.spent + self.held

    @property
    def unallocated(self) -> int:
        """The rest; negative while a fund is overdrawn."""
        return self.available - self.allocated


class FundYear(NamedTuple):
    """A fund's year, with its promised and its actual share in tenths of a percent."""

    fund: Fund
    figures: YearFigures
    promised_tenths: int
    actual_tenths: int


class YearBudget(NamedTuple):
    """A year of the books: each fund in order, and all together."""

    year: int
    total: YearFigures
    funds: tuple[FundYear, ...]


def budget_of_year(totals: Totals, year: int) -> YearBudget:
    """Compute a year's budget from totals up to an instant."""
    figures = {fund: _figures(totals, year, fund) for fund in Fund}
    promised = promised_tenths(totals, Period.of_year(year))
    actual = actual_tenths(totals, Period.of_year(year))
    return YearBudget(
        year=year,
        total=_sum_of(figures),
        funds=tuple(FundYear(fund, figures[fund], promised[fund], actual[fund]) for fund in Fund),
    )


def total_of_year(totals: Totals, year: int) -> YearFigures:
    """Compute a year of all funds together."""
    return _figures(totals, year, None)


def promised_tenths(totals: Totals, period: Period) -> dict[Fund, int]:
    """Return each fund's share of a period's pledge payments."""
    return shares_in_tenths(
        {fund: -totals.sum_cents(account.PLEDGES, fund=fund, period=period) for fund in Fund}
    )


def actual_tenths(totals: Totals, period: Period) -> dict[Fund, int]:
    """Return each fund's share of the money spent or set aside in a period, without card fees.

    Money counts for projects when a passed vote sets it aside, and not again when it is paid.
    """
    spent = {
        fund: totals.sum_cents(AccountType.EXPENSES, fund=fund, period=period)
        - totals.sum_cents(account.FEES, fund=fund, period=period)
        + totals.sum_cents(account.BANK_FEES, fund=fund, period=period)
        for fund in Fund
    }
    set_aside = -totals.sum_cents(account.TRANSFERS, fund=Fund.COMMITTED, period=period)
    spent[Fund.PROJECTS] = max(0, spent[Fund.PROJECTS] + set_aside)
    spent[Fund.COMMITTED] = 0
    return shares_in_tenths(spent)


def shares_in_tenths(amounts: Mapping[Fund, int]) -> dict[Fund, int]:
    """Return shares in tenths of a percent that sum to exactly 100.0.

    Largest remainder method, ties to the earlier fund. All shares are 0 if the amounts
    sum to 0 or less.
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
        - totals.sum_cents(account.OPENING, fund=fund, period=this_year),
        received=-totals.sum_cents(AccountType.INCOME, fund=fund, period=this_year),
        transfers=-totals.sum_cents(account.TRANSFERS, fund=fund, period=this_year),
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
