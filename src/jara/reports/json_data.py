"""Reports as data: camelCase keys, cents, ISO dates, shares as percent with one decimal."""

from __future__ import annotations

from datetime import date
from typing import Any, TypeAlias

from jara.documents import to_document
from jara.domain.books.foreign import foreign_document, sum_document
from jara.domain.reports.funds import FundsReport, OperationsLine
from jara.domain.reports.impact import FundLine, ImpactReport, LateEntry, MonthLine, ProjectProgress
from jara.domain.reports.parts import BooksMark, Payout, ReportPeriod
from jara.domain.reports.statement import Statement, TraceFund, TracePayment
from jara.domain.reports.voting import ProposalRecord, VoteCount, VotingReport
from jara.domain.voting.tally import percent_number
from jara.reports.words import iso_instant

Json: TypeAlias = dict[str, Any]


def impact_document(report: ImpactReport) -> Json:
    """Return the impact report as the document that `jara report impact` prints."""
    received = report.received
    abroad = [sum_document(total) for total in report.paid_abroad]
    return {
        "organisation": report.organisation,
        "period": period_data(report.period),
        "books": books_data(report.books),
        "changemakers": report.changemakers,
        "pledgedMonthlyCents": report.pledged_monthly_cents,
        "receivedCents": {
            "pledges": received.pledges_cents,
            "gifts": received.gifts_cents,
            "grants": received.grants_cents,
            "other": received.other_cents,
            "total": received.total_cents,
        },
        "refundsCents": report.refunds_cents,
        "keptCents": report.kept_cents,
        "feesCents": report.fees_cents,
        "contributions": report.contributions,
        "gifts": report.gifts,
        "givers": report.givers,
        "funds": [_fund(line) for line in report.funds],
        "driftNote": report.drift_note,
        "months": [_month(line) for line in report.months],
        "disbursements": [payout_data(payout) for payout in report.disbursements],
        "disbursedCents": report.disbursed_cents,
        **({"paidAbroad": abroad} if abroad else {}),
        "cashAtHandCents": report.cash_at_hand_cents,
        "cashDeployedCents": report.cash_deployed_cents,
        "proposals": [proposal_data(record) for record in report.proposals],
        "projects": [_project(project) for project in report.projects],
        "lateEntries": [_late(entry) for entry in report.late_entries],
    }


def statement_document(statement: Statement) -> Json:
    """Return a member's statement as data."""
    return {
        "organisation": statement.organisation,
        "member": {"key": statement.member_key, "name": statement.member_name},
        "period": period_data(statement.period),
        "books": books_data(statement.books),
        "contributions": [
            {"date": day_data(line.day), **to_document(line, omit={"day"})}
            for line in statement.lines
        ],
        "paidCents": statement.paid_cents,
        "refundedCents": statement.refunded_cents,
        "keptCents": statement.paid_cents - statement.refunded_cents,
        "funds": {str(line.fund): _trace(line) for line in statement.trace},
    }


def voting_document(report: VotingReport) -> Json:
    """Return the votes of a period as data; an open vote has no count."""
    return {
        "organisation": report.organisation,
        "period": period_data(report.period),
        "books": books_data(report.books),
        "decided": [proposal_data(record) for record in report.decided],
        "open": [proposal_data(record) for record in report.open],
    }


def period_data(period: ReportPeriod) -> Json:
    """Return the first and last day of a period, and the newest known day until it is over."""
    data = {"from": day_data(period.first), "to": day_data(period.last)}
    return data if period.until is None else {**data, "until": day_data(period.until)}


def books_data(books: BooksMark) -> Json:
    """Return size, root and time of the books."""
    at = None if books.at is None else iso_instant(books.at)
    return {"size": books.size, "root": books.root, "at": at}


def day_data(day: date) -> str:
    """Return a day as ``YYYY-MM-DD``."""
    return day.isoformat()


def payout_data(payout: Payout) -> Json:
    """Return one payout; ``proposal`` only if one approved it."""
    data: Json = {
        "date": day_data(payout.day),
        **to_document(payout, omit={"day", "proposal", "foreign"}),
    }
    if payout.proposal is not None:
        data["proposal"] = payout.proposal
    if payout.foreign is not None:
        data["foreign"] = foreign_document(payout.foreign, payout.cents)
    return data


def proposal_data(record: ProposalRecord) -> Json:
    """Return one proposal; ``tally`` is null while its vote is open."""
    return {
        "id": record.id,
        "slug": record.slug,
        "title": record.title,
        "status": record.status,
        "endDate": day_data(record.ends),
        "goalCents": record.goal_cents,
        "tally": None if record.vote is None else _tally(record.vote),
        "heldCents": record.held_cents,
        "queuedCents": record.queued_cents,
        "paidCents": record.paid_cents,
        "releasedCents": record.released_cents,
        "payouts": [payout_data(payout) for payout in record.payouts],
    }


def _tally(vote: VoteCount) -> Json:
    counts = to_document(vote.tally.counts(vote.rule, final=True))
    return {**counts, "turnoutPercentage": percent_number(vote.turnout_tenths)}


def _fund(line: FundLine) -> Json:
    return {
        **to_document(line, omit={"promised_tenths", "actual_tenths"}),
        "promisedShare": percent_number(line.promised_tenths),
        "actualShare": percent_number(line.actual_tenths),
    }


def _month(line: MonthLine) -> Json:
    return {**to_document(line), "month": f"{line.month:%Y-%m}"}


def _project(project: ProjectProgress) -> Json:
    return {
        "slug": project.slug,
        "title": project.title,
        "status": project.status,
        "milestones": {"done": project.milestones_done, "total": project.milestones_total},
        "paidCents": project.paid_cents,
        "paidInPeriodCents": project.paid_in_period_cents,
    }


def _late(entry: LateEntry) -> Json:
    rest = to_document(entry, omit={"entry", "day"})
    return {"id": entry.entry, "date": day_data(entry.day), **rest}


def _trace(line: TraceFund) -> Json:
    return {
        **to_document(line, omit={"fund", "paid"}),
        "paid": [_traced(payment) for payment in line.paid],
    }


def _traced(payment: TracePayment) -> Json:
    data: Json = {
        "account": payment.account,
        "project": payment.project,
        "entry": payment.entry,
        "date": day_data(payment.day),
        "cents": payment.cents,
    }
    if payment.foreign is not None:
        data["wholeCents"] = payment.whole_cents
        data["foreign"] = foreign_document(payment.foreign, payment.whole_cents)
    return data


def funds_document(report: FundsReport) -> Json:
    """Return the statements of one year as data."""
    form = report.information_return
    return {
        "organisation": report.organisation,
        "period": period_data(report.period),
        "books": books_data(report.books),
        "method": report.method,
        "position": [to_document(line) for line in report.position],
        "netAssetsCents": report.closing_cents,
        "priorNetAssetsCents": report.prior_net_assets_cents,
        "operations": [_operations(line) for line in report.operations],
        "changesInNetAssets": [
            {**to_document(line), "closingCents": line.closing_cents} for line in report.net_assets
        ],
        "cashFlows": [to_document(line) for line in report.cash_flows],
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
            **to_document(form, omit={"received_by_kind"}),
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


def _operations(line: OperationsLine) -> Json:
    return {
        "section": line.section,
        "label": line.label,
        "fundCents": {str(fund): cents for fund, cents in line.by_fund.items()},
        "cents": line.cents,
        "priorCents": line.prior_cents,
    }
