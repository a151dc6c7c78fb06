"""Reads Stripe's CSV reports: every row becomes provider movements.

Rows come in the file's order; `jara.files.stripe.reader` puts them in order of time. A
movement is identified by its transaction id. The Payments file has none: there a charge
is identified by its category and ``charge_id``, a refund by its category, ``charge_id``
and ``cumulative``, and a dispute like a refund.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import BinaryIO, NamedTuple

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.money import plain_decimal
from jara.domain.time_zone import UTC_ZONE
from jara.files.cells import parse_day, parse_instant, two_place_cents
from jara.files.reading import FileReport, Table, read_table, width_message
from jara.files.stripe.columns import (
    PLEDGE_DESCRIPTIONS,
    Columns,
    StripeFormat,
    category_of_type,
    charge_kind,
    recognise,
    require_currency,
    require_id,
    require_net,
)

_NOTES: Mapping[StripeFormat, str] = {
    StripeFormat.BALANCE_CHANGE: (
        "The itemised balance change holds no payouts: import the itemised payouts of the "
        "same time too, else the money at Stripe only grows."
    ),
    StripeFormat.PAYMENTS: (
        "The payments file is a partial source: it knows no payouts, no dispute fees and "
        "none of Stripe's own fees."
    ),
}


class _File(NamedTuple):
    """An open file: its column positions, and the operator's options."""

    columns: Columns
    assume: ChargeKind | None
    decimal_comma: bool

    def text(self, row: list[str], *names: str) -> str:
        return self.columns.cell(row, *names)

    def id(self, row: list[str], *names: str) -> str | None:
        return self.columns.cell(row, *names) or None

    def cents(self, row: list[str], *names: str) -> int:
        return two_place_cents(self.columns.cell(row, *names), decimal_comma=self.decimal_comma)

    def amounts(self, row: list[str], *columns: str) -> tuple[int, int, int]:
        """Return amount, fee and net, which add up."""
        amount, fee, net = (self.cents(row, column) for column in columns)
        require_net(amount, fee, net)
        return amount, fee, net

    def optional_cents(self, row: list[str], *names: str) -> int:
        return self.cents(row, *names) if self.text(row, *names) else 0


_RowReader = Callable[[_File, int, list[str]], list[ProviderRow]]


def read_stripe_csv(
    stream: BinaryIO,
    name: str,
    report: FileReport,
    *,
    assume: ChargeKind | None = None,
    decimal_comma: bool = False,
) -> Iterator[ProviderRow]:
    """Read one of Stripe's files, recognised by its header; the report has what was not read.

    `assume` is the kind of charges in a file without a column for it (``--as pledges|gifts``); a
    column always takes precedence. With `decimal_comma`, amounts are written ``1.234,50``.

    Raises:
        InvalidInput: the file is broken, or none of Stripe's.
    """
    table = read_table(stream, name)
    known = recognise(table.header, name)
    report.form = known.value
    if known in _NOTES:
        report.notes.append(f"{name}: {_NOTES[known]}")
    file = _File(Columns(table.header), assume, decimal_comma)
    return _rows(table, file, _READERS[known], report)


def _rows(table: Table, file: _File, read: _RowReader, report: FileReport) -> Iterator[ProviderRow]:
    width = len(table.header)
    for line, row in table.rows:
        report.read += 1
        if len(row) != width:
            report.reject(line, width_message(len(row), width))
            continue
        try:
            found = read(file, line, row)
        except JaraError as error:
            report.reject(line, error.message)
            continue
        report.ignored += not found
        yield from found


def _balance_change(file: _File, line: int, row: list[str]) -> list[ProviderRow]:
    require_currency(file.text(row, "currency"))
    word = file.text(row, "reporting_category")
    category = RowCategory.named(word)
    amount, fee, net = file.amounts(row, "gross", "fee", "net")
    source_id = file.id(row, "source_id")
    kind = None
    if category is RowCategory.CHARGE:
        found = None
        if file.columns.has("subscription_id"):
            found = ChargeKind.PLEDGE if file.text(row, "subscription_id") else ChargeKind.GIFT
        kind = charge_kind(file.text(row, "payment_metadata[jara_kind]"), found, file.assume)
        source_id = source_id or file.id(row, "charge_id")
    txn_id = require_id(file.text(row, "balance_transaction_id"), "balance_transaction_id")
    return [
        ProviderRow(
            txn_id=txn_id,
            created=parse_instant(file.text(row, "created_utc")),
            category=category,
            raw_category=word,
            amount=amount,
            fee=fee,
            net=net,
            source_id=source_id,
            charge_id=file.id(row, "charge_id")
            or (source_id if category is RowCategory.CHARGE else None),
            charge_kind=kind,
            member_id=file.id(row, "payment_metadata[jara_member]"),
            customer_id=file.id(row, "customer_id"),
            email=file.id(row, "customer_email"),
            payout_id=file.id(row, "automatic_payout_id"),
            line=line,
        )
    ]


def _payout(file: _File, line: int, row: list[str]) -> list[ProviderRow]:
    require_currency(file.text(row, "currency"))
    word = file.text(row, "reporting_category")
    category = RowCategory.named(word)
    amount, fee, net = file.amounts(row, "gross", "fee", "net")
    arrival = file.text(row, "payout_expected_arrival_date")
    stopped = file.text(row, "payout_status").casefold() in {"failed", "canceled"}
    arrives = bool(arrival) and category is RowCategory.PAYOUT and not stopped
    txn_id = require_id(file.text(row, "balance_transaction_id"), "balance_transaction_id")
    return [
        ProviderRow(
            txn_id=txn_id,
            created=parse_instant(file.text(row, "effective_at_utc")),
            category=category,
            raw_category=word,
            amount=amount,
            fee=fee,
            net=net,
            source_id=require_id(file.text(row, "payout_id"), "payout_id"),
            arrives_on=UTC_ZONE.day_of(parse_instant(arrival)) if arrives else None,
            line=line,
        )
    ]


def _balance_history(file: _File, line: int, row: list[str]) -> list[ProviderRow]:
    require_currency(file.text(row, "Currency"))
    word = file.text(row, "Type")
    amount, fee, net = file.amounts(row, "Amount", "Fee", "Net")
    source_id = file.id(row, "Source")
    category = category_of_type(word, source_id, amount, file.text(row, "Description"))
    charge = category is RowCategory.CHARGE
    # Descriptions are not reliable here, only in the Payments file.
    marked = file.text(row, "jara_kind (metadata)")
    arrival = file.text(row, "Transfer Date (UTC)") if category is RowCategory.PAYOUT else ""
    payout_id = file.id(row, "Transfer")
    return [
        ProviderRow(
            txn_id=require_id(file.text(row, "id"), "id"),
            created=parse_instant(file.text(row, "Created (UTC)")),
            category=category,
            raw_category=word,
            amount=amount,
            fee=fee,
            net=net,
            source_id=source_id,
            charge_id=source_id if charge else None,
            charge_kind=charge_kind(marked, None, file.assume) if charge else None,
            member_id=file.id(row, "jara_member (metadata)"),
            payout_id=None if payout_id == source_id else payout_id,
            arrives_on=parse_day(arrival[:10]) if arrival else None,
            line=line,
        )
    ]


def _payment(file: _File, line: int, row: list[str]) -> list[ProviderRow]:
    if not _is_settled(file, row):
        return []
    require_currency(file.text(row, "Converted Currency", "Currency"))
    amount = file.cents(row, "Converted Amount", "Amount")
    tax = file.optional_cents(row, "Taxes On Fee", "Tax")
    fee = file.cents(row, "Fee") + tax
    charge_id = require_id(file.text(row, "id"), "id")
    charge = ProviderRow(
        created=parse_instant(file.text(row, "Created date (UTC)", "Created (UTC)")),
        category=RowCategory.CHARGE,
        raw_category="charge",
        amount=amount,
        fee=fee,
        fee_tax=tax,
        net=amount - fee,
        source_id=charge_id,
        charge_id=charge_id,
        charge_kind=_payment_kind(file, row),
        member_id=file.id(row, "jara_member (metadata)"),
        customer_id=file.id(row, "Customer ID"),
        email=file.id(row, "Customer Email"),
        payout_id=file.id(row, "Transfer"),
        line=line,
    )
    return [charge, *_payment_refund(file, row, charge), *_payment_disputes(file, row, charge)]


def _is_settled(file: _File, row: list[str]) -> bool:
    """Return whether a payment was paid, captured and not a test."""
    captured = not file.columns.has("Captured") or file.text(row, "Captured").casefold() == "true"
    paid = file.text(row, "Status").casefold() in {"paid", "refunded"}
    return paid and captured and file.text(row, "Mode").casefold() != "test"


def _payment_kind(file: _File, row: list[str]) -> ChargeKind:
    found = None
    if file.columns.has("Invoice ID", "Description"):
        billed = bool(file.text(row, "Invoice ID"))
        billed = billed or file.text(row, "Description") in PLEDGE_DESCRIPTIONS
        found = ChargeKind.PLEDGE if billed else ChargeKind.GIFT
    return charge_kind(file.text(row, "jara_kind (metadata)"), found, file.assume)


def _payment_refund(file: _File, row: list[str], charge: ProviderRow) -> list[ProviderRow]:
    """Return the refund of a payment, identified by its cumulative amount."""
    refunded = file.optional_cents(row, "Converted Amount Refunded", "Amount Refunded")
    if not refunded:
        return []
    when = file.text(row, "Refunded date (UTC)")
    if not when:
        raise InvalidInput(
            f"{plain_decimal(refunded)} of {charge.charge_id} was refunded, but "
            "'Refunded date (UTC)' does not say when."
        )
    return [_cumulated(charge, RowCategory.REFUND, -refunded, parse_instant(when), "refunded")]


def _payment_disputes(file: _File, row: list[str], charge: ProviderRow) -> list[ProviderRow]:
    """Return the dispute of a payment, and its reversal if it was won; not the dispute's fee.

    The amount is in the currency of the payment. A file without the date has the dispute on the
    day of the payment.
    """
    status = file.text(row, "Dispute Status").casefold().replace(" ", "_")
    disputed = file.optional_cents(row, "Disputed Amount")
    if not disputed or status in _NOTHING_WITHDRAWN:
        return []
    if status not in _WITHDRAWN:
        raise InvalidInput(
            f"The dispute of {charge.charge_id} has the status '{status}'; Jara knows "
            f"{', '.join(sorted(_WITHDRAWN | _NOTHING_WITHDRAWN))}."
        )
    paid = file.cents(row, "Amount")
    if disputed == paid:
        disputed = charge.amount
    elif charge.amount != paid:
        raise InvalidInput(
            f"{plain_decimal(disputed)} of {charge.charge_id} is disputed in another currency; "
            "import the itemised balance change, which has the sum in 'usd'."
        )
    when = file.text(row, "Dispute Date (UTC)")
    at = parse_instant(when) if when else charge.created
    lost = status == "lost"
    dispute = _cumulated(charge, RowCategory.DISPUTE, -disputed, at, "disputed")
    if status != "won":
        return [dispute._replace(is_lost=lost)]
    return [dispute, _cumulated(charge, RowCategory.DISPUTE_REVERSAL, disputed, at, "restored")]


_WITHDRAWN = frozenset({"needs_response", "under_review", "lost", "won"})
_NOTHING_WITHDRAWN = frozenset(
    {
        "warning_needs_response",
        "warning_under_review",
        "warning_closed",
        "charge_refunded",
        "prevented",
    }
)
"""Inquiries, and disputes that ended before money was withdrawn."""


def _cumulated(
    charge: ProviderRow, category: RowCategory, amount: int, at: datetime, done: str
) -> ProviderRow:
    """Return a row for the whole sum of a charge that was refunded or disputed."""
    if not 0 < abs(amount) <= charge.amount:
        raise InvalidInput(
            f"{plain_decimal(abs(amount))} cannot be {done} of {plain_decimal(charge.amount)}."
        )
    return ProviderRow(
        created=at,
        category=category,
        raw_category=category.value,
        amount=amount,
        fee=0,
        net=amount,
        charge_id=charge.charge_id,
        member_id=charge.member_id,
        customer_id=charge.customer_id,
        email=charge.email,
        cumulative=abs(amount),
        line=charge.line,
    )


_READERS: Mapping[StripeFormat, _RowReader] = {
    StripeFormat.BALANCE_CHANGE: _balance_change,
    StripeFormat.PAYOUTS: _payout,
    StripeFormat.BALANCE_HISTORY: _balance_history,
    StripeFormat.PAYMENTS: _payment,
}
