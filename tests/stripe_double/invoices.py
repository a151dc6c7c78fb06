"""Invoices: draft for an hour, open, paid or void, with effects on the subscription."""

from typing import Any

import stripe

from tests.stripe_double import intents, subscriptions
from tests.stripe_double.account import Account, Doc, Payment, Refusal, declined
from tests.stripe_double.shapes import blank, listing

HOUR = 3600


def make_invoice(account: Account, subscription: Doc, reason: str, cents: int) -> Doc:
    """Create a draft for a period of a subscription."""
    customer = account.get("customer", subscription["customer"])
    item = subscription["items"]["data"][0]
    invoice = blank(
        stripe.Invoice,
        account.new_id("in"),
        account.now,
        amount_due=cents,
        amount_overpaid=0,
        amount_paid=0,
        amount_remaining=cents,
        amount_shipping=0,
        attempt_count=0,
        attempted=False,
        auto_advance=True,
        automatic_tax={"enabled": False, "liability": None, "status": None},
        billing_reason=reason,
        collection_method="charge_automatically",
        currency=account.currency,
        customer=customer["id"],
        customer_email=customer["email"],
        customer_name=customer["name"],
        default_tax_rates=[],
        discounts=[],
        issuer={"type": "self"},
        lines=listing([], "/v1/invoices/lines"),
        parent={
            "type": "subscription_details",
            "quote_details": None,
            "subscription_details": {
                "subscription": subscription["id"],
                "metadata": dict(subscription["metadata"]),
                "subscription_proration_date": None,
            },
        },
        payment_settings={"payment_method_types": ["card"]},
        period_start=item["current_period_start"],
        period_end=item["current_period_end"],
        post_payment_credit_notes_amount=0,
        pre_payment_credit_notes_amount=0,
        starting_balance=0,
        status="draft",
        status_transitions=dict.fromkeys(
            ("finalized_at", "marked_uncollectible_at", "paid_at", "voided_at")
        ),
        subtotal=cents,
        total=cents,
    )
    subscription["latest_invoice"] = invoice["id"]
    account.hidden[invoice["id"]] = {"subscription": subscription["id"], "failures": 0}
    account.add(invoice)
    account.emit("invoice.created", invoice)
    return invoice


def finalise(account: Account, invoice: Doc, *, on_session: bool) -> None:
    """Open a draft and charge the card."""
    if invoice["status"] != "draft" or not invoice["auto_advance"]:
        return
    invoice["status"] = "open"
    invoice["status_transitions"]["finalized_at"] = account.now
    invoice["hosted_invoice_url"] = f"https://invoice.stripe.com/i/{invoice['id']}"
    account.emit("invoice.finalized", invoice)
    if invoice["amount_due"] == 0:
        _set_paid(account, invoice)
        return
    subscription = _subscription(account, invoice)
    payment = Payment(
        "pledge",
        subscription["metadata"].get("jara_member"),
        invoice["customer"],
        invoice["customer_email"],
    )
    intent = intents.make_intent(
        account,
        invoice["amount_due"],
        payment,
        method=_default_method(account, subscription),
        status="requires_confirmation",
    )
    account.hidden[intent["id"]]["invoice"] = invoice["id"]
    account.add(_invoice_payment(account, invoice, intent))
    invoice["attempted"] = True
    intents.attempt(account, intent, on_session=on_session)
    payment_ended(account, intent)


def payment_ended(account: Account, intent: Doc) -> None:
    """Record the result of a payment intent on its invoice, if it has one."""
    invoice_id = account.hidden[intent["id"]].get("invoice")
    if invoice_id is None:
        return
    invoice = account.get("invoice", invoice_id)
    if intent["status"] == "succeeded":
        _set_paid(account, invoice)
        return
    invoice["attempt_count"] += 1
    asks = intent["status"] == "requires_action"
    account.emit(f"invoice.payment_{'action_required' if asks else 'failed'}", invoice)
    subscription = _subscription(account, invoice)
    if subscription["status"] in {"active", "trialing", "past_due"}:
        subscription["status"] = "past_due"
        account.emit("customer.subscription.updated", subscription)
        _plan_retry(account, invoice)


def pay(account: Account, params: dict[str, Any], invoice_id: str) -> Doc:
    """Charge an open invoice now; what waits for the cardholder is an error too."""
    invoice = account.get("invoice", invoice_id)
    if invoice["status"] != "open":
        raise Refusal(400, f"Invoice is already {invoice['status']}.")
    intent = _attempt_again(account, invoice, on_session=params.get("off_session") == "false")
    if intent["status"] == "requires_action":
        message = "This payment requires additional user action before it can be completed."
        raise declined(message, "invoice_payment_intent_requires_action")
    if intent["status"] != "succeeded":
        raise declined(intent["last_payment_error"]["message"])
    return invoice


def void(account: Account, params: dict[str, Any], invoice_id: str) -> Doc:
    """Void an open invoice."""
    invoice = account.get("invoice", invoice_id)
    if invoice["status"] != "open":
        raise Refusal(400, f"You can only void open invoices; this one is {invoice['status']}.")
    set_void(account, invoice)
    subscription = _subscription(account, invoice)
    if subscription["status"] == "past_due" and not _open(account, subscription):
        subscription["status"] = "active"
        account.emit("customer.subscription.updated", subscription)
    return invoice


def set_void(account: Account, invoice: Doc) -> None:
    """End an invoice without payment."""
    invoice["status"] = "void"
    invoice["status_transitions"]["voided_at"] = account.now
    for payment in account.all("invoice_payment"):
        if payment["invoice"] == invoice["id"]:
            payment["status"] = "canceled"
            account.get("payment_intent", payment["payment"]["payment_intent"])["status"] = (
                "canceled"
            )
    account.emit("invoice.voided", invoice)


def update(account: Account, params: dict[str, Any], invoice_id: str) -> Doc:
    """Change whether Stripe continues an invoice automatically."""
    invoice = account.get("invoice", invoice_id)
    if "auto_advance" in params:
        invoice["auto_advance"] = params["auto_advance"] == "true"
    return invoice


def list_invoices(account: Account, params: dict[str, Any]) -> list[Doc]:
    """List invoices of a subscription, by status."""
    wanted = params.get("subscription")
    return [
        invoice
        for invoice in account.all("invoice")
        if wanted in {None, account.hidden[invoice["id"]]["subscription"]}
        and params.get("status") in {None, invoice["status"]}
    ]


def list_payments(account: Account, params: dict[str, Any]) -> list[Doc]:
    """List payments of invoices."""
    intent = params.get("payment", {}).get("payment_intent")
    return [
        payment
        for payment in account.all("invoice_payment")
        if intent in {None, payment["payment"]["payment_intent"]}
        and params.get("invoice") in {None, payment["invoice"]}
        and params.get("status") in {None, payment["status"]}
    ]


def included(account: Account, invoice: Doc, name: str) -> Any:
    """Return the parts of an invoice that need to be requested."""
    payments = list_payments(account, {"invoice": invoice["id"]})
    if name == "payments":
        return listing(payments, "/v1/invoice_payments")
    if not payments:
        return None
    intent = account.get("payment_intent", payments[0]["payment"]["payment_intent"])
    return {"client_secret": intent["client_secret"], "type": "payment_intent"}


def _invoice_payment(account: Account, invoice: Doc, intent: Doc) -> Doc:
    return blank(
        stripe.InvoicePayment,
        account.new_id("inpay"),
        account.now,
        amount_requested=invoice["amount_due"],
        currency=account.currency,
        invoice=invoice["id"],
        is_default=True,
        payment={
            "type": "payment_intent",
            "payment_intent": intent["id"],
            "charge": None,
            "payment_record": None,
        },
        status="open",
        status_transitions={"canceled_at": None, "paid_at": None},
    )


def _set_paid(account: Account, invoice: Doc) -> None:
    invoice |= {"status": "paid", "amount_paid": invoice["amount_due"], "amount_remaining": 0}
    invoice["status_transitions"]["paid_at"] = account.now
    for payment in list_payments(account, {"invoice": invoice["id"]}):
        payment |= {"status": "paid", "amount_paid": invoice["amount_due"]}
        payment["status_transitions"]["paid_at"] = account.now
        account.emit("invoice_payment.paid", payment)
    account.emit("invoice.paid", invoice)
    subscription = _subscription(account, invoice)
    if subscription["status"] in {"incomplete", "past_due"}:
        subscription["status"] = "active"
        account.emit("customer.subscription.updated", subscription)


def _plan_retry(account: Account, invoice: Doc) -> None:
    if (invoice["next_payment_attempt"] or 0) > account.now:
        return  # paying by hand leaves the schedule as it is
    hidden = account.hidden[invoice["id"]]
    hidden.setdefault("failed_at", account.now)
    if hidden["failures"] < len(account.retries):
        at = hidden["failed_at"] + account.retries[hidden["failures"]]
        invoice["next_payment_attempt"] = at
        account.later(at, lambda: _retry(account, invoice))
    else:
        subscription = _subscription(account, invoice)
        subscription["cancellation_details"] = {"reason": "payment_failed"}
        subscriptions.end(account, subscription, "canceled")
    hidden["failures"] += 1


def _retry(account: Account, invoice: Doc) -> None:
    subscription = _subscription(account, invoice)
    if invoice["status"] != "open" or subscription["status"] != "past_due":
        return
    _attempt_again(account, invoice, on_session=False)


def _attempt_again(account: Account, invoice: Doc, *, on_session: bool) -> Doc:
    payment = list_payments(account, {"invoice": invoice["id"]})[0]
    intent = account.get("payment_intent", payment["payment"]["payment_intent"])
    intent["payment_method"] = _default_method(account, _subscription(account, invoice))
    intents.attempt(account, intent, on_session=on_session)
    payment_ended(account, intent)
    return intent


def _default_method(account: Account, subscription: Doc) -> str:
    customer = account.get("customer", subscription["customer"])
    own = subscription["default_payment_method"]
    return str(own or customer["invoice_settings"]["default_payment_method"])


def _subscription(account: Account, invoice: Doc) -> Doc:
    return account.get("subscription", account.hidden[invoice["id"]]["subscription"])


def _open(account: Account, subscription: Doc) -> list[Doc]:
    return list_invoices(account, {"subscription": subscription["id"], "status": "open"})
