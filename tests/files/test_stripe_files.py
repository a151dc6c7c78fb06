"""Stripe's CSV files: itemised reports, payouts, balance history and payments."""

from datetime import UTC, date, datetime

import pytest

from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.domain.errors import InvalidInput
from jara.files.stripe.columns import StripeFormat, category_of_type, recognise
from tests.files.stripe_texts import (
    A_CHARGE,
    BALANCE,
    CHANGE,
    PAYMENTS,
    PAYOUTS,
    UNTOLD,
    read,
    rejections,
)


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


def test_itemised_row_reads_with_all_it_tells() -> None:
    """Ids, kind, payout and line of a row are read."""
    rows, report = read(
        CHANGE,
        "txn_1,2026-03-01 12:01:07,USD,10.00,0.59,9.41,charge,ch_1,ch_1,sub_1,cus_1,"
        "a@example.org,po_1,,blue",
    )

    assert rows == [A_CHARGE]
    assert report.rejected == []
    assert report.read == 1
    assert "holds no payouts" in report.notes[0]


def test_byte_order_mark_and_crlf_are_no_error() -> None:
    """Changes by a spreadsheet program do not matter."""
    line = "txn_1,2026-03-01 12:01,usd,-5.00,15.00,-20.00,dispute,du_1,ch_1,,,,,,"

    plain, _ = read(CHANGE, line)
    marked, report = read("\ufeff" + CHANGE, line, end="\r\n")

    assert plain == marked
    assert report.rejected == []


@pytest.mark.parametrize(
    ("subscription", "marked", "kind"),
    [
        ("sub_1", "", ChargeKind.PLEDGE),
        ("", "", ChargeKind.GIFT),
        ("", "gift", ChargeKind.GIFT),
        ("sub_1", "gift", ChargeKind.GIFT),
        ("", "Pledge", ChargeKind.PLEDGE),
    ],
)
def test_itemised_charges_are_pledges_by_subscription_unless_marked(
    subscription: str, marked: str, kind: ChargeKind
) -> None:
    """Jara's own mark has priority, then the subscription; `--as` changes neither."""
    row = f"t,2026-03-01 12:01,usd,10.00,0.00,10.00,charge,ch,ch,{subscription},,,,{marked},"

    rows, _ = read(CHANGE, row, assume=ChargeKind.PLEDGE)

    assert [row.charge_kind for row in rows] == [kind]


def test_unknown_categories_keep_their_word() -> None:
    """An unknown movement goes to suspense under Stripe's category."""
    rows, report = read(CHANGE, change_row(reporting_category="Climate"))

    assert report.rejected == []
    assert [(row.category, row.raw_category) for row in rows] == [(RowCategory.UNKNOWN, "Climate")]


def test_charges_that_nothing_tells_about_are_refused_until_said() -> None:
    """Whether a charge is a pledge is never guessed."""
    header = CHANGE.split(",payment_metadata", maxsplit=1)[0].replace("subscription_id", "x")
    row = "t,2026-03-01 12:01,usd,10.00,0.00,10.00,charge,ch,ch,,,,"

    assert rejections(read(header, row)[1]) == [(2, UNTOLD)]
    assert [row.charge_kind for row in read(header, row, assume=ChargeKind.GIFT)[0]] == [
        ChargeKind.GIFT
    ]


def test_unknown_mark_is_refused() -> None:
    """A mark with another value is an error, not a gift."""
    row = "t,2026-03-01 12:01,usd,10.00,0.00,10.00,charge,ch,ch,,,,,loan,"

    assert rejections(read(CHANGE, row)[1]) == [
        (2, "jara_kind is 'loan'; it can be pledge or gift.")
    ]


def change_row(**cells: str) -> str:
    """Return a valid itemised row with some cells changed."""
    good = {
        "balance_transaction_id": "txn_1",
        "created_utc": "2026-03-01 12:01:07",
        "currency": "usd",
        "gross": "10.00",
        "fee": "0.59",
        "net": "9.41",
        "reporting_category": "charge",
    }
    return ",".join({**good, **cells}.get(name, "") for name in CHANGE.split(","))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (change_row(gross="1e3"), "'1e3' is not an amount with two decimals, like 12.50."),
        (change_row(gross="NaN"), "'NaN' is not an amount with two decimals, like 12.50."),
        (change_row(gross="10.005"), "'10.005' is not an amount with two decimals, like 12.50."),
        (change_row(gross="٣"), "'٣' is not an amount with two decimals, like 12.50."),
        (change_row(fee="-0"), "'-0' is not an amount with two decimals, like 12.50."),
        (change_row(net="9.42"), "The net 9.42 is not 10.00 less the fee 0.59."),
        (change_row(currency="CAD"), "The row is in 'cad'; the books are kept only in 'usd'."),
        (
            change_row(created_utc="2026-02-30 10:00:00"),
            "'2026-02-30 10:00:00' is not a time of the calendar.",
        ),
        (
            change_row(balance_transaction_id=""),
            "The cell 'balance_transaction_id' is empty; it names the movement.",
        ),
        (change_row() + ",", "the row is too long: 16 cells under 15 columns."),
        (change_row()[:-1], "the row is too short: 14 cells under 15 columns."),
    ],
)
def test_bad_rows_are_rejected_by_line_and_the_rest_is_read(row: str, message: str) -> None:
    """An invalid row is returned with its line, and the valid ones are read."""
    rows, report = read(CHANGE, change_row(), row, change_row())

    assert [row.line for row in rows] == [2, 4]
    assert rejections(report) == [(3, message)]
    assert report.read == 3


def test_decimal_comma_is_an_option() -> None:
    """Amounts with a decimal comma need the option."""
    row = change_row(gross='"1.010,00"', fee='"0,59"', net='"1.009,41"')

    assert [row.net for row in read(CHANGE, row, decimal_comma=True)[0]] == [1009_41]
    assert "`--decimal comma`" in read(CHANGE, row)[1].rejected[0].message


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

    at = datetime(2026, 3, 1, 13, tzinfo=UTC)
    assert rows == [
        A_CHARGE._replace(txn_id=None, created=at, fee=67, fee_tax=8, net=933, email=None)
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
