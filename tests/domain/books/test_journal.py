"""Entries, accounts and funds: balanced by construction, dated in an open year."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given

from jara.domain.books import journal
from jara.domain.books.account import AccountType, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.years import BookingDay, booking_day, require_near, require_open_year
from jara.domain.errors import InvalidInput, UnbalancedEntry, UnknownAccount, YearLocked
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


@pytest.mark.parametrize("cents", [0, journal.CENTS_MAX + 1, -journal.CENTS_MAX - 1, True, 1.5])
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

    result = journal.merged(
        [Posting(*bank, 5), Posting(*fees, 3), Posting(*bank, 2), Posting(*fees, -3)]
    )

    assert result == (Posting(*bank, 7),)


@given(made=postings())
def test_merging_law_sums_stay(made: tuple[Posting, ...]) -> None:
    """Merging changes no fund's sum."""
    assert not any(journal.fund_sums(journal.merged(made)).values())


@given(entry=entries())
def test_reversal_law_an_entry_and_its_reversal_come_to_nothing(entry: JournalEntry) -> None:
    """A reversal has opposite postings, names the reversed entry and can be posted again."""
    entry = replace(entry, external_id="txn_1", of=2, true_day=DAY)
    posted = PostedEntry("ABCDEFGHIJKLMNOP", 7, datetime(2026, 1, 1, tzinfo=UTC), entry)

    undone = journal.reversal_of(posted, day=DAY, why="typing error")

    assert journal.merged([*entry.postings, *undone.postings]) == ()
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

    assert journal.total_of(entry, AccountType.EXPENSES) == 100
    assert journal.total_of(entry, AccountType.INCOME) == 0


LATE = date(2024, 12, 30)


@pytest.mark.parametrize(
    ("locked", "expected"),
    [
        ((), BookingDay(LATE)),
        ((2023,), BookingDay(LATE)),
        ((2024,), BookingDay(date(2025, 1, 1), LATE)),
        ((2025, 2024), BookingDay(date(2026, 1, 1), LATE)),
        ((2025,), BookingDay(date(2026, 1, 1), LATE)),
        ((2024, 2026), BookingDay(date(2027, 1, 1), LATE)),
    ],
)
def test_a_late_movement_is_booked_on_the_first_open_day(
    locked: tuple[int, ...], expected: BookingDay
) -> None:
    """The entry stores the true day beside its own day."""
    assert booking_day(LATE, locked) == expected


def test_an_operator_cannot_post_into_a_closed_year() -> None:
    """The refusal names the year and the day."""
    require_open_year(LATE, {2023})
    with pytest.raises(YearLocked, match=r"books of 2024 are closed.*2024-12-30"):
        require_open_year(LATE, {2024})
    with pytest.raises(YearLocked, match=r"books of 2024 are closed with those of 2025.*12-30"):
        require_open_year(LATE, {2025})


def test_a_day_far_ahead_is_refused() -> None:
    """A day up to a week ahead is accepted; a later one is most often a typo in the year."""
    require_near(date(2026, 11, 27), today=date(2026, 11, 20))

    with pytest.raises(InvalidInput, match="2062-12-01 is more than 7 days ahead"):
        require_near(date(2062, 12, 1), today=date(2026, 11, 20))
