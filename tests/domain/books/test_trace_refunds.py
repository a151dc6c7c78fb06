"""Whose dollars are refunded: refunds, disputes and restored money."""

from __future__ import annotations

from jara.domain.books.trace_reads import (
    Payer,
    Payers,
    Traced,
    payers_of_entry,
    trace_of_lot,
    trace_of_member,
)
from jara.domain.books.trace_rows import Label, Pool, Segment
from tests.domain.books.trace_builders import (
    a_gift,
    a_refund,
    a_restoration,
    a_reversal,
    an_expense,
    projects_pool,
)


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
    labels = [
        Segment(0, 5, Label.FREE),
        Segment(5, 20, Label.CUT),
        Segment(20, 30, Label.USED, 3),
    ]
    assert rows.segments_between(0, rows.used_cents) == labels


def test_others_waiting_money_takes_over_what_a_refunded_lot_had_paid() -> None:
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
