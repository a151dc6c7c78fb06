"""Entries balance within each fund by construction, and are reversed, never changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given

from jara.domain.books.account import AccountType, Fund
from jara.domain.books.journal import (
    CENTS_MAX,
    EntryKind,
    JournalEntry,
    PostedEntry,
    Posting,
    fund_sums,
    merged,
    reversal_of,
    total_of,
)
from jara.domain.errors import InvalidInput, UnbalancedEntry, UnknownAccount
from tests.strategies import entries, postings

DAY = date(2026, 11, 20)


def an_entry(*made: Posting) -> JournalEntry:
    """Build an entry of some postings."""
    return JournalEntry(DAY, EntryKind.MANUAL, "Test", made)


def test_an_entry_must_balance_in_each_fund() -> None:
    """Two funds that balance only together are refused, with fund and amount named."""
    with pytest.raises(UnbalancedEntry, match=r"off by \$5.00 in the fund 'staff'"):
        an_entry(Posting("assets:bank", Fund.STAFF, 500), Posting("income:gifts", Fund.OTHER, -500))


@pytest.mark.parametrize("count", [0, 1])
def test_an_entry_needs_two_postings(count: int) -> None:
    """Double entry means two postings at least."""
    with pytest.raises(UnbalancedEntry, match=f"has {count} postings"):
        an_entry(*[Posting("assets:bank", Fund.STAFF, 500)][:count])


@pytest.mark.parametrize("cents", [0, CENTS_MAX + 1, -CENTS_MAX - 1, True, 1.5])
def test_a_posting_holds_whole_cents_within_limits(cents: int) -> None:
    """Zero, fractions, booleans and integers too large for JSON are refused."""
    with pytest.raises(InvalidInput):
        Posting("assets:bank", Fund.STAFF, cents)


def test_a_posting_names_an_account() -> None:
    """A malformed account is refused when the posting is created."""
    with pytest.raises(UnknownAccount):
        Posting("bank", Fund.STAFF, 5)


def test_postings_on_one_cell_are_added_up() -> None:
    """Merging keeps the order of first appearance and drops sums of zero."""
    bank, fees = ("assets:bank", Fund.STAFF), ("expenses:fees", Fund.STAFF)

    result = merged([Posting(*bank, 5), Posting(*fees, 3), Posting(*bank, 2), Posting(*fees, -3)])

    assert result == (Posting(*bank, 7),)


@given(made=postings())
def test_merging_law_sums_stay(made: tuple[Posting, ...]) -> None:
    """Merging changes no fund's sum."""
    assert not any(fund_sums(merged(made)).values())


@given(entry=entries())
def test_reversal_law_an_entry_and_its_reversal_come_to_nothing(entry: JournalEntry) -> None:
    """A reversal has opposite postings, names the reversed entry and can be posted again."""
    entry = replace(entry, external_id="txn_1", of=2, true_day=DAY)
    posted = PostedEntry("ABCDEFGHIJKLMNOP", 7, datetime(2026, 1, 1, tzinfo=UTC), entry)

    undone = reversal_of(posted, day=DAY, why="typing error")

    assert merged([*entry.postings, *undone.postings]) == ()
    assert (undone.reverses, undone.kind, undone.day) == (7, EntryKind.REVERSAL, DAY)
    assert (undone.external_id, undone.of, undone.true_day) == (None, None, None)
    assert undone.note == "typing error"
    assert "typing" not in undone.description


def test_a_type_is_summed_over_its_accounts() -> None:
    """The total of a type includes only its own accounts."""
    entry = an_entry(
        Posting("expenses:fees", Fund.STAFF, 30),
        Posting("expenses:staff", Fund.STAFF, 70),
        Posting("assets:bank", Fund.STAFF, -100),
    )

    assert total_of(entry, AccountType.EXPENSES) == 100
    assert total_of(entry, AccountType.INCOME) == 0
