"""Rows of Stripe's Payments file: one payment each, with its refund."""

from datetime import UTC, date, datetime

import pytest

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from tests.files.stripe_texts import PAYMENTS, UNTOLD, read, rejections


def payment_row(**cells: str) -> str:
    """Return a valid row of the Payments file with some cells changed."""
    good = {
        "id": "ch_1",
        "Created_date_(UTC)": "2026-03-01 13:00:00",
        "Amount": "9.20",
        "Amount_Refunded": "0.00",
        "Currency": "eur",
        "Fee": "0.59",
        "Status": "Paid",
        "Captured": "true",
        "Converted_Amount": "10.00",
        "Converted_Amount_Refunded": "0.00",
        "Converted_Currency": "usd",
        "Taxes_On_Fee": "0.08",
        "Invoice_ID": "in_1",
        "Mode": "Live",
    }
    return ",".join(
        {**good, **cells}.get(name.replace(" ", "_"), "") for name in PAYMENTS.split(",")
    )


def test_payments_row_reads_in_the_converted_currency() -> None:
    """The converted amount counts, less the fee and the tax on it."""
    rows, report = read(PAYMENTS, payment_row(Transfer="po_1", Customer_ID="cus_1"))

    assert rows == [
        ProviderRow(
            created=datetime(2026, 3, 1, 13, tzinfo=UTC),
            category=RowCategory.CHARGE,
            raw_category="charge",
            amount=1000,
            fee=67,
            fee_tax=8,
            net=933,
            source_id="ch_1",
            charge_id="ch_1",
            charge_kind=ChargeKind.PLEDGE,
            customer_id="cus_1",
            payout_id="po_1",
            line=2,
        )
    ]
    assert "partial source" in report.notes[0]


def test_refunded_payment_gives_two_rows() -> None:
    """A refund is identified by its charge and the total refunded so far."""
    rows, report = read(
        PAYMENTS,
        payment_row(
            **{
                "Status": "Refunded",
                "Converted_Amount_Refunded": "4.00",
                "Refunded_date_(UTC)": "2026-03-09 10:00:00",
            }
        ),
    )

    assert report.read == 1
    assert (
        rows[1].category,
        rows[1].amount,
        rows[1].fee,
        rows[1].net,
        rows[1].charge_id,
        rows[1].source_id,
        rows[1].cumulative,
        rows[1].line,
    ) == (RowCategory.REFUND, -400, 0, -400, "ch_1", None, 400, 2)
    assert rows[1].created.date() == date(2026, 3, 9)


@pytest.mark.parametrize(
    "cells", [{"Status": "Failed"}, {"Captured": "false"}, {"Mode": "Test"}, {"Status": "canceled"}]
)
def test_payments_that_are_no_money_are_ignored(cells: dict[str, str]) -> None:
    """Failed, uncaptured and test payments are neither booked nor errors."""
    rows, report = read(PAYMENTS, payment_row(**cells))

    assert (rows, report.read, report.ignored, report.rejected) == ([], 1, 1, [])


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"Converted_Currency": "eur"}, "The row is in 'eur'; the books are kept only in 'usd'."),
        (
            {"Converted_Amount_Refunded": "4.00"},
            "4.00 of ch_1 was refunded, but 'Refunded date (UTC)' does not say when.",
        ),
        (
            {"Converted_Amount_Refunded": "14.00", "Refunded_date_(UTC)": "2026-03-09 10:00"},
            "14.00 cannot be refunded of 10.00.",
        ),
        ({"id": ""}, "The cell 'id' is empty; it names the movement."),
    ],
)
def test_bad_payments_are_rejected(cells: dict[str, str], message: str) -> None:
    """A payment with an invalid field is not booked in part."""
    rows, report = read(PAYMENTS, payment_row(**cells))

    assert rows == []
    assert rejections(report) == [(2, message)]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ({}, ChargeKind.PLEDGE),
        ({"Invoice_ID": "", "Description": "Subscription update"}, ChargeKind.PLEDGE),
        ({"Invoice_ID": "", "Description": "Subscription creation"}, ChargeKind.PLEDGE),
        ({"Invoice_ID": "", "Description": "Bake sale"}, ChargeKind.GIFT),
    ],
)
def test_payments_are_pledges_by_invoice_or_description(
    cells: dict[str, str], kind: ChargeKind
) -> None:
    """A payment with an invoice, or with Stripe's description of a subscription, is a pledge."""
    assert read(PAYMENTS, payment_row(**cells))[0][0].charge_kind == kind


def test_payments_without_telling_columns_are_refused_until_said() -> None:
    """Without invoice and description, an option must give the kind."""
    header = PAYMENTS.replace("Description", "A").replace("Invoice ID", "B")

    assert rejections(read(header, payment_row())[1]) == [(2, UNTOLD)]
