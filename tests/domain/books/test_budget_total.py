"""The yearly budget of all funds together is the sum of the budgets of the single funds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.balances import Totals
from jara.domain.books.budget import budget_of_year, total_of_year
from jara.domain.books.journal import JournalEntry
from tests.strategies import entries


@given(st.lists(entries(), max_size=12))
def test_all_funds_together_are_their_sum(books: list[JournalEntry]) -> None:
    """This holds for any books, in each year, the year before them and the year after."""
    totals = Totals.of_entries(books)
    years = {entry.day.year for entry in books} or {2026}

    for year in range(min(years) - 1, max(years) + 2):
        assert budget_of_year(totals, year).total == total_of_year(totals, year)
