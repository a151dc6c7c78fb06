"""The trace rules, one by one: whose dollars paid for what, and whose are refunded."""

from dataclasses import replace

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
)
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.trace import (
    Incoming,
    Operation,
    Outgoing,
    Payer,
    Payers,
    Traced,
    build_trace,
    operations,
    payers_of_entry,
    trace_of_lot,
    trace_of_member,
)
from jara.domain.books.trace_rows import Label, Pool, Segment
from jara.domain.checks.entries import check_trace
from jara.domain.errors import NotFound
from tests.domain.books.sums import (
    OTHER,
    WELL,
    C,
    M,
    P,
    S,
    a_gift,
    a_refund,
    a_restoration,
    a_reversal,
    an_expense,
    paid_by,
    projects_pool,
)
from tests.domain.books.trace_histories import entry_of


def operations_of(entry: JournalEntry, undone: JournalEntry | None = None) -> list[Operation]:
    """Return what an entry does to the pools, posted as the ninth."""
    return operations(entry, 9, undone=undone)


def test_the_worked_example_traces_every_cent_of_the_pledge() -> None:
    """A pledge of $10.00 ends as $4.00 for wells and 79 cents of fees; the rest waits."""
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
    assert trace_of_member(books, "ann") == expected


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (a_gift(50, "ann"), [Incoming(Pool.PROJECTS, 9, 50, "ann")]),
        (a_gift(50, None), [Incoming(Pool.PROJECTS, 9, 50)]),
        (entry_of(EntryKind.GRANT, (GRANTS, S, -50), member="ann"), [Incoming(Pool.STAFF, 9, 50)]),
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
        (a_refund(50, of=3), [Outgoing(Pool.PROJECTS, 9, 50, refunds=3)]),
        (a_refund(50, of=None), [Outgoing(Pool.PROJECTS, 9, 50)]),
        (a_restoration(50, of=3), [Incoming(Pool.PROJECTS, 9, 50, restores=3)]),
        (
            entry_of(EntryKind.DISPUTE, (FEES, P, 15), (GIFTS, P, 50), of=3),
            [Outgoing(Pool.PROJECTS, 9, 50, refunds=3), Outgoing(Pool.PROJECTS, 9, 15)],
        ),
        (
            replace(an_expense(-50), kind=EntryKind.REVERSAL, reverses=3),
            [Incoming(Pool.PROJECTS, 9, 50, frees=3)],
        ),
        (
            replace(an_expense(-50), kind=EntryKind.RETURN, of=3),
            [Incoming(Pool.PROJECTS, 9, 50, frees=3)],
        ),
        (
            replace(a_refund(50, None), kind=EntryKind.REVERSAL, reverses=3),
            [Outgoing(Pool.PROJECTS, 9, 50, refunds=3)],
        ),
    ],
    ids=lambda value: f"{value.kind}" if isinstance(value, JournalEntry) else "",
)
def test_each_kind_of_posting_has_its_operation(
    entry: JournalEntry, expected: list[Operation]
) -> None:
    """Money in is a lot, money out is a use, and a movement within a pool is neither."""
    assert operations_of(entry) == expected


def test_the_reversal_of_a_refund_names_the_payment_it_restores() -> None:
    """Reversing a refund returns the money to the lots it was taken from."""
    refund = a_refund(50, of=3)
    undo = replace(a_gift(50, None), kind=EntryKind.REVERSAL, reverses=5)

    assert operations_of(undo, refund) == [Incoming(Pool.PROJECTS, 9, 50, frees=5, restores=3)]


def test_freed_money_is_used_before_newer_money() -> None:
    """The freed cents keep their old place and so become the oldest free money again."""
    history = [a_gift(30, "ann"), a_gift(30, "bob"), an_expense(20)]
    history.append(a_reversal(history, 2))

    rows = projects_pool(*history, an_expense(5), an_expense(30))

    assert paid_by(rows, 1) == {4: 5, 5: 25}
    assert paid_by(rows, 2) == {5: 5}


def test_the_oldest_free_money_is_used_first() -> None:
    """The position on the axis decides, not the order of the reversals."""
    history = [a_gift(60, "ann"), an_expense(10), an_expense(10)]
    history += [a_reversal(history, 2), a_reversal(history, 1), an_expense(5)]

    assert projects_pool(*history).segments_of_entry(5) == [Segment(0, 5, Label.USED, 5)]


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
    """A partial return goes to the lots that paid last."""
    history = [a_gift(30, "ann"), a_gift(30, "bob"), an_expense(10), an_expense(10)]
    history += [a_reversal(history, 2), an_expense(15)]

    rows = projects_pool(*history, replace(an_expense(-cents), kind=EntryKind.REVERSAL, reverses=5))

    assert rows.segments_between(0, rows.used_cents) == expected


def test_a_reversal_that_is_reversed_restores_the_payment() -> None:
    """Reversing a reversal restores the original allocation of the member's money."""
    history = [a_gift(30, "ann"), a_gift(30, "bob")]
    history.append(a_reversal(history, 0))
    history.append(a_reversal(history, 2))

    books = build_trace(enumerate(history))

    assert trace_of_member(books, "ann")[Pool.PROJECTS] == Traced(30, 0, 30, ())
    assert books[Pool.PROJECTS].lot(3).restores == 1


def test_a_lot_that_does_not_exist_is_not_found() -> None:
    """The message names a lot that does not exist."""
    with pytest.raises(NotFound, match="no lot 2"):
        trace_of_lot(projects_pool(a_gift(30, "ann")), 2)


def test_differences_name_the_row() -> None:
    """Verification names each lot, segment or hole that differs from the entries."""
    expected = projects_pool(a_gift(30, "ann"), an_expense(5))
    unholed = projects_pool(a_gift(30, "ann"), an_expense(5))
    unholed.add_holes([1], 3)

    same = projects_pool(a_gift(30, "ann"), an_expense(5))
    assert list(check_trace(Pool.PROJECTS, same, expected)) == []
    for actual, word in (
        (projects_pool(a_gift(31, "ann"), an_expense(5)), "cents=31"),
        (projects_pool(a_gift(30, "ann"), an_expense(6)), "stop=6"),
        (projects_pool(a_gift(30, "ann")), "stored as None"),
        (unholed, "holes"),
    ):
        found = list(check_trace(Pool.PROJECTS, actual, expected))
        assert word in found[0].message


def test_money_leaves_suspense_for_income() -> None:
    """Money in suspense belongs to no member until it is booked as income."""
    leaves = replace(
        entry_of(EntryKind.MANUAL, (SUSPENSE, P, 50), (GIFTS, P, -50)), member_key="ann"
    )

    assert all(posting.account != BANK for posting in leaves.postings)
    assert operations_of(leaves) == [Incoming(Pool.PROJECTS, 9, 50, "ann")]


def test_a_refund_takes_unused_money_from_the_end_of_the_lot() -> None:
    """Refunding unused money moves no matched money."""
    rows = projects_pool(
        a_gift(30, "ann"), a_gift(20, "bob"), an_expense(10), a_refund(15, of=0), an_expense(10)
    )

    assert trace_of_lot(rows, 1) == Traced(30, 15, 0, ((2, 10), (4, 5)))
    assert trace_of_lot(rows, 2) == Traced(20, 0, 15, ((4, 5),))


def test_a_refund_takes_freed_money_before_used_money() -> None:
    """Money freed by a reversed payment is refunded before used money."""
    history = [a_gift(30, "ann"), a_gift(30, "bob"), an_expense(20), an_expense(10)]
    history.append(a_reversal(history, 2))

    rows = projects_pool(*history, a_refund(15, of=0))

    assert trace_of_lot(rows, 1) == Traced(30, 15, 5, ((3, 10),))
    assert trace_of_lot(rows, 2) == Traced(30, 0, 30, ())
    labels = [Segment(0, 5, Label.FREE), Segment(5, 20, Label.CUT), Segment(20, 30, Label.USED, 3)]
    assert rows.segments_between(0, rows.used_cents) == labels


def test_later_lots_cover_the_spending_of_a_refunded_lot() -> None:
    """After a refund of spent money, later lots cover the spending."""
    rows = projects_pool(a_gift(30, "ann"), a_gift(20, "bob"), an_expense(30), a_refund(25, of=0))

    assert trace_of_lot(rows, 1) == Traced(30, 25, 0, ((2, 5),))
    assert trace_of_lot(rows, 2) == Traced(20, 0, 0, ((2, 20),))
    expected = (Payer(1, "ann", 0, 5), Payer(2, "bob", 1, 20))
    assert payers_of_entry(rows, 2) == Payers(expected, uncovered_cents=5)


def test_a_won_dispute_is_a_new_lot_that_names_the_old_one() -> None:
    """Restored money counts once: at the lot that restores it."""
    rows = projects_pool(
        a_gift(30, "ann"), a_refund(30, of=0), a_restoration(20, of=0), an_expense(5)
    )

    assert trace_of_lot(rows, 1) == Traced(10, 10, 0, ())
    assert trace_of_lot(rows, 2) == Traced(20, 0, 15, ((3, 5),))
    assert rows.lot(2).member == "ann"
    expected = Traced(30, 10, 15, ((3, 5),))
    assert trace_of_member({Pool.PROJECTS: rows}, "ann")[Pool.PROJECTS] == expected


def test_restored_money_can_be_refunded_and_restored_again() -> None:
    """The lots of a payment are its own and every lot that restored them."""
    back = [a_refund(30, of=0), a_restoration(30, of=0)]

    rows = projects_pool(a_gift(30, "ann"), *back, *back)

    assert [lot.restores for lot in rows.lots_between(1, 3)] == [None, 1, 2]
    expected = Traced(30, 0, 30, ())
    assert trace_of_member({Pool.PROJECTS: rows}, "ann")[Pool.PROJECTS] == expected


def test_a_refund_goes_on_to_restored_money_only_when_it_must() -> None:
    """A refund takes from the payment's own lot first and from the last restored lot last."""
    rows = projects_pool(
        a_gift(30, "ann"), a_refund(10, of=0), a_restoration(10, of=0), a_refund(15, of=0)
    )

    assert trace_of_lot(rows, 1) == Traced(20, 15, 5, ())
    assert trace_of_lot(rows, 2) == Traced(10, 0, 10, ())


def test_more_than_was_there_is_a_plain_use_or_lot() -> None:
    """The trace agrees with the fund even if a provider takes or returns too much."""
    rows = projects_pool(
        a_gift(30, "ann"), a_gift(9, "bob"), a_refund(35, of=0), a_restoration(50, of=0)
    )

    assert trace_of_lot(rows, 1) == Traced(0, 0, 0, ())
    assert trace_of_lot(rows, 2) == Traced(9, 0, 4, ((2, 5),))
    assert [(lot.restores, lot.cents) for lot in rows.lots_between(3, 4)] == [(1, 30), (None, 20)]


def test_lots_that_were_refunded_whole_pay_for_nothing() -> None:
    """The list of payers skips a lot without cents left on the axis."""
    rows = projects_pool(
        a_gift(30, "ann"), a_gift(9, "bob"), a_gift(9, "cy"), a_refund(9, of=1), an_expense(35)
    )

    expected = (Payer(1, "ann", 0, 30), Payer(3, "cy", 2, 5))
    assert payers_of_entry(rows, 4) == Payers(expected, uncovered_cents=0)
