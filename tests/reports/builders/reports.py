"""Valid sample reports: a year of an organisation like Jara's."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from jara.domain.books.account import Fund
from jara.domain.measures import MeasuredResult, MeasureState
from jara.domain.projects import Progress
from jara.domain.reports.impact import (
    FundFigures,
    ImpactReport,
    LateEntry,
    MonthLine,
    ProjectProgress,
    PurposeLine,
    Receipts,
)
from jara.domain.reports.parts import BooksMark, Payout, ReportPeriod
from jara.domain.reports.plan import PlanReport, PlanRow
from jara.domain.reports.spending import SignedPayment, SpendingReport, sum_alone, sum_by_payee
from jara.domain.reports.statement import Statement, StatementLine, TraceFund, TracePayment
from jara.domain.reports.voting import ProposalRecord, VoteCount, VotingReport
from jara.domain.texts import tr
from jara.domain.voting.tally import Tally, VoteRule

ORGANISATION = "Jara Giving Society"
YEAR = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))
BOOKS = BooksMark(
    size=4_217,
    root="5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    at=datetime(2026, 12, 31, 22, 5, 9, tzinfo=UTC),
)
HOSTILE = "<script>alert(1)</script> | #evil[x] =cmd() Ọlá Ṣadé & *co*"


def a_vote(rule: VoteRule | None = None, **changes: Any) -> VoteCount:
    """Return a passed vote with 41 of 64."""
    counts = {"yes": 41, "no": 9, "void": 0, "roll": 64}
    return VoteCount(Tally(**{**counts, **changes}), rule or VoteRule(1, 2))


def payouts() -> tuple[Payout, ...]:
    """Return the payouts of a year: two tranches of a vote, and three others."""
    rows = (
        (2, 14, "clean-water-boreholes", "Clean water boreholes", "projects", 300_000, "prop_01"),
        (4, 3, "school-roof-jacmel", "A school roof in Jacmel", "projects", 185_050, None),
        (6, 22, "clean-water-boreholes", "Clean water boreholes", "projects", 159_000, "prop_01"),
        (9, 9, "beekeepers-of-enugu", "Beekeepers of Enugu, Ọlá Ṣadé", "grants", 96_000, None),
        (11, 18, "clinic-solar", "Solar power for a clinic", "donations", 42_500, None),
    )
    return tuple(
        Payout(date(2026, month, day), slug, title, f"expenses:{kind}:{slug}", cents, proposal)
        for month, day, slug, title, kind, cents, proposal in rows
    )


def results() -> tuple[MeasuredResult, ...]:
    """Return a measure that was missed, and one that was measured only before its day."""
    due = date(2026, 10, 31)
    return (
        MeasuredResult(
            *("homes", "Homes with water", "homes", 12, 240.5, due),
            *(212.125, date(2026, 11, 2), MeasureState.MISSED, 2_293, "Counted"),
        ),
        MeasuredResult(
            *("walk", "Walk for water", "minutes", 190, 15, due),
            *(80, date(2026, 5, 2), MeasureState.OVERDUE, None),
        ),
    )


def proposals() -> tuple[ProposalRecord, ...]:
    """Return a passed, a rejected and an open proposal."""
    paid = tuple(p for p in payouts() if p.proposal == "prop_01")
    rejected = a_vote(yes=27, no=20, void=1, roll=66)
    return (
        ProposalRecord(
            id="prop_01",
            slug="clean-water-boreholes",
            title="Clean water boreholes",
            status="funded",
            ends=date(2026, 1, 31),
            goal_cents=809_000,
            vote=a_vote(),
            held_cents=200_000,
            queued_cents=150_000,
            payouts=paid,
        ),
        ProposalRecord(
            id="prop_02",
            slug="fishing-boats",
            title="Two fishing boats in Grenada",
            status="rejected",
            ends=date(2026, 8, 31),
            goal_cents=1_200_000,
            vote=rejected,
        ),
        ProposalRecord(
            id="prop_03",
            slug="seed-bank",
            title="A seed bank for Kisumu",
            status="open",
            ends=date(2027, 1, 15),
            goal_cents=450_000,
            vote=None,
        ),
    )


def months() -> tuple[MonthLine, ...]:
    """Return twelve months that add up to the year's receipts."""
    pledges = (52, 54, 55, 58, 57, 60, 63, 66, 65, 70, 73, 74)
    gifts = (0, 2_500, 0, 10_000, 0, 0, 5_000, 0, 0, 40_000, 2_500, 150_000)
    refunds = {4: 1_000, 9: 6_000, 11: 500}
    return tuple(
        MonthLine(date(2026, place + 1, 1), 1_000 * many, gift, refunds.get(place + 1, 0))
        for place, (many, gift) in enumerate(zip(pledges, gifts, strict=True))
    )


def fund_lines() -> tuple[FundFigures, ...]:
    """Return the four funds of the year."""
    return (
        FundFigures(Fund.PROJECTS, 961_600, 782_550, 0, 200_000, 800, 817),
        FundFigures(Fund.STAFF, 84_140, 71_250, 18_480, 0, 70, 55),
        FundFigures(Fund.MARKETING, 108_180, 124_000, 23_760, 0, 90, 105),
        FundFigures(Fund.OTHER, 48_080, 32_760, 10_560, 0, 40, 23),
    )


def an_impact_report(**changes: Any) -> ImpactReport:
    """Return an impact report of a year with all sections."""
    fields: dict[str, Any] = {
        "organisation": ORGANISATION,
        "period": YEAR,
        "books": BOOKS,
        "changemakers": 64,
        "pledged_monthly_cents": 74_200,
        "received": Receipts(747_000, 210_000, 252_500),
        "refunds_cents": 7_500,
        "fees_cents": 52_800,
        "contributions": 701,
        "gifts": 9,
        "givers": 81,
        "funds": fund_lines(),
        "months": months(),
        "disbursements": payouts(),
        "cash_at_hand_cents": 745_620,
        "cash_deployed_cents": 2_882_000,
        "proposals": proposals(),
        "projects": (
            ProjectProgress(
                "clean-water-boreholes",
                "Clean water boreholes",
                "In Progress",
                Progress(4, 5),
                459_000,
                459_000,
                "expenses:projects:clean-water-boreholes",
                results(),
            ),
            ProjectProgress(
                "school-roof-jacmel",
                "A school roof in Jacmel",
                "Complete",
                Progress(3, 3),
                185_050,
                185_050,
                "expenses:projects:school-roof-jacmel",
            ),
            ProjectProgress(
                "beekeepers-of-enugu",
                "Beekeepers of Enugu, Ọlá Ṣadé",
                "In Progress",
                Progress(1, 4),
                96_000,
            ),
            ProjectProgress(
                "clinic-solar", "Solar power for a clinic", "Planning", Progress(0, 2), 42_500
            ),
            ProjectProgress("seed-library", "A seed library", "Planning", Progress(0, 0), 0),
        ),
        "late_entries": (
            LateEntry("e_9f2c", date(2026, 12, 30), date(2027, 1, 3), "Refund of a pledge", -500),
        ),
        "drift_note": "The spring campaign cost more than planned; we spend less on it in 2027.",
    }
    fields |= changes
    spent = {line.fund: line.spent_cents for line in fields["funds"]}
    lines = (PurposeLine("Projects", spent),) if any(spent.values()) else ()
    return ImpactReport(**{"spent": lines, **fields})


def an_empty_impact_report(**changes: Any) -> ImpactReport:
    """Return the impact report of an organisation without data."""
    nothing = {
        "books": BooksMark(1, "5d" * 32, None),
        "changemakers": 0,
        "pledged_monthly_cents": 0,
        "received": Receipts(),
        "refunds_cents": 0,
        "fees_cents": 0,
        "contributions": 0,
        "gifts": 0,
        "givers": 0,
        "funds": tuple(
            FundFigures(fund, 0, 0, 0, 0, promised, 0)
            for fund, promised in (
                (Fund.PROJECTS, 800),
                (Fund.STAFF, 70),
                (Fund.MARKETING, 90),
                (Fund.OTHER, 40),
            )
        ),
        "months": (),
        "disbursements": (),
        "cash_at_hand_cents": 0,
        "cash_deployed_cents": 0,
        "proposals": (),
        "projects": (),
        "late_entries": (),
        "drift_note": "",
    }
    return an_impact_report(**{**nothing, **changes})


def a_month_impact_report() -> ImpactReport:
    """Return an impact report of one month with few data."""
    month = ReportPeriod(date(2026, 10, 1), date(2026, 10, 31))
    funds = (
        FundFigures(Fund.PROJECTS, 800, 0, 0, 0, 800, 0),
        FundFigures(Fund.STAFF, 70, 21, 21, 0, 70, 0),
        FundFigures(Fund.MARKETING, 90, 26, 26, 0, 90, 0),
        FundFigures(Fund.OTHER, 40, 12, 12, 0, 40, 0),
    )
    return an_empty_impact_report(
        period=month,
        books=BOOKS,
        changemakers=1,
        pledged_monthly_cents=1_000,
        received=Receipts(pledges_cents=1_000),
        contributions=1,
        givers=1,
        fees_cents=59,
        funds=funds,
        months=(MonthLine(date(2026, 10, 1), 1_000, 0, 0),),
        cash_at_hand_cents=941,
    )


def a_statement(**changes: Any) -> Statement:
    """Return a member's statement: three payments, one of them partly refunded."""
    fields: dict[str, Any] = {
        "organisation": ORGANISATION,
        "address": "100 Queen Street, Ottawa, Ontario, Canada",
        "member_name": "Ọlá Ṣadé Adébáyọ̀",
        "member_key": "m_7f3a91",
        "period": YEAR,
        "books": BOOKS,
        "lines": (
            StatementLine(date(2026, 3, 1), "pledge", "ch_0301", 1_000, 0, 59),
            StatementLine(date(2026, 4, 1), "pledge", "ch_0401", 1_000, 400, 59),
            StatementLine(date(2026, 6, 12), "gift", "ch_0612", 5_000),
        ),
        "trace": (
            TraceFund(
                Fund.PROJECTS,
                5_600,
                320,
                1_280,
                (
                    TracePayment(
                        "expenses:projects:clean-water-boreholes",
                        "Clean water boreholes",
                        "e_01",
                        date(2026, 6, 22),
                        3_000,
                    ),
                    TracePayment(
                        "expenses:grants:beekeepers-of-enugu",
                        "Beekeepers of Enugu",
                        "e_02",
                        date(2026, 9, 9),
                        1_000,
                    ),
                ),
            ),
            TraceFund(Fund.STAFF, 490, 28, 462, ()),
            TraceFund(Fund.MARKETING, 630, 36, 594, ()),
            TraceFund(Fund.OTHER, 280, 16, 264, ()),
        ),
    }
    return Statement(**{**fields, **changes})


def a_spending_report(**changes: Any) -> SpendingReport:
    """Return a year with a payment that two signed, and two that one person spent alone."""
    place = "expenses:grants:roof"
    payments = (
        SignedPayment(date(2026, 3, 1), "e1", place, "A school roof", 90_000, "Kit", ("Ben",), "x"),
        SignedPayment(date(2026, 3, 2), "e2", place, "A school roof", 4_000, "Kit", (), "Nails"),
        SignedPayment(date(2026, 3, 3), "e3", "income", HOSTILE, 500, "", (), ""),
    )
    fields: dict[str, Any] = {
        "organisation": ORGANISATION,
        "period": YEAR,
        "books": BOOKS,
        "cents": 94_500,
        "alone_cents": 4_500,
        "payees": sum_by_payee(payments),
        "alone": sum_alone(payments),
        "payments": payments,
    }
    return SpendingReport(**{**fields, **changes})


def a_plan_report(**changes: Any) -> PlanReport:
    """Return a year that is not over, with lines of a plan and what nobody planned."""
    fields: dict[str, Any] = {
        "organisation": ORGANISATION,
        "period": replace(YEAR, until=date(2026, 3, 31)),
        "books": BOOKS,
        "version": 2,
        "versions": 2,
        "decided_on": date(2025, 12, 5),
        "minutes": "ab" * 32,
        "gone_tenths": 246,
        "rows": (
            PlanRow("income", tr("Pledges"), "income:pledges", None, 400_000, 90_000, 365_000),
            PlanRow("expenses", HOSTILE, "expenses:grants:x", Fund.PROJECTS, 0, 500, 2_028),
            PlanRow("expenses", tr("Bank charges"), "expenses:fees:bank", None, None, 30, 122),
        ),
    }
    return PlanReport(**{**fields, **changes})


def a_voting_report(**changes: Any) -> VotingReport:
    """Return a year with two decided votes and an open one."""
    passed, rejected, still_open = proposals()
    fields: dict[str, Any] = {
        "organisation": ORGANISATION,
        "period": YEAR,
        "books": BOOKS,
        "decided": (passed, rejected),
        "open": (still_open,),
    }
    return VotingReport(**{**fields, **changes})
