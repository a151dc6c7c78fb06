"""The facts of the plan report."""

from collections.abc import Iterator
from datetime import date

from jara.domain.books.account import AccountType, account_of, account_type
from jara.domain.books.plan import Place, compare_plan, forecast
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.plan import PlanReport, PlanRow
from jara.domain.texts import tr
from jara.services.books.balances import totals_of
from jara.services.books.plans import Plan, public_plan, read_plan
from jara.services.books.tracing import At
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara.services.reports.facts import Payees, ReportCut, make_cut, read_payees
from jara.store.unit_of_work import UnitOfWork

_TENTHS = 1000


def plan_report(
    context: Context, year: int, at: At = None, *, version: int | None = None
) -> PlanReport:
    """Compare a year's plan, by default its newest version, with the books.

    Raises:
        NotFound: there is no such plan.
        InvalidInput: the log was never of that size, or the year has not begun.
    """
    with context.store.read() as work:
        plan = read_plan(work, year, version)
        cut = make_cut(work, _year(year), at, today=context.today(), language=context.language)
        return _report(context, work, plan, cut)


def public_plan_rows(context: Context, year: int) -> tuple[PlanRow, ...]:
    """Return the plan of a year that members see, beside the books; empty without one."""
    if year > context.today().year:
        return ()
    with context.store.read() as work:
        plan = public_plan(work, year)
        if plan is None:
            return ()
        cut = make_cut(work, _year(year), today=context.today(), language=context.language)
        return _report(context, work, plan, cut, is_public=True).rows


def _report(
    context: Context, work: UnitOfWork, plan: Plan, cut: ReportCut, *, is_public: bool = False
) -> PlanReport:
    identity = read_identity(context, work)
    first, until, last = cut.period.first, cut.period.end, cut.period.last
    gone, days = (until - first).days + 1, (last - first).days + 1
    rows = _rows(plan, work, cut, read_payees(work, cut, is_public=is_public))
    return PlanReport(
        organisation=identity.name,
        imprint=identity.imprint,
        period=cut.period,
        books=cut.books,
        version=plan.record.version,
        versions=len(work.plans.of_year(plan.record.year)),
        decided_on=plan.record.decided_on,
        minutes=plan.record.minutes,
        gone_tenths=gone * _TENTHS // days,
        rows=tuple(sorted(rows, key=_order)),
    )


def _year(year: int) -> ReportPeriod:
    return ReportPeriod(date(year, 1, 1), date(year, 12, 31))


def _rows(plan: Plan, work: UnitOfWork, cut: ReportCut, payees: Payees) -> Iterator[PlanRow]:
    period = cut.period
    totals = totals_of(work.reporting.sums(cut.to_date))
    sums = compare_plan(plan.lines, totals.rows, plan.record.year)

    def row(place: Place, planned: int | None, actual: int) -> PlanRow:
        comes_to = forecast(actual, first=period.first, until=period.end, last=period.last)
        section = str(account_type(place.account))
        label = _title(place.account, payees)
        return PlanRow(section, label, place.account, place.fund, planned, actual, comes_to)

    for place, planned in sums.planned.items():
        yield row(place, planned, sums.actual.get(place, 0))
    for place, actual in sorted(sums.unplanned.items()):
        if actual:
            yield row(place, None, actual)


def _order(row: PlanRow) -> tuple[bool, bool]:
    return row.section != AccountType.INCOME, row.planned_cents is None


def _title(account: str, payees: Payees) -> str:
    """Return the title of an account: that of its payee, or of the chart."""
    known = account_of(account)
    is_ours = known is not None and known.name == account
    return tr(known.label) if known is not None and is_ours else payees.title_of(account)
