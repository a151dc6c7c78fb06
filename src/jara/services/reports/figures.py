"""The figures of the website, from the books and the pledges."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from jara.domain.books.overview import CashOverview
from jara.domain.books.overview import cash_overview as gather
from jara.records.journal import Cut
from jara.services.ballots.casting import changemakers
from jara.services.books.balances import totals_of
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class SiteFigures(NamedTuple):
    """Every figure of the home and about pages.

    Args:
        changemakers: how many may vote now.
        contributions: how many contributions and gifts were ever received and kept.
        contributions_cents: their sum, less refunds.
        donations: how many donations the donations page lists.
        donations_cents: their sum.
        projects: how many projects are public.
        countries: in how many countries they are.
        cash: the figures of the open ledger.
    """

    changemakers: int
    contributions: int
    contributions_cents: int
    donations: int
    donations_cents: int
    projects: int
    countries: int
    cash: CashOverview


def cash_overview(context: Context, day: date | None = None) -> CashOverview:
    """Return the figures of the open ledger, of today or of the end of another day."""
    with context.store.read() as work:
        return _overview(context, work, day or context.today())


def site_figures(context: Context) -> SiteFigures:
    """Return every figure, all from one state of the books."""
    with context.store.read() as work:
        count, kept = work.electors.contributions()
        donations = work.content.all("donations", published_only=True)
        projects = work.content.all("projects", published_only=True)
        return SiteFigures(
            changemakers=changemakers(work, context.now()).count,
            contributions=count,
            contributions_cents=kept,
            donations=len(donations),
            donations_cents=sum(item.doc["amountCents"] for item in donations),
            projects=len(projects),
            countries=len({item.doc["location"] for item in projects if "location" in item.doc}),
            cash=_overview(context, work, context.today()),
        )


def _overview(context: Context, work: UnitOfWork, day: date) -> CashOverview:
    return gather(
        totals_of(work.reporting.sums(Cut(last=day))),
        day=day,
        pledges_cents=[changemakers(work, context.now()).monthly_cents],
        fixed_costs=[line.cost for line in work.book_settings.fixed_costs()],
    )
