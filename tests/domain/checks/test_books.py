"""The checks of the books find every fault, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.balances import sum_by_cell
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import JournalEntry, Posting
from jara.domain.checks.books import (
    Finding,
    check_commitments,
    check_entry_balances,
    check_outside_ids,
    check_totals,
)
from tests import strategies

BANK = Posting("assets:bank", Fund.STAFF, 500)


def test_an_entry_out_of_balance_is_found() -> None:
    """Too few postings and a fund that does not sum to zero are two findings."""
    balanced = [BANK, Posting("income:gifts", Fund.STAFF, -500)]
    findings = list(check_entry_balances([("E1", [BANK]), ("E2", []), ("E3", balanced)]))

    assert findings == [
        Finding("entry_balances", "E1", "The entry E1 has 1 postings; it needs at least two."),
        Finding("entry_balances", "E1", "The entry E1 is off by $5.00 in the fund 'staff'."),
        Finding("entry_balances", "E2", "The entry E2 has 0 postings; it needs at least two."),
    ]


@given(entry=strategies.entries())
def test_a_balanced_entry_is_left_alone(entry: JournalEntry) -> None:
    """A valid entry has no finding."""
    assert list(check_entry_balances([("E1", entry.postings)])) == []


def test_totals_that_differ_from_the_postings_are_found() -> None:
    """A wrong, a missing and a superfluous total are named with both sums."""
    march = ("assets:bank", Fund.STAFF, "2026-03")
    april = ("assets:bank", Fund.STAFF, "2026-04")
    may = ("assets:bank", Fund.STAFF, "2026-05")

    june = ("assets:bank", Fund.STAFF, "2026-06")

    findings = list(check_totals({march: 5, may: 7, june: 2}, {march: 6, april: 1, june: 2}))

    assert [finding.where for finding in findings] == [
        "assets:bank staff 2026-03", "assets:bank staff 2026-04", "assets:bank staff 2026-05"
    ]  # fmt: skip
    assert findings[0].message == (
        "The total of assets:bank in the fund 'staff' for 2026-03 is $0.05; "
        "its postings sum to $0.06."
    )


@given(entries=st.lists(strategies.entries(), max_size=10), data=st.data())
def test_totals_check_law_any_changed_cell_is_found(
    entries: list[JournalEntry], data: st.DataObject
) -> None:
    """Correct totals give no finding; one cent more in one cell gives one."""
    sums = sum_by_cell(entries)
    assert list(check_totals(sums, sum_by_cell(reversed(entries)))) == []

    if sums:
        cell = data.draw(st.sampled_from(sorted(sums)))
        assert len(list(check_totals({**sums, cell: sums[cell] + 1}, sums))) == 1


def test_an_outside_id_posted_twice_is_found() -> None:
    """Both entries are named; entries without an outside id are ignored."""
    ids = [("E1", "txn_1"), ("E2", None), ("E3", "txn_1"), ("E4", None), ("E5", "txn_1")]

    assert list(check_outside_ids(ids)) == [
        Finding("outside_ids", "E3", "'txn_1' is posted twice: as E1 and as E3."),
        Finding("outside_ids", "E5", "'txn_1' is posted twice: as E1 and as E5."),
    ]


def test_commitments_add_up_to_the_committed_fund() -> None:
    """A sum that differs, and a figure below zero, are found."""
    good = [Commitment("prop_01", 500, held=100, paid=400), Commitment("prop_02", 300, held=50)]
    bad = [Commitment("prop_03", 500, held=-5)]

    assert list(check_commitments(good, 150)) == []
    assert [finding.where for finding in check_commitments([*good, *bad], 145)] == ["prop_03"]
    assert list(check_commitments(good, 100)) == [
        Finding(
            "commitments",
            "committed",
            "$1.50 is held for proposals, but the fund 'committed' has $1.00.",
        )
    ]
