"""The open data of an organisation: projects, results, payouts, votes, funds, months; no person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from jara.domain.books.account import AccountType, Fund, is_below
from jara.domain.books.balances import Totals
from jara.domain.books.budget import budget_of_year
from jara.domain.books.foreign import signed_minor
from jara.domain.reports.open_data import (
    FUNDS,
    MONTHS,
    PAYOUTS,
    PROJECTS,
    RESULTS,
    VOTES,
    OpenData,
    Row,
)
from jara.domain.reports.parts import Payout, ReportPeriod
from jara.domain.voting.proposal import format_instant
from jara.services.ballots.counting import count_vote
from jara.services.books.balances import totals_of
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara.services.reports.cut import ReportCut, make_cut
from jara.services.reports.facts import Payees, mark_sample, project_progress, read_payees
from jara.store.unit_of_work import UnitOfWork


def open_data(context: Context) -> OpenData:
    """Return the current open data."""
    today = context.today()
    with context.store.read() as work:
        first = work.reporting.first_day() or today
        cut = make_cut(work, ReportPeriod(min(first, today), today), today=today)
        payees = read_payees(work, cut)
        payouts = payees.payouts(work, cut)
        totals = totals_of(work.journal.balances(by_month=True))
        return OpenData(
            organisation=read_identity(context, work).name,
            time_zone=work.zone.name,
            site_url=context.rules.site_url,
            log_size=cut.books.size,
            root=cut.books.root,
            rows={
                PROJECTS.name: tuple(_projects(work, cut, payees, payouts)),
                RESULTS.name: tuple(_results(work, cut, payees, payouts)),
                PAYOUTS.name: tuple(_payouts(work, payouts)),
                VOTES.name: tuple(_votes(context, work)),
                FUNDS.name: tuple(_funds(totals)),
                MONTHS.name: tuple(_months(totals)),
            },
        )


def _projects(
    work: UnitOfWork, cut: ReportCut, payees: Payees, payouts: Sequence[Payout]
) -> Iterator[Row]:
    for project in project_progress(work, cut, payees, payouts):
        yield {
            "slug": project.slug,
            "title": project.title,
            "status": project.status,
            "milestones": project.milestones.total,
            "milestones_done": project.milestones.done,
            "paid_cents": project.paid_cents,
        }


def _results(
    work: UnitOfWork, cut: ReportCut, payees: Payees, payouts: Sequence[Payout]
) -> Iterator[Row]:
    for project in project_progress(work, cut, payees, payouts):
        for result in project.results:
            row = result._asdict()
            yield {"project": project.slug, "measure": row.pop("id"), **row}


def _payouts(work: UnitOfWork, payouts: Sequence[Payout]) -> Iterator[Row]:
    slugs = {
        record.proposal.id: record.proposal.slug
        for record in work.proposals.all()
        if record.proposal.is_public
    }
    for payout in payouts:
        yield {
            "day": payout.day.isoformat(),
            "kind": payout.account.split(":")[1],
            "slug": payout.project,
            "title": payout.title,
            "proposal": slugs.get(payout.proposal or ""),
            "cents": payout.cents,
            "currency": None if payout.foreign is None else payout.foreign.currency,
            "currency_minor": (
                None if payout.foreign is None else signed_minor(payout.foreign, payout.cents)
            ),
        }


def _votes(context: Context, work: UnitOfWork) -> Iterator[Row]:
    opened = [
        record
        for record in work.proposals.all()
        if record.opened_index is not None and not record.is_removed_sample
    ]
    for record in sorted(opened, key=lambda one: one.opened_index or 0):
        proposal, tally = record.proposal, count_vote(context, work, record)
        yield {
            "slug": proposal.slug,
            "title": mark_sample(proposal.title, sample=proposal.is_sample),
            "country": proposal.text["country"],
            "category": proposal.text["category"],
            "goal_cents": proposal.goal_cents,
            "status": proposal.status.value,
            "opened_at": None if record.opened_at is None else format_instant(record.opened_at),
            "ends_at": format_instant(proposal.ends_at),
            "decided_at": None if record.decided_at is None else format_instant(record.decided_at),
            "yes": tally.yes,
            "no": tally.no,
            "void": tally.void,
            "roll": tally.roll,
        }


def _funds(totals: Totals) -> Iterator[Row]:
    for year in sorted({int(row.month[:4]) for row in totals.rows}):
        for line in budget_of_year(totals, year).funds:
            yield {
                "year": year,
                "fund": line.fund.value,
                "opening_cents": line.figures.opening,
                "received_cents": line.figures.received,
                "transfers_cents": line.figures.transfers,
                "spent_cents": line.figures.spent,
            }


def _months(totals: Totals) -> Iterator[Row]:
    sums: defaultdict[tuple[str, Fund], list[int]] = defaultdict(lambda: [0, 0])
    for row in totals.rows:
        if is_below(row.account, AccountType.INCOME):
            sums[row.month, row.fund][0] -= row.cents
        elif is_below(row.account, AccountType.EXPENSES):
            sums[row.month, row.fund][1] += row.cents
    for (month, fund), (received, spent) in sorted(sums.items()):
        yield {
            "month": month,
            "fund": fund.value,
            "received_cents": received,
            "spent_cents": spent,
        }
