"""Rows of the itemised balance change: fields, and rejected rows."""

from datetime import UTC, datetime

import pytest

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from tests.files.stripe_texts import CHANGE, UNTOLD, read, rejections


def test_itemised_row_reads_with_all_it_tells() -> None:
    """Ids, kind, payout and line of a row are read."""
    rows, report = read(
        CHANGE,
        "txn_1,2026-03-01 12:01:07,USD,10.00,0.59,9.41,charge,ch_1,ch_1,sub_1,cus_1,"
        "a@example.org,po_1,,blue",
    )

    assert rows == [
        ProviderRow(
            txn_id="txn_1",
            created=datetime(2026, 3, 1, 12, 1, 7, tzinfo=UTC),
            category=RowCategory.CHARGE,
            raw_category="charge",
            amount=1000,
            fee=59,
            net=941,
            source_id="ch_1",
            charge_id="ch_1",
            charge_kind=ChargeKind.PLEDGE,
            customer_id="cus_1",
            email="a@example.org",
            payout_id="po_1",
            line=2,
        )
    ]
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
