"""A sample of the yearly statements: $12,120 came in, $9,000 was spent."""

from typing import Any

from jara.domain.books.account import Fund
from jara.domain.reports.funds import (
    CanadianRate,
    CashFlowLine,
    FundsReport,
    InformationReturn,
    NetAssetsLine,
    OperationsLine,
    PositionLine,
)
from tests.reports.builders.reports import BOOKS, ORGANISATION, YEAR, proposals


def operations() -> tuple[OperationsLine, ...]:
    """Return the revenue and expenses of each fund."""
    p, s, m, o, c = Fund
    return (
        OperationsLine(
            "revenue", "Pledges", {p: 800_000, s: 70_000, m: 90_000, o: 40_000}, 500_000
        ),
        OperationsLine("revenue", "Gifts", {p: 169_600, s: 14_840, m: 19_080, o: 8_480}, 300_000),
        OperationsLine("expenses", "Projects", {p: 0, c: 800_000}, 600_000),
        OperationsLine("expenses", "Staff", {s: 40_000}, 30_000),
        OperationsLine("expenses", "Fees", {s: 21_000, m: 27_000, o: 12_000}, 50_000),
    )


def net_assets() -> tuple[NetAssetsLine, ...]:
    """Return the change of each fund; a vote committed ten thousand dollars."""
    p, s, m, o, c = Fund
    return (
        NetAssetsLine(p, "external", 96_000, 969_600, 0, -1_000_000),
        NetAssetsLine(s, "internal", 8_400, 84_840, 61_000, 0),
        NetAssetsLine(m, "internal", 10_800, 109_080, 27_000, 0),
        NetAssetsLine(o, "unrestricted", 4_800, 48_480, 12_000, 0),
        NetAssetsLine(c, "external", 0, 0, 800_000, 1_000_000),
    )


def a_funds_report(**changes: Any) -> FundsReport:
    """Return the statements of a year: $12,120 came in, $9,000 was spent."""
    passed, _, _ = proposals()
    fields: dict[str, Any] = {
        "organisation": ORGANISATION,
        "period": YEAR,
        "books": BOOKS,
        "method": "restricted fund method",
        "position": (
            PositionLine("assets", "Bank", 400_000, 120_000),
            PositionLine("assets", "At the payment provider", 32_000, 0),
            PositionLine("liabilities", "Not yet resolved", 0, 0),
        ),
        "operations": operations(),
        "net_assets": net_assets(),
        "prior_net_assets_cents": 120_000,
        "cash_flows": (
            CashFlowLine("Received from contributors", 1_212_000, 800_000),
            CashFlowLine("Paid to projects", -800_000, -600_000),
            CashFlowLine("Paid to staff", -40_000, -30_000),
            CashFlowLine("Payment and bank fees", -60_000, -50_000),
        ),
        "opening_cash_cents": 120_000,
        "prior_opening_cash_cents": 0,
        "commitments": (passed,),
        "measures": {
            "grossRevenue": 1_212_000,
            "publicSources": 1_212_000,
            "totalAssetsBefore": 120_000,
        },
        "information_return": InformationReturn(
            {"pledges": 1_000_000, "gifts": 212_000, "grants": 0}, 432_000, 0, 40_000, 0, False
        ),
        "changemakers_are_members": False,
        "rate": CanadianRate(13_712, "Bank of Canada, annual average of 2026"),
    }
    return FundsReport(**{**fields, **changes})
