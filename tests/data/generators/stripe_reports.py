"""The history in the four CSV files that Stripe hands out."""

from datetime import timedelta

from tests.data.generators.history import Charge, Row, card_fee, dollars
from tests.data.generators.tables import second, table


def itemised_change(rows: list[Row]) -> str:
    """Write the itemised report of what changed the balance."""
    header = [
        "balance_transaction_id",
        "created_utc",
        "available_on_utc",
        "currency",
        "gross",
        "fee",
        "net",
        "reporting_category",
        "source_id",
        "description",
        "customer_facing_amount",
        "charge_id",
        "payment_intent_id",
        "charge_created_utc",
        "invoice_id",
        "subscription_id",
        "customer_id",
        "customer_email",
        "automatic_payout_id",
        "dispute_reason",
        "payment_metadata[jara_kind]",
        "payment_metadata[jara_gift]",
    ]
    lines = []
    for row in rows:
        if row.category.startswith("payout"):
            continue
        c = row.charge
        lines.append(
            [
                row.txn,
                second(row.at),
                second(row.at + timedelta(days=2)),
                "usd",
                dollars(row.amount),
                dollars(row.fee),
                dollars(row.net),
                row.category,
                row.source,
                row.description,
                dollars(row.amount) if c else "",
                c.id if c else "",
                c.intent if c else "",
                second(c.at) if c else "",
                c.invoice if c else "",
                c.subscription if c else "",
                c.customer if c else "",
                c.email if c else "",
                row.payout,
                "fraudulent" if row.category.startswith("dispute") else "",
                "gift" if c and c.gift else "",
                c.gift if c else "",
            ]
        )
    return table(header, lines)


def itemised_payouts(rows: list[Row]) -> str:
    """Write the itemised report of payouts."""
    header = [
        "payout_id",
        "effective_at_utc",
        "currency",
        "balance_transaction_id",
        "gross",
        "fee",
        "net",
        "reporting_category",
        "description",
        "payout_expected_arrival_date",
        "payout_status",
        "payout_reversed_at_utc",
        "payout_type",
    ]
    lines = [
        [
            row.source,
            second(row.at),
            "usd",
            row.txn,
            dollars(row.amount),
            dollars(row.fee),
            dollars(row.net),
            row.category,
            row.description,
            row.arrives.isoformat() if row.arrives else "",
            row.payout_status,
            second(row.reversed_at) if row.reversed_at else "",
            "bank_account",
        ]
        for row in rows
        if row.category.startswith("payout")
    ]
    return table(header, lines)


def balance_history(rows: list[Row]) -> str:
    """Write the dashboard's export of the balance."""
    header = [
        "id",
        "Type",
        "Source",
        "Amount",
        "Fee",
        "Destination Platform Fee",
        "Net",
        "Currency",
        "Created (UTC)",
        "Available On (UTC)",
        "Description",
        "Customer Facing Amount",
        "Customer Facing Currency",
        "Transfer",
        "Transfer Date (UTC)",
        "Transfer Group",
        "jara_gift (metadata)",
        "jara_kind (metadata)",
    ]
    arrivals = {row.source: row.arrives for row in rows if row.category == "payout"}
    lines = []
    for row in reversed(rows):
        c = row.charge
        payout = row.source if row.category == "payout" else row.payout
        arrives = arrivals.get(payout) if row.payout_status != "failed" else None
        own = c is not None and row.category == "charge" and bool(c.gift)
        lines.append(
            [
                row.txn,
                row.type,
                row.source,
                dollars(row.amount),
                dollars(row.fee),
                "",
                dollars(row.net),
                "usd",
                row.at.strftime("%Y-%m-%d %H:%M"),
                (row.at + timedelta(days=2)).strftime("%Y-%m-%d %H:%M"),
                row.description,
                dollars(row.amount) if c else "",
                "usd" if c else "",
                payout,
                f"{arrives.isoformat()} 00:00" if arrives else "",
                "",
                c.gift if c and own else "",
                "gift" if own else "",
            ]
        )
    return table(header, lines)


def payments(charges: list[Charge]) -> str:
    """Write the dashboard's export of payments."""
    header = [
        "id",
        "Created date (UTC)",
        "Amount",
        "Amount Refunded",
        "Currency",
        "Captured",
        "Converted Amount",
        "Converted Amount Refunded",
        "Converted Currency",
        "Decline Reason",
        "Description",
        "Fee",
        "Refunded date (UTC)",
        "Mode",
        "PaymentIntent ID",
        "Status",
        "Taxes On Fee",
        "Customer ID",
        "Customer Email",
        "Invoice ID",
        "Transfer",
        "Disputed Amount",
        "Dispute Status",
        "jara_kind (metadata)",
    ]
    lines = []
    for c in sorted(charges, key=lambda charge: (charge.at, charge.id), reverse=True):
        paid = c.status != "Failed"
        lines.append(
            [
                c.id,
                second(c.at),
                dollars(c.cents),
                dollars(c.refunded),
                "usd",
                "true" if paid else "false",
                dollars(c.cents if paid else 0),
                dollars(c.refunded),
                "usd",
                "" if paid else "insufficient_funds",
                c.description,
                dollars(card_fee(c.cents) if paid else 0),
                second(c.refunded_at) if c.refunded_at else "",
                c.mode,
                c.intent,
                c.status,
                "0.00",
                c.customer,
                c.email,
                c.invoice,
                c.payout,
                dollars(c.disputed) if c.disputed else "",
                c.dispute_status,
                "gift" if c.gift else "",
            ]
        )
    return table(header, lines)
