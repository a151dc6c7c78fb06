"""Refunds that are both in the Payments file and in the balance are booked once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from jara.domain.books.provider_row import ProviderRow
from jara.services.books.imports import ImportOutcome
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.payments import movement_booking
from jara.services.payments.importing import book_rows
from tests.rows import NOON, a_row
from tests.services.books.ledger_builders import (
    account_sums,
    all_entries,
    book,
)


def cumulated(cents: int, **changes: object) -> ProviderRow:
    """Return the refund of a Payments file."""
    row = a_row(
        "refund", -cents, 0, txn_id=None, source_id=None, charge_id="ch_1", cumulative=cents, line=2
    )
    return row._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def paid_row(**changes: object) -> ProviderRow:
    """Return the charge of a Payments file."""
    row = a_row("charge", 1000, 59, txn_id=None, source_id="ch_1", charge_id="ch_1", line=2)
    return row._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def test_a_refund_that_joins_a_known_payment_counts_as_posted(context: Context) -> None:
    """The item is skipped for its charge and posted for its refund."""
    book(context, paid_row())

    assert book(context, paid_row(), cumulated(400)) == ImportOutcome(1, 1, 0)
    assert book(context, paid_row(), cumulated(400)) == ImportOutcome(1, 0, 1)
    assert book(context, paid_row(), cumulated(700)) == ImportOutcome(1, 1, 0)
    assert [
        sum(p.cents for p in entry.postings if p.account == "income:pledges")
        for entry in all_entries(context)
    ] == [-1000, 400, 300]


def test_a_rejected_payment_takes_its_refund_along(context: Context) -> None:
    """One line is one item: rejected once, whichever of its rows is wrong."""
    bad_charge = [paid_row(charge_kind=None), cumulated(400)]
    bad_refund = [paid_row(), cumulated(400, currency="cad")]

    assert counts(book_rows(context, bad_charge, partial=True)) == (1, 0, 1)
    assert counts(book_rows(context, bad_refund, partial=True)) == (1, 0, 1)
    assert counts(book_rows(context, bad_refund, partial=True)) == (1, 0, 1)


def counts(outcome: ImportOutcome) -> tuple[int, int, int]:
    """Return the numbers read, posted and rejected; assert that nothing else was skipped."""
    assert outcome.read == outcome.posted + outcome.skipped + len(outcome.rejected)
    return outcome.read, outcome.posted, len(outcome.rejected)


def test_a_balance_row_finds_its_payment_in_the_payments_file(context: Context) -> None:
    """The balance row gives the payment its transaction id and its payout."""
    book(context, paid_row())
    row = a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1", payout_id="po_1")

    assert book(context, row).skipped == 1
    with context.store.read() as work:
        known = work.identities.by_txn(["txn_1"])["txn_1"]
    assert (known.txn_id, known.payout_id) == ("txn_1", "po_1")


def balance_refund(cents: int, number: int) -> ProviderRow:
    """Return a refund of the balance."""
    row = a_row("refund", -cents, 0, txn_id=f"txn_r{number}", source_id=f"re_{number}")
    return row._replace(charge_id="ch_1")


def test_refunds_match_a_cumulated_sum_in_both_directions(context: Context) -> None:
    """Each cent is booked once; refunds beyond the cumulated sum are new."""
    book(context, paid_row(), cumulated(500))

    assert book(context, balance_refund(200, 1), balance_refund(300, 2)).skipped == 2
    assert book(context, balance_refund(100, 3)).posted == 1
    assert book(context, paid_row(), cumulated(600)).skipped == 1
    assert account_sums(context)["income:pledges"] == -400


def test_refunds_without_a_charge_match_by_day_and_amount(context: Context) -> None:
    """Balance history and Payments file contain the same refund, in either order."""
    nameless = balance_refund(400, 1)._replace(charge_id=None)
    book(context, paid_row(), cumulated(400))
    assert book(context, nameless).skipped == 1
    assert book(context, nameless).skipped == 1
    other = nameless._replace(txn_id="txn_r2", source_id="re_2", amount=-50, net=-50)
    assert book(context, other).waiting == ("refund re_2",)


def test_a_cumulated_refund_names_one_that_waits(context: Context) -> None:
    """The one of another day waits on; each cent is booked once."""
    nameless = balance_refund(400, 1)._replace(charge_id=None)
    later = nameless._replace(txn_id="txn_r2", source_id="re_2", created=NOON + timedelta(1))
    book(context, nameless, later)

    assert book(context, paid_row(), cumulated(400)).posted == 1
    assert len(all_entries(context)) == 2
    assert book(context, balance_refund(400, 1)).skipped == 1
    assert [found.where for found in verify_books(context).findings] == ["refund re_2"]
    assert book(context, paid_row(), cumulated(700)).posted == 1


def test_equal_refunds_of_one_day_are_never_taken_for_each_other(context: Context) -> None:
    """Only a file that names the charge decides; until then the sum explains the nameless row."""
    other = paid_row()._replace(source_id="ch_2", charge_id="ch_2")
    of_other = balance_refund(400, 2)._replace(charge_id="ch_2")
    book(context, paid_row(), cumulated(400), other)

    assert book(context, of_other._replace(charge_id=None)).waiting == ()
    assert verify_books(context).findings == ()
    book(context, cumulated(400, charge_id="ch_2"), balance_refund(400, 1), of_other)

    assert account_sums(context)["income:pledges"] == -1200
    with context.store.read() as work:
        payments = work.payments.by_source(["ch_1", "ch_2"]).values()
        assert [payment.returned_cents for payment in payments] == [400, 400]
    assert verify_books(context).findings == ()


def test_a_refund_that_an_earlier_version_booked_alone(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was booked without its payment; the Payments file does not book it again."""
    with monkeypatch.context() as earlier:
        earlier.setattr(movement_booking, "missing_cause", lambda *_: None)
        book(context, balance_refund(400, 1)._replace(charge_id=None))

    book(context, paid_row(), cumulated(400))

    assert len(all_entries(context)) == 2


def test_a_sum_of_refunds_that_stand_alone_is_not_guessed(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may include refunds that an earlier version booked: only a file that names them knows."""
    other = paid_row()._replace(source_id="ch_2", charge_id="ch_2")
    book(context, paid_row(), other, balance_refund(450, 3)._replace(charge_id="ch_2"))
    with monkeypatch.context() as earlier:
        earlier.setattr(movement_booking, "missing_cause", lambda *_: None)
        book(context, *(balance_refund(200, one)._replace(charge_id=None) for one in (1, 2)))

    (rejected,) = book_rows(context, [cumulated(400)]).rejected
    assert "a refund of $4.00 may be booked already from another file" in rejected.message
    assert book(context, cumulated(150)).posted == 1, "each of the others is larger"


def test_a_dispute_is_the_same_in_both_files(context: Context) -> None:
    """The Payments file knows no fee: the balance's row adds it, in either order, once."""
    lost = paid_dispute()._replace(is_lost=True)
    balance = a_row("dispute", -1000, 1500, txn_id="txn_d", source_id="du_1", charge_id="ch_1")
    book(context, paid_row(), lost)
    assert account_sums(context)["assets:stripe"] == -59

    assert [book(context, balance).posted for _ in range(2)] == [1, 0]
    assert book(context, paid_row(), lost).posted == 0

    assert account_sums(context)["assets:stripe"] == -1559
    with context.store.read() as work:
        assert work.payments.by_source(["ch_1"])["ch_1"].dispute == "lost"


def paid_dispute() -> ProviderRow:
    """Return the dispute of a Payments file."""
    return a_row("dispute", -1000, txn_id=None, source_id=None, charge_id="ch_1",
                 cumulative=1000, line=2)  # fmt: skip


def test_a_lost_dispute_of_the_balance_is_closed_by_the_payments_file(context: Context) -> None:
    """No movement says that a dispute is lost, but the Payments file does."""
    balance = a_row("dispute", -1000, 1500, txn_id="txn_d", source_id="du_1", charge_id="ch_1")
    book(context, paid_row(), balance)

    assert book(context, paid_row(), paid_dispute()._replace(is_lost=True)).posted == 0

    with context.store.read() as work:
        assert work.payments.by_source(["ch_1"])["ch_1"].dispute == "lost"
