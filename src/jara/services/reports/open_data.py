"""The open data of an organisation: projects, results, payouts, votes, funds, months; no person."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from jara.domain.books.account import AccountType, Fund, is_below
from jara.domain.books.balances import Totals
from jara.domain.books.budget import budget_of_year
from jara.domain.books.foreign import signed_minor
from jara.domain.reports.impact import ProjectProgress
from jara.domain.reports.open_data import FUNDS, MONTHS, PAYOUTS, PROJECTS, RESULTS, VOTES, OpenData
from jara.domain.reports.parts import Payout, ReportPeriod, is_sample, plain_title
from jara.domain.voting.proposal import format_instant
from jara.services.ballots.counting import count_vote
from jara.services.books.balances import totals_of
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara.services.reports.facts import make_cut, project_progress, read_payees
from jara.store.unit_of_work import UnitOfWork

_Values = tuple[object, ...]
"""A row, in the order of the fields of its table."""


def open_data(context: Context) -> OpenData:
    """Return the current open data."""
    today = context.today()
    with context.store.read() as work:
        first = work.reporting.first_day() or today
        cut = make_cut(work, ReportPeriod(min(first, today), today), today=today)
        payees = read_payees(work, cut)
        payouts = payees.payouts(work, cut)
        projects = project_progress(work, cut, payees, payouts)
        totals = totals_of(work.journal.balances(by_month=True))
        return OpenData(
            organisation=read_identity(context, work).name,
            time_zone=work.zone.name,
            site_url=context.rules.site_url,
            log_size=cut.books.size,
            root=cut.books.root,
            rows={
                table.name: tuple(
                    dict(zip((one.name for one in table.fields), row, strict=True)) for row in rows
                )
                for table, rows in (
                    (PROJECTS, _projects(projects)),
                    (RESULTS, _results(projects)),
                    (PAYOUTS, _payouts(work, payouts)),
                    (VOTES, _votes(context, work)),
                    (FUNDS, _funds(totals)),
                    (MONTHS, _months(totals)),
                )
            },
        )


def _projects(projects: Iterable[ProjectProgress]) -> Iterator[_Values]:
    for one in projects:
        done = one.milestones
        counts = done.total, done.done, one.paid_cents
        yield one.slug, plain_title(one.title), one.status, *counts, is_sample(one.title)


def _results(projects: Iterable[ProjectProgress]) -> Iterator[_Values]:
    names = [field.name for field in RESULTS.fields[2:]]
    for project in projects:
        for result in project.results:
            yield project.slug, result.id, *(getattr(result, name) for name in names)


def _payouts(work: UnitOfWork, payouts: Sequence[Payout]) -> Iterator[_Values]:
    slugs = {
        record.proposal.id: record.proposal.slug
        for record in work.proposals.all()
        if record.proposal.is_public
    }
    for payout in payouts:
        kind, proposal = payout.account.split(":")[1], slugs.get(payout.proposal or "")
        title, foreign = plain_title(payout.title), payout.foreign
        yield (
            *(payout.day.isoformat(), kind, payout.project, title, proposal, payout.cents),
            *(
                (None, None)
                if foreign is None
                else (foreign.currency, signed_minor(foreign, payout.cents))
            ),
            is_sample(payout.title),
        )


def _votes(context: Context, work: UnitOfWork) -> Iterator[_Values]:
    opened = [
        record
        for record in work.proposals.all()
        if record.opened_index is not None and not record.is_removed_sample
    ]
    for record in sorted(opened, key=lambda one: one.opened_index or 0):
        proposal, tally = record.proposal, count_vote(context, work, record)
        times = (record.opened_at, proposal.ends_at, record.decided_at)
        yield (
            *(proposal.slug, proposal.title, proposal.text["country"], proposal.text["category"]),
            *(proposal.goal_cents, proposal.status.value),
            *(None if at is None else format_instant(at) for at in times),
            *((None, None, None) if tally.is_hidden else (tally.yes, tally.no, tally.void)),
            tally.roll,
            proposal.is_sample,
        )


def _funds(totals: Totals) -> Iterator[_Values]:
    for year in sorted({int(row.month[:4]) for row in totals.rows}):
        for line in budget_of_year(totals, year).funds:
            one = line.figures
            yield year, line.fund.value, one.opening, one.received, one.transfers, one.spent


def _months(totals: Totals) -> Iterator[_Values]:
    sums: defaultdict[tuple[str, Fund], list[int]] = defaultdict(lambda: [0, 0])
    for row in totals.rows:
        if is_below(row.account, AccountType.INCOME):
            sums[row.month, row.fund][0] -= row.cents
        elif is_below(row.account, AccountType.EXPENSES):
            sums[row.month, row.fund][1] += row.cents
    for (month, fund), (received, spent) in sorted(sums.items()):
        yield month, fund.value, received, spent
