"""Payment intents, set-up intents, and their confirmation by the cardholder."""

from typing import Any

import stripe

from tests.stripe_double import customers, invoices, money
from tests.stripe_double.account import Account, Doc, Payment, Refusal, declined
from tests.stripe_double.form import is_true
from tests.stripe_double.shapes import blank

NOT_AUTHENTICATED = "We are unable to authenticate your payment method."


def make_intent(
    account: Account, cents: int, payment: Payment, *, method: str | None, status: str, **more: Any
) -> Doc:
    """Create a payment intent without an attempt to pay."""
    intent_id = account.new_id("pi")
    intent = blank(
        stripe.PaymentIntent,
        intent_id,
        account.now,
        amount=cents,
        amount_capturable=0,
        amount_received=0,
        capture_method="automatic_async",
        client_secret=f"{intent_id}_secret_{account.new_id('x')}",
        confirmation_method="automatic",
        currency=account.currency,
        customer=payment.customer_id,
        payment_method=method,
        payment_method_types=["card"],
        status=status,
        **more,
    )
    account.hidden[intent_id] = {"payment": payment}
    return account.add(intent)


def attempt(account: Account, intent: Doc, *, on_session: bool) -> str:
    """Charge the card; the intent's status has the result."""
    hidden = account.hidden[intent["payment_method"]]
    card = customers.card_of(account, intent["payment_method"])
    hidden["is_used"] = True
    if card.refused_at in {"attach", "charge"}:
        _fail(account, intent, card.message, card.code)
    elif card.asks == "always" or (card.asks == "once" and not hidden["is_confirmed"]):
        intent["status"] = "requires_action"
        intent["next_action"] = {"type": "use_stripe_sdk", "use_stripe_sdk": {}}
        intent["last_payment_error"] = None if on_session else _error("authentication_required")
    else:
        succeed(account, intent)
    return str(intent["status"])


def succeed(account: Account, intent: Doc) -> None:
    """Complete the payment."""
    charge = money.make_charge(account, intent, account.hidden[intent["id"]]["payment"])
    intent |= {
        "status": "succeeded",
        "next_action": None,
        "last_payment_error": None,
        "amount_received": intent["amount"],
        "latest_charge": charge["id"],
    }
    account.emit("payment_intent.succeeded", intent)


def confirm(account: Account, client_secret: str, *, succeeds: bool) -> None:
    """Answer the bank's question for the cardholder."""
    intent_id = client_secret.partition("_secret_")[0]
    kind = "setup_intent" if intent_id.startswith("seti_") else "payment_intent"
    intent = account.get(kind, intent_id)
    if intent["client_secret"] != client_secret or intent["status"] != "requires_action":
        raise Refusal(400, f"Nothing to confirm: {intent_id} is {intent['status']}.")
    if kind == "setup_intent":
        _finish_set_up(account, intent, succeeds=succeeds)
    elif succeeds:
        account.hidden[intent["payment_method"]]["is_confirmed"] = True
        succeed(account, intent)
        invoices.payment_ended(account, intent)
    else:
        _fail(account, intent, NOT_AUTHENTICATED, "payment_intent_authentication_failure")
        invoices.payment_ended(account, intent)


def create_gift(account: Account, params: dict[str, Any]) -> Doc:
    """Create and confirm a payment intent; a decline is an error."""
    if not is_true(params.get("confirm")):
        raise Refusal(400, "The double confirms at once.", param="confirm")
    method = customers.find_method(account, params["payment_method"])
    if account.hidden[method["id"]]["is_used"] and not method["customer"]:
        message = "The payment method was used before without being attached."
        raise Refusal(400, message, param="payment_method")
    metadata = params.get("metadata", {})
    email = params.get("receipt_email") or method["billing_details"]["email"]
    intent = make_intent(
        account,
        int(params["amount"]),
        Payment("gift", None, None, email),
        method=method["id"],
        status="requires_confirmation",
        metadata=metadata,
        receipt_email=params.get("receipt_email"),
        automatic_payment_methods={"enabled": True, "allow_redirects": "never"},
        allowed_payment_method_types=params.get("allowed_payment_method_types"),
    )
    if attempt(account, intent, on_session=True) == "requires_payment_method":
        raise declined(intent["last_payment_error"]["message"])
    if intent["status"] == "requires_action" and not is_true(params.get("use_stripe_sdk")):
        raise Refusal(400, "Without use_stripe_sdk the page cannot go on.", param="use_stripe_sdk")
    return intent


def make_set_up(account: Account, customer: Doc) -> Doc | None:
    """Set up the customer's card for later charges; return nothing if nothing is left to do."""
    method_id = customer["invoice_settings"]["default_payment_method"]
    card = customers.card_of(account, method_id)
    if card.refused_at != "setup" and card.asks == "never":
        return None
    intent_id = account.new_id("seti")
    refused = card.refused_at == "setup"
    error = {"type": "card_error", "code": card.code, "message": card.message}
    return account.add(
        blank(
            stripe.SetupIntent,
            intent_id,
            account.now,
            client_secret=f"{intent_id}_secret_{account.new_id('x')}",
            customer=customer["id"],
            payment_method=None if refused else method_id,
            payment_method_types=["card"],
            status="requires_payment_method" if refused else "requires_action",
            last_setup_error=error if refused else None,
            next_action=None if refused else {"type": "use_stripe_sdk", "use_stripe_sdk": {}},
            usage="off_session",
        )
    )


def _finish_set_up(account: Account, intent: Doc, *, succeeds: bool) -> None:
    if not succeeds:
        intent |= {
            "status": "requires_payment_method",
            "next_action": None,
            "last_setup_error": _error("setup_intent_authentication_failure"),
        }
        account.emit("setup_intent.setup_failed", intent)
        return
    account.hidden[intent["payment_method"]]["is_confirmed"] = True
    intent |= {"status": "succeeded", "next_action": None}
    account.emit("setup_intent.succeeded", intent)
    for subscription in account.all("subscription"):
        if subscription["pending_setup_intent"] == intent["id"]:
            subscription["pending_setup_intent"] = None
            account.emit("customer.subscription.updated", subscription)


def _fail(account: Account, intent: Doc, message: str, code: str) -> None:
    money.make_failed_charge(account, intent, message, code)
    intent |= {
        "status": "requires_payment_method",
        "next_action": None,
        "last_payment_error": {"type": "card_error", "code": code, "message": message},
    }
    account.emit("payment_intent.payment_failed", intent)


def _error(code: str) -> Doc:
    return {"type": "card_error", "code": code, "message": NOT_AUTHENTICATED}
