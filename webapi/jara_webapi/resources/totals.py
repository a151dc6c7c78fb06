"""The published figures: GET all-users, all-contribution, get-cash-overviews and /stats."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.services.content import list_items
from jara.services.reports.figures import cash_overview, site_figures
from jara_webapi.calls.operations import Call, operation
from jara_webapi.schemas.base import dollars
from jara_webapi.schemas.figures import CashOverview, ContributionCount, MemberCount, Statistics


class AllUsers:
    """The number of changemakers."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=MemberCount, cached=True)
    def on_get(self, call: Call) -> MemberCount:
        """Count the active changemakers."""
        del call
        return MemberCount(total=site_figures(self._app.context).changemakers)


class AllContributions:
    """The number of contributions."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=ContributionCount, cached=True)
    def on_get(self, call: Call) -> ContributionCount:
        """Return the number and the sum of contributions that were not refunded."""
        del call
        figures = site_figures(self._app.context)
        return ContributionCount(
            total=figures.contributions, total_cents=figures.contributions_cents
        )


class CashOverviews:
    """The open ledger's summary."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=CashOverview, cached=True)
    def on_get(self, call: Call) -> CashOverview:
        """Return the figures of the open ledger, in dollars."""
        del call
        overview = cash_overview(self._app.context)
        return CashOverview(
            monthly_donation=dollars(overview.monthly_donation_cents),
            cash_at_hand=dollars(overview.cash_at_hand_cents),
            monthly_fixed_cost=dollars(overview.monthly_fixed_cost_cents),
            cash_deployed=dollars(overview.cash_deployed_cents),
            available=dollars(overview.budget.available),
            allocated=dollars(overview.budget.allocated),
            unallocated=dollars(overview.budget.unallocated),
            year=overview.year,
        )


class Stats:
    """The figures of the home and about pages."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Statistics, cached=True)
    def on_get(self, call: Call) -> Statistics:
        """Return every figure of the home and about pages."""
        del call
        figures = site_figures(self._app.context)
        claims = list_items(self._app.context, "claims", published_only=True)
        return Statistics(
            changemakers=figures.changemakers,
            contributions=figures.contributions,
            contributions_cents=figures.contributions_cents,
            donations=figures.donations,
            donations_cents=figures.donations_cents,
            projects=figures.projects,
            countries=figures.countries,
            monthly_donation_cents=figures.cash.monthly_donation_cents,
            cash_at_hand_cents=figures.cash.cash_at_hand_cents,
            monthly_fixed_cost_cents=figures.cash.monthly_fixed_cost_cents,
            cash_deployed_cents=figures.cash.cash_deployed_cents,
            claims=[dict(item.doc) for item in claims],
        )
