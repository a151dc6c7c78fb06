"""The history in the objects of Stripe's API."""

import json
from datetime import UTC, datetime, timedelta

from tests.data.generators.history import Row


def source_object(row: Row) -> object:
    """Return what a balance transaction expands its source to."""
    c = row.charge
    if row.category == "charge" and c:
        return {
            "id": c.id,
            "object": "charge",
            "amount": c.cents,
            "billing_details": {"email": c.email},
            "customer": c.customer or None,
            "description": c.description,
            "metadata": {"jara_kind": "gift", "jara_gift": c.gift} if c.gift else {},
            "payment_intent": c.intent,
        }
    if c:
        kind = "refund" if row.category.startswith("refund") else "dispute"
        return {"id": row.source, "object": kind, "amount": abs(row.amount), "charge": c.id}
    if row.category.startswith("payout"):
        arrives = row.arrives or row.at.date()
        midnight = datetime(arrives.year, arrives.month, arrives.day, tzinfo=UTC)
        return {
            "id": row.source,
            "object": "payout",
            "amount": abs(row.amount),
            "arrival_date": int(midnight.timestamp()),
            "automatic": row.automatic,
            "status": row.payout_status,
        }
    return row.source or None


def balance_transactions(rows: list[Row]) -> str:
    """Write a list of balance transactions, the newest first."""
    lines = []
    for row in reversed(rows):
        fee = {"amount": row.fee, "currency": "usd", "description": "Stripe processing fees"}
        document = {
            "id": row.txn,
            "object": "balance_transaction",
            "amount": row.amount,
            "available_on": int((row.at + timedelta(days=2)).timestamp()),
            "balance_type": row.balance_type,
            "created": int(row.at.timestamp()),
            "currency": "usd",
            "description": row.description,
            "exchange_rate": None,
            "fee": row.fee,
            "fee_details": [{**fee, "application": None, "type": "stripe_fee"}] if row.fee else [],
            "net": row.net,
            "reporting_category": row.category,
            "source": source_object(row),
            "status": "available",
            "type": row.type,
        }
        lines.append(json.dumps(document, separators=(",", ":")))
    head = '{"object":"list","has_more":false,"url":"/v1/balance_transactions","data":[\n'
    return head + ",\n".join(lines) + "\n]}\n"
