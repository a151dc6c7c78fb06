"""The published figures: each has one definition."""

from __future__ import annotations

from datetime import date

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.balances import Period, Total, Totals
from jara.domain.books.overview import (
    FixedCost,
    cash_deployed,
    cash_overview,
    monthly_fixed_cost,
)
from jara.domain.errors import InvalidInput

DAY = date(2026, 11, 20)
RENT = FixedCost("Rent", 20_000, date(2026, 1, 1), date(2026, 11, 20))
SOFTWARE = FixedCost("Software", 5_000, date(2025, 1, 1))
FUTURE = FixedCost("Van", 90_000, date(2026, 11, 21))

TOTALS = Totals.of(
    [
        Total("income:gifts", Fund.PROJECTS, "2026-01", -100_000),
        Total("assets:bank", Fund.PROJECTS, "2026-01", 50_000),
        Total("assets:in-transit", Fund.PROJECTS, "2026-01", 9_000),
        Total("assets:stripe", Fund.PROJECTS, "2026-01", 4_000),
        Total("assets:stripe-reserve", Fund.PROJECTS, "2026-01", 1_000),
        Total("expenses:projects:wells", Fund.PROJECTS, "2026-01", 20_000),
        Total("expenses:grants:school", Fund.PROJECTS, "2026-02", 9_000),
        Total("expenses:donations:clinic", Fund.COMMITTED, "2026-02", 5_000),
        Total("expenses:staff", Fund.PROJECTS, "2026-01", 2_000),
    ]
)


def test_the_overview_of_a_day() -> None:
    """The overview has pledges, cash, fixed costs, deployed money and the year's budget."""
    overview = cash_overview(
        TOTALS, day=DAY, pledges_cents=[1_000, 500], fixed_costs=[RENT, SOFTWARE, FUTURE]
    )

    assert (
        overview.monthly_donation_cents,
        overview.cash_at_hand_cents,
        overview.monthly_fixed_cost_cents,
        overview.cash_deployed_cents,
        overview.year,
    ) == (1_500, 64_000, 25_000, 34_000, 2026)
    assert overview.budget.available == 100_000


def test_deployed_money_can_be_narrowed() -> None:
    """Reports can narrow the deployed money by fund and by month."""
    assert cash_deployed(TOTALS, fund=Fund.COMMITTED) == 5_000
    assert cash_deployed(TOTALS, period=Period("2026-01", "2026-01")) == 20_000


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2024, 12, 31), 0),
        (date(2025, 1, 1), 5_000),
        (date(2026, 11, 20), 25_000),
        (date(2026, 11, 21), 95_000),
    ],
)
def test_fixed_costs_count_from_their_first_to_their_last_day(day: date, expected: int) -> None:
    """A line counts from its first day to its last, both included."""
    assert monthly_fixed_cost([RENT, SOFTWARE, FUTURE], day) == expected


def test_a_fixed_cost_makes_sense() -> None:
    """A negative cost, or an end before the beginning, is refused by name."""
    with pytest.raises(InvalidInput, match=r"'Rent' is -\$1.00 a month"):
        FixedCost("Rent", -100, DAY)
    with pytest.raises(InvalidInput, match="'Rent' ends on 2026-11-19, before 2026-11-20"):
        FixedCost("Rent", 100, DAY, date(2026, 11, 19))
