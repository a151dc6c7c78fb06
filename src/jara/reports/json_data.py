"""Reports as data: camelCase keys, cents, ISO dates, shares as percent with one decimal."""

from typing import Any, TypeAlias

from jara.documents import to_document, to_json
from jara.domain.currency import books_currency
from jara.domain.reports.funds import FundsReport
from jara.domain.reports.impact import ImpactReport
from jara.domain.reports.plan import PlanReport
from jara.domain.reports.spending import SpendingReport
from jara.domain.reports.statement import Statement
from jara.domain.reports.voting import VotingReport
from jara.reports.words import iso_instant

Json: TypeAlias = dict[str, Any]


def report_document(
    report: ImpactReport | Statement | FundsReport | VotingReport | SpendingReport | PlanReport,
) -> Json:
    """Return a report as the document that `jara report` prints."""
    if isinstance(report, FundsReport):
        return _funds_document(report)
    return to_document(report, instant=iso_instant)


def _funds_document(report: FundsReport) -> Json:
    return {
        "organisation": report.organisation,
        "period": to_document(report.period),
        "books": to_document(report.books, instant=iso_instant),
        "method": report.method,
        "position": to_json(report.position),
        "netAssetsCents": report.closing_cents,
        "priorNetAssetsCents": report.prior_net_assets_cents,
        "operations": to_json(report.operations),
        "changesInNetAssets": to_json(report.net_assets),
        "cashFlows": to_json(report.cash_flows),
        "openingCashCents": report.opening_cash_cents,
        "closingCashCents": report.closing_cash_cents,
        "commitments": to_json(report.commitments),
        "changemakersAreMembers": report.changemakers_are_members,
        "rate": None
        if report.rate is None
        else {
            f"cadPer{books_currency().capitalize()}": _rate_text(report.rate.ten_thousandths),
            "source": report.rate.source,
        },
        "sizeLines": _size_lines(report),
        "informationReturn": to_document(report.information_return),
        "approvedBy": report.approved_by,
    }


def _size_lines(report: FundsReport) -> list[Json]:
    return [
        {
            "measure": line.measure,
            f"{books_currency().lower()}Cents": cents,
            "cadCents": cad,
            "aboveCadCents": line.above_cents,
            "isReached": None if cad is None else cad > line.above_cents,
            "consequence": line.consequence,
            "source": line.source,
            "since": line.since.isoformat(),
        }
        for line, cents, cad in report.measured_lines()
    ]


def _rate_text(ten_thousandths: int) -> str:
    whole, rest = divmod(ten_thousandths, 10_000)
    return f"{whole}.{rest:04d}"
