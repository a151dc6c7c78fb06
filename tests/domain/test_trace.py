"""Whose dollars paid for what: the rules of money §10, one by one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from jara.domain.books.account import (
    BANK,
    BANK_FEES,
    EXCHANGE,
    FEES,
    GIFTS,
    GRANTS,
    OPENING,
    PLEDGES,
    STRIPE,
    SUSPENSE,
    TRANSFERS,
    Fund,
)
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, reversal_of
from jara.domain.books.trace import build_trace
from jara.domain.books.trace_operations import Incoming, Operation, Outgoing, operations
from jara.domain.books.trace_reads import (
    Payer,
    Payers,
    Traced,
    find_difference,
    payers_of_entry,
    trace_of_lot,
    trace_of_member,
)
from jara.domain.books.trace_rows import Label, MemoryTrace, Pool, Segment
from jara.domain.errors import NotFound
from tests.domain.trace_histories import entry_of

WELL = "expenses:projects:well"
P, S, M, C = Fund.PROJECTS, Fund.STAFF, Fund.MARKETING, Fund.COMMITTED
OTHER = Fund.OTHER


def _gift(cents: int, member: str | None) -> JournalEntry:
    return entry_of(EntryKind.GIFT, (GIFTS, P, -cents), member=member)


def _spent(cents: int) -> JournalEntry:
    return entry_of(EntryKind.EXPENSE, (WELL, P, cents))


def _refund(cents: int, of: int | None) -> JournalEntry:
    return entry_of(EntryKind.REFUND, (GIFTS, P, cents), of=of)


def _restored(cents: int, of: int) -> JournalEntry:
    return entry_of(EntryKind.REFUND_FAILURE, (GIFTS, P, -cents), of=of)


def _reversal(history: list[JournalEntry], index: int) -> JournalEntry:
    posted = PostedEntry("x", index, datetime(2026, 3, 1, tzinfo=UTC), history[index])
    return reversal_of(posted, day=date(2026, 3, 2), why="slip")


def _projects(*history: JournalEntry) -> MemoryTrace:
    return build_trace(enumerate(history))[Pool.PROJECTS]


def _paid(rows: MemoryTrace, seq: int) -> dict[int, int]:
    return dict(trace_of_lot(rows, seq).paid)


def _operations(entry: JournalEntry, undone: JournalEntry | None = None) -> list[Operation]:
    return operations(entry, 9, undone=undone)


def test_the_worked_example_traces_every_cent_of_the_pledge() -> None:
    """A pledge of $10.00 ends as $4.00 for wells, 79 cents of fees, the rest waiting (money §7)."""
    pledge = entry_of(
        EntryKind.PLEDGE,
        *[(PLEDGES, P, -800), (PLEDGES, S, -70), (PLEDGES, M, -90), (PLEDGES, OTHER, -40)],
        *[(FEES, S, 21), (FEES, M, 26), (FEES, OTHER, 12)],
        member="ann",
    )
    promised = entry_of(EntryKind.COMMITMENT, (TRANSFERS, P, 500), (TRANSFERS, C, -500))
    tranche = entry_of(EntryKind.DISBURSEMENT, (WELL, C, 400))
    charge = entry_of(EntryKind.FEE, (BANK_FEES, S, 7), (BANK_FEES, M, 9), (BANK_FEES, OTHER, 4))
    released = entry_of(EntryKind.RELEASE, (TRANSFERS, C, 100), (TRANSFERS, P, -100))

    books = build_trace(enumerate([pledge, promised, tranche, charge, released]))

    expected = {
        Pool.PROJECTS: Traced(800, 0, 400, ((2, 400),)),
        Pool.STAFF: Traced(70, 0, 42, ((0, 21), (3, 7))),
        Pool.MARKETING: Traced(90, 0, 55, ((0, 26), (3, 9))),
        Pool.OTHER: Traced(40, 0, 24, ((0, 12), (3, 4))),
    }
    assert expected == trace_of_member(books, "ann")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (_gift(50, "ann"), [Incoming(Pool.PROJECTS, 9, 50, "ann")]),
        (_gift(50, None), [Incoming(Pool.PROJECTS, 9, 50)]),
        (
            entry_of(EntryKind.GRANT, (GRANTS, S, -50), member="ann"),
            [Incoming(Pool.STAFF, 9, 50)],
        ),
        (entry_of(EntryKind.OPENING, (OPENING, OTHER, -50)), [Incoming(Pool.OTHER, 9, 50)]),
        (
            entry_of(EntryKind.TRANSFER, (TRANSFERS, P, 50), (TRANSFERS, S, -50)),
            [Incoming(Pool.STAFF, 9, 50), Outgoing(Pool.PROJECTS, 9, 50)],
        ),
        (entry_of(EntryKind.COMMITMENT, (TRANSFERS, P, 50), (TRANSFERS, C, -50)), []),
        (entry_of(EntryKind.DISBURSEMENT, (WELL, C, 50)), [Outgoing(Pool.PROJECTS, 9, 50)]),
        (
            entry_of(EntryKind.MANUAL, (WELL, P, -50), (EXCHANGE, P, 3)),
            [Incoming(Pool.PROJECTS, 9, 50), Outgoing(Pool.PROJECTS, 9, 3)],
        ),
        (entry_of(EntryKind.SUSPENSE, (SUSPENSE, OTHER, -50)), []),
        (entry_of(EntryKind.PAYOUT, (STRIPE, OTHER, -50)), []),
        (_refund(50, of=3), [Outgoing(Pool.PROJECTS, 9, 50, refunds=3)]),
        (_refund(50, of=None), [Outgoing(Pool.PROJECTS, 9, 50)]),
        (_restored(50, of=3), [Incoming(Pool.PROJECTS, 9, 50, restores=3)]),
        (
            entry_of(EntryKind.DISPUTE, (FEES, P, 15), (GIFTS, P, 50), of=3),
            [Outgoing(Pool.PROJECTS, 9, 50, refunds=3), Outgoing(Pool.PROJECTS, 9, 15)],
        ),
        (
            replace(_spent(-50), kind=EntryKind.REVERSAL, reverses=3),
            [Incoming(Pool.PROJECTS, 9, 50, frees=3)],
        ),
        (
            replace(_spent(-50), kind=EntryKind.RETURN, of=3),
            [Incoming(Pool.PROJECTS, 9, 50, frees=3)],
        ),
        (
            replace(_refund(50, None), kind=EntryKind.REVERSAL, reverses=3),
            [Outgoing(Pool.PROJECTS, 9, 50, refunds=3)],
        ),
    ],
    ids=lambda value: f"{value.kind}" if isinstance(value, JournalEntry) else "",
)
def test_each_kind_of_posting_has_its_operation(
    entry: JournalEntry, expected: list[Operation]
) -> None:
    """Money in is a lot, money out a use, and what stays inside a pool is nothing."""
    assert expected == _operations(entry)


def test_the_reversal_of_a_refund_names_the_payment_it_restores() -> None:
    """Undoing a refund gives the money back to the lots that it was taken from."""
    refund = _refund(50, of=3)
    undo = replace(_gift(50, None), kind=EntryKind.REVERSAL, reverses=5)

    assert [Incoming(Pool.PROJECTS, 9, 50, frees=5, restores=3)] == _operations(undo, refund)


def test_money_is_used_first_in_first_out() -> None:
    """The oldest lot pays first, and a use may be paid by many lots."""
    rows = _projects(_gift(30, "ann"), _gift(20, "bob"), _spent(40))

    assert Traced(30, 0, 0, ((2, 30),)) == trace_of_lot(rows, 1)
    assert Traced(20, 0, 10, ((2, 10),)) == trace_of_lot(rows, 2)
    expected = (Payer(1, "ann", 0, 30), Payer(2, "bob", 1, 10))
    assert Payers(expected, uncovered_cents=0) == payers_of_entry(rows, 2)


def test_an_overdrawn_pool_is_paid_by_the_next_receipts() -> None:
    """What is spent before it is there is uncovered until money comes in."""
    history = [_spent(40), _gift(30, "ann")]

    assert Payers((Payer(1, "ann", 1, 30),), 10) == payers_of_entry(_projects(*history), 0)
    rows = _projects(*history, _gift(30, "bob"))
    assert Traced(30, 0, 20, ((0, 10),)) == trace_of_lot(rows, 2)


def test_a_refund_takes_unused_money_from_the_end_of_the_lot() -> None:
    """Nothing that is matched moves when waiting money goes back."""
    rows = _projects(_gift(30, "ann"), _gift(20, "bob"), _spent(10), _refund(15, of=0), _spent(10))

    assert Traced(30, 15, 0, ((2, 10), (4, 5))) == trace_of_lot(rows, 1)
    assert Traced(20, 0, 15, ((4, 5),)) == trace_of_lot(rows, 2)


def test_a_refund_takes_freed_money_before_used_money() -> None:
    """Money that a reversed payment gave back is the next to go."""
    history = [_gift(30, "ann"), _gift(30, "bob"), _spent(20), _spent(10)]
    history.append(_reversal(history, 2))

    rows = _projects(*history, _refund(15, of=0))

    assert Traced(30, 15, 5, ((3, 10),)) == trace_of_lot(rows, 1)
    assert Traced(30, 0, 30, ()) == trace_of_lot(rows, 2)
    labels = [
        Segment(0, 5, Label.FREE),
        Segment(5, 20, Label.CUT),
        Segment(20, 30, Label.USED, 3),
    ]
    assert labels == rows.segments_between(0, rows.used_cents)


def test_others_waiting_money_takes_over_what_a_refunded_lot_had_paid() -> None:
    """A refund of spent money leaves the spending paid, by those who come after."""
    rows = _projects(_gift(30, "ann"), _gift(20, "bob"), _spent(30), _refund(25, of=0))

    assert Traced(30, 25, 0, ((2, 5),)) == trace_of_lot(rows, 1)
    assert Traced(20, 0, 0, ((2, 20),)) == trace_of_lot(rows, 2)
    expected = (Payer(1, "ann", 0, 5), Payer(2, "bob", 1, 20))
    assert Payers(expected, uncovered_cents=5) == payers_of_entry(rows, 2)


def test_freed_money_is_used_before_newer_money() -> None:
    """A reversed payment's cents wait in their old place and are the oldest again."""
    history = [_gift(30, "ann"), _gift(30, "bob"), _spent(20)]
    history.append(_reversal(history, 2))

    rows = _projects(*history, _spent(5), _spent(30))

    assert _paid(rows, 1) == {4: 5, 5: 25}
    assert _paid(rows, 2) == {5: 5}


def test_the_oldest_free_money_is_used_first_whatever_was_freed_first() -> None:
    """The place on the axis counts, not the order of the reversals."""
    history = [_gift(60, "ann"), _spent(10), _spent(10)]
    history += [_reversal(history, 2), _reversal(history, 1), _spent(5)]

    assert [Segment(0, 5, Label.USED, 5)] == _projects(*history).segments_of_entry(5)


@pytest.mark.parametrize(
    ("cents", "expected"),
    [
        (
            3,
            [
                Segment(0, 10, Label.USED, 5),
                Segment(10, 20, Label.USED, 3),
                Segment(20, 22, Label.USED, 5),
                Segment(22, 25, Label.FREE),
            ],
        ),
        (
            8,
            [
                Segment(0, 7, Label.USED, 5),
                Segment(7, 10, Label.FREE),
                Segment(10, 20, Label.USED, 3),
                Segment(20, 25, Label.FREE),
            ],
        ),
    ],
)
def test_a_partial_reversal_frees_the_last_cents_of_a_payment(
    cents: int, expected: list[Segment]
) -> None:
    """What a payee returns is given back to those whose money went last."""
    history = [_gift(30, "ann"), _gift(30, "bob"), _spent(10), _spent(10)]
    history += [_reversal(history, 2), _spent(15)]

    rows = _projects(*history, replace(_spent(-cents), kind=EntryKind.REVERSAL, reverses=5))

    assert expected == rows.segments_between(0, rows.used_cents)


def test_a_reversal_that_is_reversed_restores_the_payment() -> None:
    """A slip that was no slip after all leaves the member's money where it was."""
    history = [_gift(30, "ann"), _gift(30, "bob")]
    history.append(_reversal(history, 0))
    history.append(_reversal(history, 2))

    books = build_trace(enumerate(history))

    assert Traced(30, 0, 30, ()) == trace_of_member(books, "ann")[Pool.PROJECTS]
    assert books[Pool.PROJECTS].lot(3).restores == 1


def test_a_won_dispute_is_a_new_lot_that_names_the_old_one() -> None:
    """Restored money counts once: at the lot that restores it."""
    rows = _projects(_gift(30, "ann"), _refund(30, of=0), _restored(20, of=0), _spent(5))

    assert Traced(10, 10, 0, ()) == trace_of_lot(rows, 1)
    assert Traced(20, 0, 15, ((3, 5),)) == trace_of_lot(rows, 2)
    assert rows.lot(2).member == "ann"
    expected = Traced(30, 10, 15, ((3, 5),))
    assert expected == trace_of_member({Pool.PROJECTS: rows}, "ann")[Pool.PROJECTS]


def test_restored_money_can_be_refunded_and_restored_again() -> None:
    """The lots of a payment are its own and all that ever restored them."""
    back = [_refund(30, of=0), _restored(30, of=0)]

    rows = _projects(_gift(30, "ann"), *back, *back)

    assert [lot.restores for lot in rows.lots_between(1, 3)] == [None, 1, 2]
    expected = Traced(30, 0, 30, ())
    assert expected == trace_of_member({Pool.PROJECTS: rows}, "ann")[Pool.PROJECTS]


def test_a_refund_goes_on_to_restored_money_only_when_it_must() -> None:
    """The payment's own lot gives first, what was restored later gives last."""
    rows = _projects(_gift(30, "ann"), _refund(10, of=0), _restored(10, of=0), _refund(15, of=0))

    assert Traced(20, 15, 5, ()) == trace_of_lot(rows, 1)
    assert Traced(10, 0, 10, ()) == trace_of_lot(rows, 2)


def test_more_than_was_there_is_a_plain_use_or_lot() -> None:
    """The trace agrees with the fund even when a provider takes or gives too much."""
    rows = _projects(_gift(30, "ann"), _gift(9, "bob"), _refund(35, of=0), _restored(50, of=0))

    assert Traced(0, 0, 0, ()) == trace_of_lot(rows, 1)
    assert Traced(9, 0, 4, ((2, 5),)) == trace_of_lot(rows, 2)
    assert [(lot.restores, lot.cents) for lot in rows.lots_between(3, 4)] == [(1, 30), (None, 20)]


def test_lots_that_were_refunded_whole_pay_for_nothing() -> None:
    """A lot without cents left on the axis is passed over when payers are listed."""
    rows = _projects(
        _gift(30, "ann"), _gift(9, "bob"), _gift(9, "cy"), _refund(9, of=1), _spent(35)
    )

    expected = (Payer(1, "ann", 0, 30), Payer(3, "cy", 2, 5))
    assert Payers(expected, uncovered_cents=0) == payers_of_entry(rows, 4)


def test_a_lot_that_does_not_exist_is_not_found() -> None:
    """A reader who names a lot that is not there is told so."""
    with pytest.raises(NotFound, match="no lot 2"):
        trace_of_lot(_projects(_gift(30, "ann")), 2)


def test_differences_name_the_row() -> None:
    """Verification says which lot, segment or hole is not as the entries make it."""
    expected = _projects(_gift(30, "ann"), _spent(5))
    unholed = _projects(_gift(30, "ann"), _spent(5))
    unholed.add_holes([1], 3)

    assert find_difference(expected, _projects(_gift(30, "ann"), _spent(5))) is None
    for actual, word in (
        (_projects(_gift(31, "ann"), _spent(5)), "cents=31"),
        (_projects(_gift(30, "ann"), _spent(6)), "stop=6"),
        (_projects(_gift(30, "ann")), "holds None"),
        (unholed, "holes"),
    ):
        found = find_difference(expected, actual)
        assert found is not None
        assert word in found


def test_money_leaves_suspense_for_income() -> None:
    """What nobody knows is nobody's until it is booked as somebody's."""
    leaves = replace(
        entry_of(EntryKind.MANUAL, (SUSPENSE, P, 50), (GIFTS, P, -50)), member_key="ann"
    )

    assert all(posting.account != BANK for posting in leaves.postings)
    assert [Incoming(Pool.PROJECTS, 9, 50, "ann")] == _operations(leaves)
