"""Reading the books: balances, registers, budgets."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.errors import NotFound
from jara.services.books.balances import Balance, read_balances, read_budget, read_register
from jara.services.books.bookkeeping import post_entry
from jara.services.books.entry_documents import read_entry
from jara.services.context import Context
from tests.harness import make_organisation
from tests.rows import a_row
from tests.services.ballots.voting_world import add_member
from tests.services.books.ledger_builders import book


@pytest.fixture
def context(place: Path) -> Context:
    """Return books with a pledge in 2025, one in 2026, and an expense."""
    context = make_organisation(place)
    days = (datetime(2025, 12, 31, 12, tzinfo=UTC), datetime(2026, 3, 5, 12, tzinfo=UTC))
    for number, day in enumerate(days):
        name = f"txn_{number}"
        book(context, a_row("charge", 10_000, 0, txn_id=name, source_id=name, created=day))
    rows = [
        {"account": "expenses:operations", "fund": "other", "cents": 300},
        {"account": "assets:bank", "fund": "other", "cents": -300},
    ]
    document = {"date": "2026-03-06", "description": "Rent", "postings": rows}
    post_entry(context, read_entry(document, today=date(2026, 3, 6)))
    return context


def test_balances_sum_to_zero_and_name_only_accounts_with_postings(context: Context) -> None:
    """Only own postings count; accounts without any are left out."""
    found = read_balances(context)

    assert found == [
        Balance("assets:bank", None, None, None, -300),
        Balance("assets:stripe", None, None, None, 20_000),
        Balance("expenses:operations", None, None, None, 300),
        Balance("income:pledges", None, None, None, -20_000),
    ]


def test_balances_have_the_keys_that_are_asked_for(context: Context) -> None:
    """The day itself counts; each requested key is part of the row."""
    march = read_balances(context, ["assets"], at=date(2026, 3, 5), by=["fund", "month"])

    assert Balance("assets:stripe", Fund.STAFF, "2025-12", None, 700) in march
    assert Balance("assets:stripe", Fund.PROJECTS, "2026-03", None, 8000) in march
    assert {row.account for row in march} == {"assets:stripe"}
    years = read_balances(context, ["assets:stripe"], by=["year"])
    assert [(row.year, row.cents) for row in years] == [(2025, 10_000), (2026, 10_000)]


def test_an_account_that_does_not_exist_is_not_zero(context: Context) -> None:
    """An unknown account is an error; one without postings, or a parent, is not."""
    assert read_balances(context, ["assets:stripe-reserve"]) == []
    assert read_balances(context, ["expenses:projects"]) == []
    assert read_balances(context, ["liabilities"]) == []
    with pytest.raises(NotFound, match="There is no account 'asset'"):
        read_balances(context, ["asset"])
    with pytest.raises(NotFound, match="'nothing'"):
        list(read_register(context, "nothing", first_day=None, last_day=None))


def test_a_register_runs_from_the_balance_before_its_first_day(context: Context) -> None:
    """The register shows the operator's own text where there is any."""
    lines = list(
        read_register(
            context, "assets:stripe", first_day=date(2026, 1, 1), last_day=date(2026, 12, 31)
        )
    )
    rent = list(read_register(context, "assets:bank", first_day=None, last_day=None))

    assert [(row.line.cents, row.line.balance_cents) for row in lines] == [(10_000, 20_000)]
    assert [row.description for row in lines] == ["Pledge payment"]
    assert [row.description for row in rent] == ["Rent"]


def test_a_year_has_its_opening_amount_and_income(context: Context) -> None:
    """The opening amount and the income of the year are available."""
    budget = read_budget(context, 2026)

    assert (budget.total.opening, budget.total.received, budget.total.spent) == (
        10_000,
        10_000,
        300,
    )
    assert budget.total.unallocated == 19_700


def test_a_register_can_show_one_member(place: Path) -> None:
    """Only the member's entries are shown, with a balance of their own."""
    context = make_organisation(place)
    add_member(context, "ada", cents=2000)
    add_member(context, "bob")

    rows = read_register(context, "income:pledges", first_day=None, last_day=None, member="ada")

    paid = [(row.line.cents, row.line.balance_cents) for row in rows]
    assert sum(cents for cents, _ in paid) == -2000
    assert paid[-1][1] == -2000
