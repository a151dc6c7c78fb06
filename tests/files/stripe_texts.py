"""Texts of Stripe's four CSV files, and a reader for them."""

from datetime import UTC, datetime
from io import BytesIO

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.files.reading import FileReport
from jara.files.stripe.reader import read_stripe

CHANGE = (
    "balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,"
    "charge_id,subscription_id,customer_id,customer_email,automatic_payout_id,"
    "payment_metadata[jara_kind],colour"
)
PAYOUTS = (
    "payout_id,effective_at_utc,currency,gross,fee,net,reporting_category,"
    "balance_transaction_id,payout_expected_arrival_date,payout_status"
)
BALANCE = (
    "id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Available On (UTC),Description,"
    "Transfer,Transfer Date (UTC),jara_kind (metadata)"
)
PAYMENTS = (
    "id,Created date (UTC),Amount,Amount Refunded,Currency,Fee,Status,Captured,Converted Amount,"
    "Converted Amount Refunded,Converted Currency,Taxes On Fee,Refunded date (UTC),Description,"
    "Invoice ID,Customer ID,Customer Email,Mode,Transfer"
)


A_CHARGE = ProviderRow(
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
"""What is read of a pledge's charge."""


def read(
    header: str,
    *rows: str,
    assume: ChargeKind | None = None,
    decimal_comma: bool = False,
    end: str = "\n",
) -> tuple[list[ProviderRow], FileReport]:
    """Read a file of these lines."""
    report = FileReport()
    content = end.join([header, *rows]).encode()
    found = read_stripe(
        BytesIO(content), "f.csv", report, assume=assume, decimal_comma=decimal_comma
    )
    return list(found), report


def rejections(report: FileReport) -> list[tuple[int, str]]:
    """Return the rejected rows as pairs."""
    return [(error.line, error.message) for error in report.rejected]


UNTOLD = (
    "Nothing in the file tells whether this charge is a pledge or a gift; "
    "say `--as pledges` or `--as gifts`."
)
