"""Reconciling statements with the books: no difference, or a list that explains it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.spending import Spending, spending_entry
from jara.domain.errors import Conflict
from jara.records.bank import BankAccount
from jara.records.operations import Approval
from jara.services.bank.reconciling import reconcile_bank
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.context import Context
from jara.services.operations.import_undo import undo_import
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import make_organisation
from tests.places import NewPlace, leave
from tests.services.bank.bank_books import END, compared, open_with, take
from tests.sizes import fewer_examples


def spend(context: Context, cents: int, day: date) -> str:
    """Post a payment out of the bank; return its id."""
    spending = Spending("expenses:operations", Fund.OTHER, cents)
    posted = post_entry(context, spending_entry(day, spending, available_cents=cents))
    assert not isinstance(posted, Approval)
    return posted.id


def test_every_kind_of_difference_is_named(context: Context) -> None:
    """Waiting lines, entries missing at the bank, and entries of another month are listed."""
    open_with(context, 9_900)
    spend(context, 111, date(2026, 5, 20))
    spend(context, 222, date(2026, 6, 1))
    spend(context, 333, date(2026, 5, 31))
    undone = spend(context, 444, date(2026, 5, 9))
    reverse_entry(context, undone, why="never paid", day=date(2026, 5, 10))
    take(
        context,
        a_statement(a_line(-5, "WHAT", day=9), a_line(-222, "EARLY", day=31), opening=10_000),
        a_statement(
            a_line(-333, "LATE", day=33),
            opening=9_773,
            first=date(2026, 6, 1),
            last=date(2026, 6, 30),
        ),
    )
    found = compared(context)

    assert (found.statement_cents, found.books_cents, found.difference_cents) == (9_773, 9_456, 317)
    assert [(one.what, one.cents) for one in found.differences] == [
        ("opening balance", 100),
        ("line waits", -5),
        ("booked later", -222),
        ("on a later statement", 333),
        ("not at the bank", 111),
    ]
    assert found.covered_to == date(2026, 6, 30)


def test_an_entry_from_before_the_first_statement_is_no_difference(context: Context) -> None:
    """The opening balances include an entry whose line is on the first statement."""
    open_with(context, 10_000, day=date(2026, 4, 1))
    spend(context, 300, date(2026, 4, 29))
    take(context, a_statement(a_line(-300, "LATE", day=2), opening=10_000))

    assert compared(context).differences == ()
    early = compared(context, date(2026, 5, 1))
    assert [(one.what, one.cents) for one in early.differences] == [("on a later statement", 300)]


def test_without_any_balance_the_books_are_the_start(context: Context) -> None:
    """Some banks' files contain no balance; then the books give the start."""
    open_with(context, 10_000)
    take(context, a_statement(a_line(-5, "WHAT"), opening=None))

    assert (
        compared(context).statement_cents,
        compared(context).books_cents,
    ) == (9_995, 10_000)


def test_months_without_statements_are_refused(context: Context) -> None:
    """The message says which days are covered."""
    take(context, a_statement(a_line(5, "A")))

    for day in (date(2026, 4, 30), date(2026, 6, 30)):
        with pytest.raises(Conflict, match="cover 2026-05-01 to 2026-05-31"):
            reconcile_bank(context, day)


def test_an_account_without_statements_is_refused(context: Context) -> None:
    """When the only import was undone, there is nothing to compare with."""
    outcome = take(context, a_statement(a_line(5, "A")))
    undo_import(context, outcome.id, why="wrong")

    with pytest.raises(Conflict, match=r"There is no statement of .*; import one"):
        reconcile_bank(context, END)


@fewer_examples(4)
@given(
    entries=st.lists(st.tuples(st.integers(1, 5), st.integers(-10, 40)), max_size=8),
    lines=st.lists(st.tuples(st.integers(1, 5), st.integers(1, 31)), max_size=8),
    day=st.integers(1, 31),
)
def test_the_list_always_explains_the_difference(
    new_place: NewPlace,
    entries: list[tuple[int, int]],
    lines: list[tuple[int, int]],
    day: int,
) -> None:
    """For any entries and bank lines, the listed items add up to the difference."""
    folder = new_place()
    context = make_organisation(folder)
    open_with(context, 10_000, day=date(2026, 4, 1))
    for cents, after in entries:
        spend(context, cents, date.fromordinal(date(2026, 5, 1).toordinal() + after))
    listed = [a_line(-cents, "X", day=on) for cents, on in sorted(lines, key=lambda item: item[1])]
    take(context, a_statement(*listed, opening=10_000))

    compared(context, date(2026, 5, day))
    leave(folder)


@pytest.mark.parametrize(("number", "books_cents"), [(None, 9_300), ("SECOND", 10_000)])
def test_a_sub_account_belongs_to_the_nearest_account_at_the_bank(
    context: Context, number: str | None, books_cents: int
) -> None:
    """The books of a bank account include its sub-accounts, except those of another one."""
    open_with(context, 10_000)
    take(context, a_statement(opening=10_000))
    with context.store.write() as work:
        work.book_settings.put_account("assets:bank:td", kind="assets", meaning="A second account")
        if number is not None:
            account = BankAccount(number, "assets:bank:td")
            work.bank.put_account(account, at=context.now())
    entry = post_entry(
        context,
        JournalEntry(
            day=date(2026, 5, 20),
            kind=EntryKind.EXPENSE,
            description="Expense",
            postings=(
                Posting("expenses:operations", Fund.OTHER, 700),
                Posting("assets:bank:td", Fund.OTHER, -700),
            ),
        ),
    )
    with context.store.read() as work:
        ours = work.bank.accounts()[0].number
    found = reconcile_bank(context, END, account=ours)

    assert isinstance(entry, PostedEntry)
    assert found.books_cents == books_cents
    assert sum(one.cents for one in found.differences) == found.difference_cents
    assert [one.id for one in found.differences] == ([entry.id] if number is None else [])
