"""The views agree with the journal on each engine and name no person."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.proposals.closing import close_due_votes
from jara.store.sql.tables import names_made
from jara.store.store import Store
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, refund, vote
from tests.store.conftest import NewDatabase

DAY = date(2026, 11, 20)


@pytest.fixture
def context(tmp_path: Path, new_database: NewDatabase) -> Iterator[Context]:
    """Books with payments, a refund, spending on a project and a grant, and an open vote."""
    context = make_organisation(tmp_path, database=new_database())
    ada, bob = add_member(context, "ada", cents=2000), add_member(context, "bob")
    refund(context, bob, 400)
    open_vote(context)
    vote(context, ada)
    spend(context, EntryKind.DISBURSEMENT, "expenses:projects:wells", 300)
    spend(context, EntryKind.RETURN, "expenses:projects:wells", -100)
    spend(context, EntryKind.DISBURSEMENT, "expenses:grants:school", 50)
    yield context
    context.store.close()


def spend(context: Context, kind: EntryKind, account: str, cents: int) -> None:
    """Book money paid to or returned by a payee."""
    postings = (
        Posting(account, Fund.PROJECTS, cents),
        Posting("assets:stripe", Fund.PROJECTS, -cents),
    )
    with context.store.write() as work:
        Books(context, work).post(JournalEntry(DAY, kind, "Payment", postings))


def rows(context: Context, statement: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    assert isinstance(context.store, Store)
    with context.store.read() as work:
        return [tuple(row) for row in work.sql.all(statement)]


def test_contributions_are_the_payments(context: Context) -> None:
    """Each payment is listed with its refunds."""
    found = rows(
        context,
        "SELECT kind, cents, returned_cents, kept_cents, dispute FROM contributions ORDER BY cents",
    )

    assert found == [("pledge", 1000, 400, 600, "none"), ("pledge", 2000, 0, 2000, "none")]


def test_reversed_payments_do_not_count(context: Context) -> None:
    """The sum of the net contributions equals the income, also after a reversed payment."""
    (entry,) = rows(context, "SELECT entry FROM contributions WHERE cents = 2000")
    reverse_entry(context, entry[0], why="another member's")

    found = rows(context, "SELECT cents, kept_cents, dispute FROM contributions ORDER BY cents")
    income = rows(context, "SELECT cents FROM balances WHERE account LIKE 'income:%'")
    assert found == [(1000, 600, "none"), (2000, 0, "reversed")]
    assert -sum(cents for (cents,) in income) == 600


def test_disbursements_add_up_to_the_spending_of_projects(context: Context) -> None:
    """Returned money is negative, and a grant has no project."""
    found = rows(context, "SELECT project, cents FROM disbursements ORDER BY cents")

    assert found == [("wells", -100), (None, 50), ("wells", 300)]
    assert rows(
        context, "SELECT project, cents, payments, first_day, last_day FROM project_spending"
    ) == [("wells", 200, 2, DAY.isoformat(), DAY.isoformat())]


def test_balances_are_those_of_the_journal(context: Context) -> None:
    """Balances per account and fund equal the journal's."""
    expected: Counter[tuple[str, str]] = Counter()
    with context.store.read() as work:
        for posted in work.journal.in_log_order():
            for posting in posted.entry.postings:
                expected[posting.account, posting.fund.value] += posting.cents

    found = {
        (account, fund): cents
        for account, fund, cents in rows(context, "SELECT account, fund, cents FROM balances")
    }

    assert found == dict(expected)


def test_movements_of_a_fund_are_the_change_of_its_money(context: Context) -> None:
    """Receipts, spending and transfers add up to the change of the fund's assets."""
    assets = rows(
        context, "SELECT fund, SUM(cents) FROM balances WHERE account LIKE 'assets:%' GROUP BY fund"
    )
    moved = rows(
        context,
        "SELECT fund, SUM(received_cents - spent_cents + moved_cents) FROM fund_movements "
        "GROUP BY fund",
    )

    assert {fund: int(cents) for fund, cents in assets} == {
        fund: int(cents) for fund, cents in moved
    }


def test_a_vote_shows_its_counts(context: Context) -> None:
    """The view has the result of a closed vote, and nothing of an open one."""
    select = "SELECT proposal, status, yes, no, void, roll FROM vote_results"
    assert rows(context, select) == []
    clock_of(context).advance(days=30)
    close_due_votes(context)
    assert rows(context, select) == [("clean-water", "passed", 1, 0, 0, 2)]


def test_no_view_names_a_person(context: Context) -> None:
    """No value of a view is in the members table."""
    ask = "SELECT id, member_key, firstname, lastname, email, email_key FROM members"
    people = {value for row in rows(context, ask) for value in row}

    asked = [f"SELECT * FROM {view}" for view in names_made("VIEW")]  # noqa: S608 - our own views
    shown = {value for ask in asked for row in rows(context, ask) for value in row}

    assert people
    assert shown.isdisjoint(people)
