"""Charges, refunds, disputes and their balance transactions."""

from functools import partial
from typing import Any

import stripe

from tests.stripe_double import customers, payouts
from tests.stripe_double.account import Account, Doc, Movement, Payment, Refusal
from tests.stripe_double.shapes import blank

SETTLES_AFTER = 20
"""The seconds until a charge has its balance transaction, as with asynchronous capture."""

DISPUTE_FEE = 1500
_OUTCOME = {"network_status": "approved_by_network", "type": "authorized"}


def card_fee(cents: int) -> int:
    """Return 2.9 % and 30 cents, rounded half up."""
    return (cents * 29 + 500) // 1000 + 30


def make_charge(account: Account, intent: Doc, payment: Payment) -> Doc:
    """Charge a card; the balance transaction follows later."""
    charge = _charge(account, intent, payment, paid=True, status="succeeded", outcome=_OUTCOME)
    account.payments[charge["id"]] = payment
    account.emit("charge.succeeded", charge)
    if customers.card_of(account, intent["payment_method"]).is_disputed:
        account.later(account.now + SETTLES_AFTER, partial(_dispute, account, charge))
    account.later(account.now + SETTLES_AFTER, partial(_settle, account, charge))
    return charge


def make_failed_charge(account: Account, intent: Doc, message: str, code: str) -> Doc:
    """Record a charge that the bank refused; no money moves."""
    payment = account.hidden[intent["id"]]["payment"]
    more = {"failure_code": code, "failure_message": message}
    return _charge(account, intent, payment, paid=False, status="failed", **more)


def create_refund(account: Account, params: dict[str, Any]) -> Doc:
    """Refund a charge; Stripe keeps the fee."""
    charge = account.get("charge", params["charge"], param="charge")
    left = charge["amount_captured"] - charge["amount_refunded"]
    cents = int(params.get("amount", left))
    if charge["disputed"]:
        raise Refusal(400, "The charge has been charged back.", code="charge_disputed")
    if not 0 < cents <= left:
        message = f"Refund amount ({cents}) is greater than unrefunded amount on charge ({left})"
        raise Refusal(400, message, param="amount")
    charge["amount_refunded"] += cents
    charge["refunded"] = charge["amount_refunded"] == charge["amount_captured"]
    refund = blank(
        stripe.Refund,
        account.new_id("re"),
        account.now,
        amount=cents,
        charge=charge["id"],
        currency=charge["currency"],
        customer=charge["customer"],
        payment_intent=charge["payment_intent"],
        status="succeeded",
    )
    account.add(refund)
    refund["balance_transaction"] = move(
        account, "refund", -cents, source=refund["id"], charge=charge["id"]
    )["id"]
    account.emit("refund.created", refund)
    account.emit("charge.refunded", charge)
    return refund


def fail_refund(account: Account, refund_id: str) -> None:
    """Make the bank return a refund."""
    refund = account.get("refund", refund_id)
    charge = account.get("charge", refund["charge"])
    charge["amount_refunded"] -= refund["amount"]
    charge["refunded"] = False
    back = move(account, "refund_failure", refund["amount"], source=refund_id, charge=charge["id"])
    refund |= {"status": "failed", "failure_balance_transaction": back["id"]}
    account.emit("refund.failed", refund)


def open_dispute(account: Account, charge_id: str) -> Doc:
    """Open a dispute, which takes the charge and a fee in one row."""
    charge = account.get("charge", charge_id)
    cents = charge["amount_captured"] - charge["amount_refunded"]
    charge["disputed"] = True
    dispute = account.add(
        blank(
            stripe.Dispute,
            account.new_id("du"),
            account.now,
            amount=cents,
            balance_transactions=[],
            charge=charge_id,
            currency=charge["currency"],
            enhanced_eligibility_types=[],
            evidence={},
            evidence_details={"due_by": None, "has_evidence": False, "submission_count": 0},
            is_charge_refundable=False,
            payment_intent=charge["payment_intent"],
            reason="fraudulent",
            status="needs_response",
        )
    )
    row = move(
        account,
        "dispute",
        -cents,
        kind="adjustment",
        fee=DISPUTE_FEE,
        source=dispute["id"],
        charge=charge_id,
    )
    dispute["balance_transactions"].append(row)
    account.emit("charge.dispute.created", dispute)
    account.emit("charge.dispute.funds_withdrawn", dispute)
    return dispute


def close_dispute(account: Account, dispute_id: str, *, won: bool) -> None:
    """Close a dispute; winning returns the money, but not the fee."""
    dispute = account.get("dispute", dispute_id)
    dispute["status"] = "won" if won else "lost"
    account.emit("charge.dispute.closed", dispute)
    if won:
        row = move(
            account,
            "dispute_reversal",
            dispute["amount"],
            kind="adjustment",
            source=dispute_id,
            charge=dispute["charge"],
        )
        dispute["balance_transactions"].append(row)
        account.emit("charge.dispute.funds_reinstated", dispute)


def submit_evidence(account: Account, params: dict[str, Any], dispute_id: str) -> Doc:
    """Answer a dispute; Stripe's test words decide it."""
    dispute = account.get("dispute", dispute_id)
    word = params["evidence"]["uncategorized_text"]
    close_dispute(account, dispute_id, won=word == "winning_evidence")
    return dispute


def warn_of_fraud(account: Account, charge_id: str) -> Doc:
    """Create a fraud warning of the cardholder's bank."""
    warning = account.add(
        blank(
            stripe.radar.EarlyFraudWarning,
            account.new_id("issfr"),
            account.now,
            actionable=True,
            charge=charge_id,
            fraud_type="misc",
            payment_intent=account.get("charge", charge_id)["payment_intent"],
        )
    )
    account.emit("radar.early_fraud_warning.created", warning)
    return warning


def move(
    account: Account,
    category: str,
    amount: int,
    *,
    kind: str | None = None,
    fee: int = 0,
    tax: int = 0,
    source: str | None = None,
    charge: str | None = None,
    balance: str = "payments",
    available_on: int | None = None,
) -> Doc:
    """Write a balance transaction, and the movement in the double's own books."""
    details = [
        {"amount": part, "application": None, "currency": "usd", "description": "", "type": word}
        for word, part in (("stripe_fee", fee - tax), ("tax", tax))
        if part
    ]
    row = account.add(
        blank(
            stripe.BalanceTransaction,
            account.new_id("txn"),
            account.now,
            amount=amount,
            available_on=payouts.available_on(account) if available_on is None else available_on,
            balance_type=balance,
            currency=account.currency,
            fee=fee,
            fee_details=details,
            net=amount - fee,
            reporting_category=category,
            source=source,
            status="pending",
            type=kind or category,
        )
    )
    if balance == "payments":
        account.books.append(
            Movement(row["id"], account.now, category, amount, fee, tax, source, charge)
        )
        payouts.plan(account, row)
    return row


def list_charges(account: Account, params: dict[str, Any]) -> list[Doc]:
    """List charges of a customer, including failed ones."""
    wanted = params.get("customer")
    return [doc for doc in account.all("charge") if wanted in {None, doc["customer"]}]


def list_disputes(account: Account, params: dict[str, Any]) -> list[Doc]:
    """List disputes of a charge."""
    wanted = params.get("charge")
    return [doc for doc in account.all("dispute") if wanted in {None, doc["charge"]}]


def _dispute(account: Account, charge: Doc) -> None:
    open_dispute(account, charge["id"])


def _settle(account: Account, charge: Doc) -> None:
    cents = charge["amount_captured"]
    row = move(
        account, "charge", cents, fee=card_fee(cents), source=charge["id"], charge=charge["id"]
    )
    if customers.card_of(account, charge["payment_method"]).is_available:
        row["available_on"] = account.now
    charge["balance_transaction"] = row["id"]
    account.emit("charge.updated", charge)


def _charge(account: Account, intent: Doc, payment: Payment, **more: Any) -> Doc:
    taken = intent["amount"] if more["paid"] else 0
    card = account.get("payment_method", intent["payment_method"])["card"]
    address = {"address": None, "email": payment.email, "name": None, "phone": None}
    return account.add(
        blank(
            stripe.Charge,
            account.new_id("ch"),
            account.now,
            amount=intent["amount"],
            amount_captured=taken,
            amount_refunded=0,
            billing_details=address,
            calculated_statement_descriptor="JARA",
            captured=bool(taken),
            currency=intent["currency"],
            customer=intent["customer"],
            disputed=False,
            metadata=dict(intent["metadata"]),
            payment_intent=intent["id"],
            payment_method=intent["payment_method"],
            payment_method_details={"card": card, "type": "card"},
            receipt_email=intent["receipt_email"],
            refunded=False,
            **more,
        )
    )
