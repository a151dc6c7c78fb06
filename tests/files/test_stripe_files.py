"""Stripe's CSV files are recognised by header; payouts and balance history."""

from datetime import date

import pytest

from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.domain.errors import InvalidInput
from jara.files.stripe.columns import StripeFormat, category_of_type, recognise
from tests.files.stripe_texts import BALANCE, CHANGE, PAYMENTS, PAYOUTS, UNTOLD, read, rejections


@pytest.mark.parametrize(
    ("header", "known"),
    [
        (CHANGE, StripeFormat.BALANCE_CHANGE),
        (PAYOUTS, StripeFormat.PAYOUTS),
        (BALANCE, StripeFormat.BALANCE_HISTORY),
        (PAYMENTS, StripeFormat.PAYMENTS),
        (PAYMENTS.replace("Created date (UTC)", "Created (UTC)"), StripeFormat.PAYMENTS),
    ],
)
def test_files_are_known_by_their_header(header: str, known: StripeFormat) -> None:
    """Case, blanks and unknown columns do not matter."""
    assert recognise(header.split(",")) == known
    assert recognise([f" {name.upper()} " for name in header.split(",")] + ["More"]) == known


def test_missing_columns_are_named() -> None:
    """A file with most columns of a Stripe file is refused with the missing names."""
    header = [c for c in PAYMENTS.split(",") if c not in {"Fee", "Created date (UTC)"}]

    with pytest.raises(InvalidInput) as refusal:
        recognise(header, "may.csv")

    assert (
        refusal.value.message == "may.csv looks like Stripe's payments file but lacks "
        "'Created date (UTC) or Created (UTC)', 'Fee'."
    )


DONORBOX = (
    "Name,Donor Email,Donation ID,Amount,Currency,Amount Refunded,Processing Fee,Fee,Status,"
    "Donated At,Stripe Charge ID,Id"
)


@pytest.mark.parametrize("header", ["name,email", DONORBOX])
def test_other_files_are_refused(header: str) -> None:
    """A file with none of Stripe's own columns is refused with a list of the known ones."""
    with pytest.raises(
        InvalidInput, match="not a Stripe file that Jara knows; it reads itemised balance"
    ):
        recognise(header.split(","))


def test_twin_columns_are_refused() -> None:
    """A duplicate column is ambiguous and refused."""
    with pytest.raises(InvalidInput, match=r"f\.csv has the column 'fee' twice"):
        recognise([*CHANGE.split(","), "Fee"], "f.csv")


def test_payouts_arrive_unless_they_failed() -> None:
    """A payout has the day on which it reaches the bank; a failed one has none."""
    rows, report = read(
        PAYOUTS,
        "po_1,2026-03-02 22:00:00,usd,-9.41,0.00,-9.41,payout,txn_1,2026-03-04,paid",
        "po_2,2026-03-09 22:00:00,usd,-1.00,0.00,-1.00,payout,txn_2,2026-03-11 00:00:00,failed",
        "po_2,2026-03-12 22:00:00,usd,1.00,0.00,1.00,payout_reversal,txn_3,2026-03-11,failed",
        "po_3,2026-03-13 22:00:00,usd,-2.00,0.00,-2.00,payout,txn_4,2026-03-15,canceled",
    )

    assert [(row.source_id, row.category, row.arrives_on) for row in rows] == [
        ("po_1", RowCategory.PAYOUT, date(2026, 3, 4)),
        ("po_2", RowCategory.PAYOUT, None),
        ("po_2", RowCategory.PAYOUT_REVERSAL, None),
        ("po_3", RowCategory.PAYOUT, None),
    ]
    assert report.rejected == []


def test_balance_history_reads_with_its_payouts() -> None:
    """The column 'Transfer' names a row's payout; the payout's own row has none."""
    rows, report = read(
        BALANCE,
        "txn_1,charge,ch_1,10.00,0.59,9.41,usd,2026-03-01 12:01,2026-03-03 12:01,,po_1,,gift",
        "txn_2,payout,po_1,-9.41,0.00,-9.41,usd,2026-03-02 22:00,2026-03-04 00:00,,po_1,"
        "2026-03-04 00:00,",
    )

    assert report.rejected == []
    assert [(row.payout_id, row.arrives_on, row.charge_id) for row in rows] == [
        ("po_1", None, "ch_1"),
        (None, date(2026, 3, 4), None),
    ]
    assert rows[0].charge_kind == ChargeKind.GIFT


def test_balance_history_takes_unmarked_charges_as_told() -> None:
    """The balance history does not distinguish pledges from gifts, so the option decides."""
    row = "t,charge,ch,1.00,0.00,1.00,usd,2026-03-01 12:01,2026-03-03,Subscription update,,,"

    assert rejections(read(BALANCE, row)[1]) == [(2, UNTOLD)]
    assert read(BALANCE, row, assume=ChargeKind.PLEDGE)[0][0].charge_kind == ChargeKind.PLEDGE


@pytest.mark.parametrize(
    ("word", "source", "cents", "category"),
    [
        ("charge", "ch_1", 1, RowCategory.CHARGE),
        ("Payment", "py_1", 1, RowCategory.CHARGE),
        ("refund", "re_1", -1, RowCategory.REFUND),
        ("payment_refund", "re_1", -1, RowCategory.REFUND),
        ("refund_failure", "re_1", 1, RowCategory.REFUND_FAILURE),
        ("payment_failure_refund", "py_1", 1, RowCategory.REFUND_FAILURE),
        ("stripe_fee", None, -1, RowCategory.FEE),
        ("stripe_fx_fee", None, -1, RowCategory.FEE),
        ("tax_fee", None, -1, RowCategory.TAX),
        ("payout", "po_1", -1, RowCategory.PAYOUT),
        ("payout_cancel", "po_1", 1, RowCategory.PAYOUT_REVERSAL),
        ("payout_failure", "po_1", 1, RowCategory.PAYOUT_REVERSAL),
        ("adjustment", "du_1", -1, RowCategory.DISPUTE),
        ("adjustment", "dp_1", 1, RowCategory.DISPUTE_REVERSAL),
        ("adjustment", "ch_1", 1, RowCategory.UNKNOWN),
        ("adjustment", None, 1, RowCategory.UNKNOWN),
        ("advance", None, 1, RowCategory.UNKNOWN),
        ("reserved_funds", None, -1, RowCategory.RISK_RESERVED_FUNDS),
    ],
)
def test_types_of_the_balance_history_have_categories(
    word: str, source: str | None, cents: int, category: RowCategory
) -> None:
    """Each type of balance transaction has its category; others go to suspense."""
    assert category_of_type(word, source, cents) == category


@pytest.mark.parametrize(
    ("word", "source", "cents", "description", "category"),
    [
        ("adjustment", "ch_1", -1, "Chargeback withdrawal for ch_1", RowCategory.DISPUTE),
        ("adjustment", "py_1", 1, "Chargeback reversal for py_1", RowCategory.DISPUTE_REVERSAL),
        ("adjustment", None, -1, "Dispute du_1", RowCategory.DISPUTE),
        ("adjustment", "ch_1", -1, "Correction", RowCategory.UNKNOWN),
        ("dispute", "ch_1", -1, "", RowCategory.DISPUTE),
        ("dispute_reversal", "ch_1", 1, "", RowCategory.DISPUTE_REVERSAL),
    ],
)
def test_a_dispute_may_have_its_charge_as_source(
    word: str, source: str | None, cents: int, description: str, category: RowCategory
) -> None:
    """Then its description or its type tells that it is one."""
    assert category_of_type(word, source, cents, description) == category


def test_a_dispute_with_its_charge_as_source_is_that_of_the_charge() -> None:
    """The payment of the charge is disputed."""
    rows, _ = read(
        BALANCE,
        "txn_2,adjustment,ch_1,-10.00,15.00,-25.00,usd,2026-03-05 12:01,2026-03-05 12:01,"
        "Chargeback withdrawal for ch_1,,,",
    )

    assert [(row.category, row.source_id) for row in rows] == [(RowCategory.DISPUTE, "ch_1")]
