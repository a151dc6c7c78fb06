"""Balances, the budget of a year, shares and published figures, from the totals alone."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import SPLIT_FUNDS, Fund, is_below
from jara.domain.books.balances import Period, Total, Totals
from jara.domain.books.budget import (
    YearFigures,
    actual_tenths,
    budget_of_year,
    promised_tenths,
    shares_in_tenths,
    total_of_year,
)
from jara.domain.books.journal import JournalEntry
from jara.domain.books.overview import FixedCost, cash_overview, monthly_fixed_cost
from jara.domain.errors import InvalidInput
from tests import strategies
from tests.rows import parts_of
from tests.sizes import fewer_examples
from tests.strategies import entries

P, S, M, O, C = Fund  # noqa: E741 - the letters of the worked example

TOTALS = Totals.of(
    [
        Total("equity:opening", P, "2025-06", -700),
        Total("assets:bank", P, "2025-06", 700),
        Total("income:pledges", P, "2026-01", -800),
        Total("income:pledges", S, "2026-01", -200),
        Total("assets:stripe", P, "2026-01", 800),
        Total("assets:stripe", S, "2026-01", 140),
        Total("expenses:fees", S, "2026-01", 50),
        Total("expenses:fees:tax", S, "2026-01", 5),
        Total("expenses:fees:bank", S, "2026-01", 5),
        Total("equity:transfers", P, "2026-02", 300),
        Total("assets:bank", P, "2026-02", -300),
        Total("assets:bank", C, "2026-02", 200),
        Total("expenses:projects:wells", C, "2026-03", 100),
        Total("equity:transfers", C, "2026-02", -300),
        Total("income:gifts", O, "2027-01", -10),
        Total("assets:bank", O, "2027-01", 10),
    ]
)


def test_a_sum_includes_sub_accounts() -> None:
    """A parent sums its children; a fund and a period narrow the sum."""
    assert TOTALS.sum_cents("expenses:fees") == 60
    assert TOTALS.sum_cents("expenses:fees", fund=S, period=Period.of_year(2026)) == 60
    assert TOTALS.sum_cents("expenses:fee") == 0
    assert TOTALS.sum_cents("assets:bank", fund=P) == 400
    assert TOTALS.sum_cents("assets", period=Period.before_year(2026)) == 700
    assert TOTALS.sum_cents("assets:bank") == 610
    assert is_below("assets:bank", "assets")
    assert not is_below("assets:bank-two", "assets:bank")


def test_a_year_has_a_row_for_each_fund_and_the_total() -> None:
    """Opening, received, transfers, spent and held make the three rows of the table."""
    budget = budget_of_year(TOTALS, 2026)

    by_fund = {row.fund: row.figures for row in budget.funds}
    assert by_fund[P] == YearFigures(700, 800, -300, 0, 0)
    assert by_fund[S] == YearFigures(0, 200, 0, 60, 0)
    assert by_fund[C] == YearFigures(0, 0, 300, 100, 200)
    assert budget.total == YearFigures(700, 1000, 0, 160, 200)
    assert (
        budget.total.available, budget.total.allocated, budget.total.unallocated
    ) == (1700, 360, 1340)  # fmt: skip


def test_the_first_year_opens_with_its_opening_entries() -> None:
    """The opening entries count as available in the first year."""
    assert budget_of_year(TOTALS, 2025).total.opening == 700
    assert budget_of_year(TOTALS, 2025).total.unallocated == 700


def test_promised_and_actual_shares() -> None:
    """Promised shares are of contributions; actual ones omit card fees and add money set aside."""
    year = Period.of_year(2026)

    assert list(promised_tenths(TOTALS, year).values()) == [800, 200, 0, 0, 0]
    assert list(actual_tenths(TOTALS, year).values()) == [984, 16, 0, 0, 0]
    row = budget_of_year(TOTALS, 2026).funds[0]
    assert (row.fund, row.promised_tenths, row.actual_tenths) == (P, 800, 984)


def test_shares_of_nothing_are_nothing() -> None:
    """A year without contributions or expenses has no shares."""
    assert shares_in_tenths(dict.fromkeys(SPLIT_FUNDS, 0)) == dict.fromkeys(SPLIT_FUNDS, 0)
    assert shares_in_tenths(parts_of(1, 1, 1, 0)) == parts_of(334, 333, 333, 0)


@given(amounts=st.lists(st.integers(0, 10**7), min_size=4, max_size=4).filter(any))
def test_shares_sum_to_a_hundred_percent(amounts: list[int]) -> None:
    """Shares sum to 100.0 percent, each within a tenth of its exact value."""
    shares = shares_in_tenths(parts_of(*amounts))

    assert sum(shares.values()) == 1000
    total = sum(amounts)
    for amount, share in zip(amounts, shares.values(), strict=True):
        assert abs(share * total - amount * 1000) < total


@fewer_examples(3)
@given(entries=st.lists(strategies.entries(), max_size=20))
def test_totals_sum_to_zero_overall_and_by_fund(entries: list[JournalEntry]) -> None:
    """The totals of any entries sum to zero, overall and per fund, up to any month."""
    totals = Totals.of_entries(entries)

    types = ("assets", "liabilities", "equity", "income", "expenses")
    for year in range(date(2019, 1, 1).year, 2032):
        for fund in (None, *Fund):
            assert totals.sum_cents(*types, fund=fund, period=Period.before_year(year)) == 0


@given(st.lists(entries(), max_size=12))
def test_all_funds_together_are_their_sum(books: list[JournalEntry]) -> None:
    """This holds for any books, in each year, the year before them and the year after."""
    totals = Totals.of_entries(books)
    years = {entry.day.year for entry in books} or {2026}

    for year in range(min(years) - 1, max(years) + 2):
        assert budget_of_year(totals, year).total == total_of_year(totals, year)


DAY = date(2026, 11, 20)
RENT = FixedCost("Rent", 20_000, date(2026, 1, 1), date(2026, 11, 20))
SOFTWARE = FixedCost("Software", 5_000, date(2025, 1, 1))
FUTURE = FixedCost("Van", 90_000, date(2026, 11, 21))

PUBLISHED_TOTALS = Totals.of(
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


def test_an_overview_has_every_figure_of_its_day() -> None:
    """The overview has pledges, cash, fixed costs, deployed money and the year's budget."""
    overview = cash_overview(
        PUBLISHED_TOTALS, day=DAY, pledges_cents=[1_000, 500], fixed_costs=[RENT, SOFTWARE, FUTURE]
    )

    assert (
        overview.monthly_donation_cents,
        overview.cash_at_hand_cents,
        overview.monthly_fixed_cost_cents,
        overview.cash_deployed_cents,
        overview.year,
    ) == (1_500, 64_000, 25_000, 34_000, 2026)
    assert overview.budget.available == 100_000


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
