"""Public reports: the impact of a period, and its votes."""

from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from jara.domain.books.account import (
    FEES,
    GIFTS,
    GRANTS,
    PLEDGES,
    SPLIT_FUNDS,
    AccountType,
    Fund,
    lines_of,
    nearest,
)
from jara.domain.books.balances import ALWAYS, Totals
from jara.domain.books.budget import actual_tenths, promised_tenths, shares_in_tenths
from jara.domain.books.fund_policy import policy_in_force
from jara.domain.books.journal import GIVEN_BACK, EntryKind
from jara.domain.books.overview import cash_at_hand, cash_deployed
from jara.domain.reports.impact import (
    OTHER_COSTS,
    FundFigures,
    ImpactReport,
    LateEntry,
    MonthLine,
    PaperFigures,
    PurposeLine,
    Receipts,
)
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.voting import VotingReport
from jara.domain.time_zone import TimeZone
from jara.records.journal import IncomeFlow
from jara.services.books.balances import totals_of
from jara.services.books.paper_rule import paper_rule
from jara.services.books.tracing import At
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara.services.reports import facts
from jara.services.reports.facts import ReportCut
from jara.services.reports.votes import DatedVote, votes_at
from jara.store.unit_of_work import UnitOfWork

_RECEIPTS = (PLEDGES, GIFTS, GRANTS)
"""The accounts of the kinds of `Receipts`, in its order; the rest is other income."""


def impact_report(
    context: Context, period: ReportPeriod, at: At = None, *, is_public: bool = True
) -> ImpactReport:
    """Report what was received, spent, decided and achieved in a period.

    One that is not public has the titles of projects that are not published.

    Raises:
        InvalidInput: the log was never of that size, or the period has not begun.
    """
    with context.store.read() as work:
        cut = facts.make_cut(work, period, at, today=context.today(), language=context.language)
        identity = read_identity(context, work)
        within = totals_of(work.reporting.sums(cut.within))
        to_date = totals_of(work.reporting.sums(cut.to_date))
        flows = work.reporting.income_flows(cut.within)
        givings = work.reporting.givings(cut.within)
        changemakers = facts.count_changemakers_at(work, cut)
        payees = facts.read_payees(work, cut, is_public=is_public)
        payouts = payees.payouts(work, cut)
        votes = votes_at(work, cut, payouts)
        return ImpactReport(
            organisation=identity.name,
            imprint=identity.imprint,
            period=cut.period,
            time_zone=work.zone.name,
            books=cut.books,
            changemakers=changemakers.count,
            pledged_monthly_cents=changemakers.monthly_cents,
            received=_receipts(flows),
            refunds_cents=sum(flow.cents for flow in flows if _is_return(flow)),
            fees_cents=within.sum_cents(FEES),
            contributions=givings.contributions,
            gifts=givings.gifts,
            givers=givings.givers,
            funds=_fund_lines(work, cut, within, to_date),
            months=_month_lines(cut, flows, work.zone),
            disbursements=tuple(p for p in payouts if p.day >= cut.period.first),
            cash_at_hand_cents=cash_at_hand(to_date),
            cash_deployed_cents=cash_deployed(to_date),
            proposals=tuple(vote.record for vote in votes if _belongs(vote, cut.period, work.zone)),
            projects=facts.project_progress(work, cut, payees, payouts),
            late_entries=_late_entries(work, cut),
            spent=_purposes(within),
            papers=_paper_figures(work, cut),
        )


def voting_report(
    context: Context, period: ReportPeriod, at: At = None, *, is_public: bool = True
) -> VotingReport:
    """Report the votes decided in a period, and those open at its end without their counts.

    One that is not public has the titles of projects that are not published.

    Raises:
        InvalidInput: the log was never of that size, or the period has not begun.
    """
    with context.store.read() as work:
        cut = facts.make_cut(work, period, at, today=context.today(), language=context.language)
        identity = read_identity(context, work)
        payees = facts.read_payees(work, cut, is_public=is_public)
        votes = votes_at(work, cut, payees.payouts(work, cut))
        start = work.zone.start_of(cut.period.first)
        return VotingReport(
            organisation=identity.name,
            imprint=identity.imprint,
            period=cut.period,
            books=cut.books,
            decided=tuple(
                vote.record
                for vote in votes
                if vote.decided_at is not None
                and vote.decided_at >= start
                and vote.record.vote is not None
            ),
            open=tuple(vote.record for vote in votes if vote.decided_at is None),
        )


def list_archive(context: Context) -> list[ReportPeriod]:
    """Return the periods that have a public report: all time, the years, the closed months.

    The current year is included, and so is all time up to its end; newest first.
    """
    with context.store.read() as work:
        first = work.reporting.first_day()
    today = context.today()
    if first is None:
        return []
    years = [
        ReportPeriod(date(year, 1, 1), date(year, 12, 31))
        for year in range(first.year, today.year + 1)
    ]
    begun = first.replace(day=1)
    all_time = [ReportPeriod(begun, years[-1].last)] if len(years) > 1 else []
    months = [
        ReportPeriod(start, _last_day(start))
        for start in _months_between(first, today)
        if _last_day(start) < today
    ]
    return [*all_time, *reversed(years), *reversed(months)]


def _receipts(flows: Iterable[IncomeFlow]) -> Receipts:
    gross: dict[str | None, int] = dict.fromkeys((*_RECEIPTS, None), 0)
    for flow in flows:
        if not _is_return(flow):
            gross[nearest(flow.account, _RECEIPTS)] -= flow.cents
    return Receipts(*gross.values())


def _is_return(flow: IncomeFlow) -> bool:
    # A reversal that brings income back undoes a refund; one that takes it undoes a receipt.
    return flow.kind in GIVEN_BACK or (flow.kind is EntryKind.REVERSAL and flow.is_credit)


def _fund_lines(
    work: UnitOfWork, cut: ReportCut, within: Totals, to_date: Totals
) -> tuple[FundFigures, ...]:
    promised = promised_tenths(within, ALWAYS)
    if not any(promised.values()):
        promised = _promised_by_policy(work, cut.period.end)
        if not promised and not within.rows:
            return ()
    actual = actual_tenths(within, ALWAYS)
    return tuple(
        FundFigures(
            fund=fund,
            received_cents=-_sum(within, fund, AccountType.INCOME),
            spent_cents=_sum(within, fund, AccountType.EXPENSES),
            fees_cents=_sum(within, fund, FEES),
            held_cents=to_date.fund_cents(Fund.COMMITTED) if fund is Fund.PROJECTS else 0,
            promised_tenths=promised.get(fund, 0),
            actual_tenths=actual[fund],
        )
        for fund in SPLIT_FUNDS
    )


def _purposes(within: Totals) -> tuple[PurposeLine, ...]:
    """Return what each fund paid for; purposes that nothing was spent on are left out."""
    lines = [
        PurposeLine(one.label, {fund: _sum(within, fund, one.name) for fund in SPLIT_FUNDS})
        for one in lines_of(AccountType.EXPENSES)
    ]
    rest = {
        fund: _sum(within, fund, AccountType.EXPENSES) - sum(one.by_fund[fund] for one in lines)
        for fund in SPLIT_FUNDS
    }
    lines.append(PurposeLine(OTHER_COSTS, rest))
    return tuple(one for one in lines if any(one.by_fund.values()))


def _paper_figures(work: UnitOfWork, cut: ReportCut) -> PaperFigures | None:
    """Return how much of what was spent has a document, if the organisation asks for them."""
    rule = paper_rule(work)
    if rule is None:
        return None
    period, least = cut.period, max(1, rule.from_cents)
    spends = work.papers.spends(least, period.first, period.end, size=cut.size)
    spent = sum(one.cents for one in spends)
    documented = sum(one.cents for one in spends if one.papers)
    return PaperFigures(rule.from_cents, spent, documented) if spends else None


def _promised_by_policy(work: UnitOfWork, day: date) -> dict[Fund, int]:
    """Return the shares by the policy of a day; empty before the first policy."""
    begun = [policy for policy in work.book_settings.policies() if policy.valid_from <= day]
    return shares_in_tenths(policy_in_force(begun, day).weights) if begun else {}


def _sum(totals: Totals, fund: Fund, account: str) -> int:
    """Sum an account in a fund; committed money counts as projects."""
    cents = totals.sum_cents(account, fund=fund)
    if fund is Fund.PROJECTS:
        cents += totals.sum_cents(account, fund=Fund.COMMITTED)
    return cents


def _month_lines(
    cut: ReportCut, flows: Iterable[IncomeFlow], zone: TimeZone
) -> tuple[MonthLine, ...]:
    """Return the receipts of each month up to the newest entry; later months are left out."""
    gross: defaultdict[tuple[str, str | None], int] = defaultdict(int)
    refunds: defaultdict[str, int] = defaultdict(int)
    for flow in flows:
        if _is_return(flow):
            refunds[flow.month] += flow.cents
        else:
            gross[flow.month, nearest(flow.account, _RECEIPTS)] -= flow.cents
    newest = max([*refunds, *(month for month, _ in gross), _month_of(cut, zone)])
    return tuple(
        MonthLine(start, gross[month, PLEDGES], gross[month, GIFTS], refunds[month])
        for start in _months_between(cut.period.first, cut.period.end)
        for month in (f"{start:%Y-%m}",)
        if month <= newest
    )


def _month_of(cut: ReportCut, zone: TimeZone) -> str:
    """Return the month of the newest entry; empty without entries."""
    return "" if cut.books.at is None else f"{zone.local(cut.books.at):%Y-%m}"


def _months_between(first: date, last: date) -> list[date]:
    begin, end = first.year * 12 + first.month - 1, last.year * 12 + last.month - 1
    return [date(place // 12, place % 12 + 1, 1) for place in range(begin, end + 1)]


def _last_day(first: date) -> date:
    return first.replace(day=monthrange(first.year, first.month)[1])


def _belongs(vote: DatedVote, period: ReportPeriod, zone: TimeZone) -> bool:
    """Whether a vote was open or decided in a period, or money was paid under it."""
    if vote.decided_at is None or vote.decided_at >= zone.start_of(period.first):
        return True
    return any(payout.day >= period.first for payout in vote.record.payouts)


def _late_entries(work: UnitOfWork, cut: ReportCut) -> tuple[LateEntry, ...]:
    late = work.reporting.booked_after(facts.last_second(work.zone, cut.period.end), cut.within)
    return tuple(
        LateEntry(row.entry, row.day, work.zone.day_of(row.booked_at), row.description, row.cents)
        for row in late
    )
