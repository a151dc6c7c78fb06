"""The figures of the website, from the books and the pledges."""

from datetime import date
from typing import NamedTuple

from jara.domain.books.account import GIFTS, GRANTS, PAYEE_PARENTS, PLEDGES
from jara.domain.books.balances import Totals
from jara.domain.books.overview import CashOverview
from jara.domain.books.overview import cash_overview as gather
from jara.domain.voting.proposal import PAYABLE
from jara.records.journal import Cut
from jara.services.ballots.casting import changemakers
from jara.services.books.balances import totals_of
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class SiteFigures(NamedTuple):
    """Every figure of the home and about pages."""

    changemakers: int  # how many may vote now
    contributions: int  # how many contributions and gifts were ever received and kept
    contributions_cents: int  # their sum, less refunds
    donations: int  # how many the donations page lists
    donations_cents: int  # their sum
    projects: int  # how many projects are public
    countries: int  # in how many countries the projects are
    pledges_cents: int  # what came from pledges, less refunds
    donated_cents: int  # what came from gifts and grants, less refunds
    voted_on_cents: int  # the part of the cash deployed that was paid under a vote that passed
    cash: CashOverview  # the figures of the open ledger


def cash_overview(context: Context, day: date | None = None) -> CashOverview:
    """Return the figures of the open ledger, of today or of the end of another day."""
    with context.store.read() as work:
        on = day or context.today()
        return _overview(context, work, _totals(work, on), on)


def site_figures(context: Context) -> SiteFigures:
    """Return every figure, all from one state of the books."""
    with context.store.read() as work:
        count, kept = work.electors.contributions()
        donations = work.content.all("donations", published_only=True)
        projects = work.content.all("projects", published_only=True)
        totals = _totals(work, context.today())
        return SiteFigures(
            changemakers=changemakers(work, context.now()).count,
            contributions=count,
            contributions_cents=kept,
            donations=len(donations),
            donations_cents=sum(item.doc["amountCents"] for item in donations),
            projects=len(projects),
            countries=len({item.doc["location"] for item in projects if "location" in item.doc}),
            pledges_cents=-totals.sum_cents(PLEDGES),
            donated_cents=-totals.sum_cents(GIFTS, GRANTS),
            voted_on_cents=_voted_on_cents(work, context.today()),
            cash=_overview(context, work, totals, context.today()),
        )


def _totals(work: UnitOfWork, day: date) -> Totals:
    return totals_of(work.reporting.sums(Cut(last=day)))


def _voted_on_cents(work: UnitOfWork, day: date) -> int:
    passed = {record.proposal.id for record in work.proposals.all(*PAYABLE)}
    payments = work.reporting.movements_below(PAYEE_PARENTS, Cut(last=day))
    return sum(payment.cents for payment in payments if payment.reference in passed)


def _overview(context: Context, work: UnitOfWork, totals: Totals, day: date) -> CashOverview:
    return gather(
        totals,
        day=day,
        pledges_cents=[changemakers(work, context.now()).monthly_cents],
        fixed_costs=[line.cost for line in work.book_settings.fixed_costs()],
    )
