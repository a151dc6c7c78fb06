"""Pledge statistics and the forecast of charges."""

from collections import Counter, defaultdict
from datetime import date
from itertools import takewhile
from typing import NamedTuple

from jara.domain.giving.billing_day import nth_charge_on
from jara.domain.giving.pledge import PledgeState, charges_ahead
from jara.services.ballots.casting import changemakers
from jara.services.context import Context


class PledgeStatistics(NamedTuple):
    """The number and monthly amount of pledges in each state."""

    counts: dict[PledgeState, int]
    cents: dict[PledgeState, int]
    changemakers: int
    changemakers_cents: int


class ForecastMonth(NamedTuple):
    """The expected charges of active pledges in a month."""

    month: date
    charges: int
    cents: int


def pledge_statistics(context: Context) -> PledgeStatistics:
    """Count the pledges by state, and the changemakers among them."""
    counts: Counter[PledgeState] = Counter()
    cents: Counter[PledgeState] = Counter()
    with context.store.read() as work:
        for pledge in work.pledges.all():
            counts[pledge.state] += 1
            cents[pledge.state] += pledge.dollars * 100
        standing = changemakers(work, context.now())
    return PledgeStatistics(
        counts={state: counts[state] for state in PledgeState},
        cents={state: cents[state] for state in PledgeState},
        changemakers=standing.count,
        changemakers_cents=standing.monthly_cents,
    )


def forecast_pledges(context: Context, months: int) -> list[ForecastMonth]:
    """Return the expected charges of active pledges, for this month and the next ones.

    Skipped charges and pledges that are paused, past due or unconfirmed do not count.
    """
    today = context.today()
    first = today.replace(day=1)
    end = nth_charge_on(first, months)
    charges: Counter[date] = Counter()
    cents: defaultdict[date, int] = defaultdict(int)
    with context.store.read() as work:
        for pledge in work.pledges.in_states(PledgeState.ACTIVE):
            for day in takewhile(lambda day: day < end, charges_ahead(pledge, today=today)):
                month = day.replace(day=1)
                charges[month] += 1
                cents[month] += pledge.dollars * 100
    return [
        ForecastMonth(month, charges[month], cents[month])
        for month in (nth_charge_on(first, n) for n in range(months))
    ]
