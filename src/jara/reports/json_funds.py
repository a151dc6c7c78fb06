"""The yearly statements as data."""

from __future__ import annotations

from jara.domain.reports.funds import FundsReport, NetAssetsLine, OperationsLine, PositionLine
from jara.reports.json_data import Json, books_data, day_data, period_data, proposal_data


def funds_document(report: FundsReport) -> Json:
    """Return the statements of one year as data."""
    form = report.information_return
    return {
        "organisation": report.organisation,
        "period": period_data(report.period),
        "books": books_data(report.books),
        "method": report.method,
        "position": [_position(line) for line in report.position],
        "netAssetsCents": report.closing_cents,
        "priorNetAssetsCents": report.prior_net_assets_cents,
        "operations": [_operations(line) for line in report.operations],
        "changesInNetAssets": [_net_assets(line) for line in report.net_assets],
        "cashFlows": [
            {"label": line.label, "cents": line.cents, "priorCents": line.prior_cents}
            for line in report.cash_flows
        ],
        "openingCashCents": report.opening_cash_cents,
        "closingCashCents": report.closing_cash_cents,
        "commitments": [proposal_data(record) for record in report.commitments],
        "changemakersAreMembers": report.changemakers_are_members,
        "rate": None
        if report.rate is None
        else {
            "cadPerUsd": _rate_text(report.rate.ten_thousandths),
            "source": report.rate.source,
        },
        "sizeLines": _size_lines(report),
        "informationReturn": {
            "receivedCents": dict(form.received_by_kind),
            "totalAssetsCents": form.total_assets_cents,
            "totalLiabilitiesCents": form.total_liabilities_cents,
            "staffPayCents": form.staff_pay_cents,
            "directorsPayCents": form.directors_pay_cents,
            "filedBefore": form.filed_before,
        },
        "approvedBy": report.approved_by,
    }


def _size_lines(report: FundsReport) -> list[Json]:
    return [
        {
            "measure": line.measure,
            "usdCents": usd,
            "cadCents": cad,
            "aboveCadCents": line.above_cents,
            "isReached": None if cad is None else cad > line.above_cents,
            "consequence": line.consequence,
            "source": line.source,
            "since": day_data(line.since),
        }
        for line, usd, cad in report.measured_lines()
    ]


def _rate_text(ten_thousandths: int) -> str:
    whole, rest = divmod(ten_thousandths, 10_000)
    return f"{whole}.{rest:04d}"


def _position(line: PositionLine) -> Json:
    return {
        "section": line.section,
        "label": line.label,
        "cents": line.cents,
        "priorCents": line.prior_cents,
    }


def _operations(line: OperationsLine) -> Json:
    return {
        "section": line.section,
        "label": line.label,
        "fundCents": {str(fund): cents for fund, cents in line.by_fund.items()},
        "cents": line.cents,
        "priorCents": line.prior_cents,
    }


def _net_assets(line: NetAssetsLine) -> Json:
    return {
        "fund": str(line.fund),
        "restriction": line.restriction,
        "openingCents": line.opening_cents,
        "revenueCents": line.revenue_cents,
        "expensesCents": line.expenses_cents,
        "transfersCents": line.transfers_cents,
        "closingCents": line.closing_cents,
    }
