"""The yearly financial statements by fund."""

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import NamedTuple

from jara.domain.books.account import (
    ACCOUNTS,
    CLAIMS,
    GIFTS,
    GRANTS,
    OPENING,
    PLEDGES,
    STAFF,
    SUSPENSE,
    AccountType,
    Fund,
    is_below,
    lines_of,
)
from jara.domain.books.balances import Period, Totals
from jara.domain.books.budget import YearFigures, budget_of_year
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.reports.funds import (
    CANADIAN,
    CanadianRate,
    CashFlowLine,
    FundsReport,
    InformationReturn,
    NetAssetsLine,
    OperationsLine,
    PositionLine,
)
from jara.domain.reports.impact import OTHER_COSTS
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.voting import ProposalRecord
from jara.services.books.balances import totals_of
from jara.services.books.tracing import At
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara.services.reports.facts import ReportCut, make_cut, read_payees
from jara.services.reports.votes import votes_at
from jara.store.unit_of_work import UnitOfWork

_FLOWS = (
    (AccountType.INCOME.value, "Received, net of refunds"),
    *((account.name, account.flow) for account in ACCOUNTS if account.flow),
)
OTHER_LINES = {
    AccountType.ASSETS: "Other assets",
    AccountType.INCOME: "Other income",
    AccountType.EXPENSES: OTHER_COSTS,
}
"""The names of the accounts of a type that have no line of their own."""
_Sum = Callable[..., int]
_RESTRICTIONS = {
    Fund.PROJECTS: "external",
    Fund.STAFF: "internal",
    Fund.MARKETING: "internal",
    Fund.OTHER: "unrestricted",
    Fund.COMMITTED: "external",
}


class FilingFacts(NamedTuple):
    """Facts of the statements that are not in the books."""

    method: str = "restricted fund method"  # how restricted contributions are accounted for
    changemakers_are_members: bool = False  # whether a changemaker is a member in the Act's sense
    filed_before: bool = False  # whether form T1044 was filed for an earlier year
    rate: CanadianRate | None = None
    """Canadian dollars for one of the books, with its source; None if they are in CAD."""
    approved_by: str = ""  # the director who signed


def funds_report(
    context: Context, year: int, at: At = None, *, facts: FilingFacts | None = None
) -> FundsReport:
    """Report the financial position, operations, net assets and cash flows of a year.

    Raises:
        InvalidInput: the log was never of that size, or the year has not begun.
    """
    facts = facts or FilingFacts()
    period = ReportPeriod(date(year, 1, 1), date(year, 12, 31))
    with context.store.read() as work:
        if facts.rate is not None and books_currency() == CANADIAN:
            raise InvalidInput("The books are in CAD; a rate of Canadian dollars is not needed.")
        cut = make_cut(work, period, at, today=context.today(), language=context.language)
        identity = read_identity(context, work)
        totals = totals_of(work.reporting.sums(cut.to_date))
        net_assets = _net_assets(totals, year)
        before = Period.before_year(year)
        return FundsReport(
            organisation=identity.name,
            imprint=identity.imprint,
            period=cut.period,
            books=cut.books,
            method=facts.method,
            position=_position(totals, year),
            operations=_operations(totals, year),
            net_assets=net_assets,
            prior_net_assets_cents=totals.sum_cents(
                AccountType.ASSETS, AccountType.LIABILITIES, period=before
            ),
            cash_flows=_cash_flows(totals, year),
            opening_cash_cents=_opening_cash(totals, year),
            prior_opening_cash_cents=_opening_cash(totals, year - 1),
            commitments=_commitments(work, cut),
            measures=_measures(totals, year, facts),
            information_return=_information_return(totals, year, facts),
            changemakers_are_members=facts.changemakers_are_members,
            rate=facts.rate,
            approved_by=facts.approved_by,
        )


def _position(totals: Totals, year: int) -> tuple[PositionLine, ...]:
    now, before = Period(None, f"{year:04d}-12"), Period.before_year(year)
    lines = [
        PositionLine("assets", label, sum_of(now), sum_of(before))
        for label, sum_of in _lines(totals, AccountType.ASSETS)
    ]
    labels = {one.name: one.label for one in lines_of(AccountType.LIABILITIES)}
    owed, last = (
        PositionLine("liabilities", label, -sum_of(now), -sum_of(before))
        for label, sum_of in (
            (labels[CLAIMS], partial(_sum, totals, CLAIMS)),
            (labels[SUSPENSE], partial(_rest, totals, AccountType.LIABILITIES, [CLAIMS])),
        )
    )
    bank, *others = lines
    kept = [line for line in [*others, owed] if line.cents or line.prior_cents]
    return (bank, *kept, last)


def _operations(totals: Totals, year: int) -> tuple[OperationsLine, ...]:
    this, last = Period.of_year(year), Period.of_year(year - 1)
    lines = [
        OperationsLine(
            section, label, {fund: sign * sum_of(this, fund) for fund in Fund}, sign * sum_of(last)
        )
        for section, kind, sign in (
            ("revenue", AccountType.INCOME, -1),
            ("expenses", AccountType.EXPENSES, 1),
        )
        for label, sum_of in _lines(totals, kind)
    ]
    return tuple(line for line in lines if any(line.by_fund.values()) or line.prior_cents)


def _lines(totals: Totals, kind: AccountType) -> Iterator[tuple[str, _Sum]]:
    """Yield the label of each line of a type of account, and what sums it up in a period."""
    named = lines_of(kind)
    for account in named:
        yield account.label, partial(_sum, totals, account.name)
    yield OTHER_LINES[kind], partial(_rest, totals, kind, [account.name for account in named])


def _sum(totals: Totals, account: str, period: Period, fund: Fund | None = None) -> int:
    return totals.sum_cents(account, fund=fund, period=period)


def _net_assets(totals: Totals, year: int) -> tuple[NetAssetsLine, ...]:
    budget = budget_of_year(totals, year)
    return tuple(
        _net_assets_line(line.fund, line.figures)
        for line in budget.funds
        if line.fund is not Fund.COMMITTED or _has_figures(line.figures)
    )


def _net_assets_line(fund: Fund, figures: YearFigures) -> NetAssetsLine:
    return NetAssetsLine(
        fund,
        _RESTRICTIONS[fund],
        opening_cents=figures.opening,
        revenue_cents=figures.received,
        expenses_cents=figures.spent,
        transfers_cents=figures.transfers,
    )


def _has_figures(figures: YearFigures) -> bool:
    return any((figures.opening, figures.received, figures.transfers, figures.spent))


def _cash_flows(totals: Totals, year: int) -> tuple[CashFlowLine, ...]:
    """Explain the change in cash by the other accounts, since entries balance."""
    this, last = Period.of_year(year), Period.of_year(year - 1)
    named = [account for account, _ in _FLOWS]
    sums = [(label, partial(_sum, totals, account)) for account, label in _FLOWS]
    unresolved = partial(_rest, totals, AccountType.LIABILITIES, [CLAIMS])
    sums.append(("Received and not yet resolved", unresolved))
    sums.append(("Other payments", partial(_rest, totals, AccountType.EXPENSES, named)))
    lines = [CashFlowLine(label, -sum_of(this), -sum_of(last)) for label, sum_of in sums]
    return tuple(line for line in lines if line.cents or line.prior_cents)


def _opening_cash(totals: Totals, year: int) -> int:
    """Return the cash at the start of a year, or of the books if they began in it."""
    return totals.sum_cents(AccountType.ASSETS, period=Period.before_year(year)) - totals.sum_cents(
        OPENING, period=Period.of_year(year)
    )


def _commitments(work: UnitOfWork, cut: ReportCut) -> tuple[ProposalRecord, ...]:
    votes = votes_at(work, cut, read_payees(work, cut).payouts(work, cut))
    return tuple(
        vote.record for vote in votes if vote.record.held_cents or vote.record.queued_cents
    )


def _measures(totals: Totals, year: int, facts: FilingFacts) -> dict[str, int]:
    period = Period.of_year(year)
    gross = -totals.sum_cents(AccountType.INCOME, period=period)
    pledges = -totals.sum_cents(PLEDGES, period=period)
    return {
        "grossRevenue": gross,
        "publicSources": gross - pledges if facts.changemakers_are_members else gross,
        "investmentIncome": -totals.sum_cents("income:interest", period=period),
        "totalAssetsBefore": totals.sum_cents(AccountType.ASSETS, period=Period.before_year(year)),
    }


def _information_return(totals: Totals, year: int, facts: FilingFacts) -> InformationReturn:
    this, until = Period.of_year(year), Period(None, f"{year:04d}-12")
    received = {
        "pledges": -totals.sum_cents(PLEDGES, period=this),
        "gifts": -totals.sum_cents(GIFTS, period=this),
        "grants": -totals.sum_cents(GRANTS, period=this),
        "other": -_rest(totals, AccountType.INCOME, [PLEDGES, GIFTS, GRANTS], this),
    }
    return InformationReturn(
        received_by_kind=received,
        total_assets_cents=totals.sum_cents(AccountType.ASSETS, period=until),
        total_liabilities_cents=-totals.sum_cents(AccountType.LIABILITIES, period=until),
        staff_pay_cents=totals.sum_cents(STAFF, period=this),
        directors_pay_cents=totals.sum_cents("expenses:directors", period=this),
        filed_before=facts.filed_before,
    )


def _rest(
    totals: Totals, kind: AccountType, named: list[str], period: Period, fund: Fund | None = None
) -> int:
    """Sum the accounts of a type that have no line of their own."""
    below = [account for account in named if is_below(account, kind)]
    everything = totals.sum_cents(kind, fund=fund, period=period)
    return everything - totals.sum_cents(*below, fund=fund, period=period)
