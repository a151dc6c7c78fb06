"""Customers and their payment methods."""

import re
from typing import Any

import stripe

from tests.stripe_double import subscriptions
from tests.stripe_double.account import Account, Doc, Refusal, declined
from tests.stripe_double.cards import CARDS, Card
from tests.stripe_double.shapes import blank


def make_method(account: Account, name: str, *, email: str | None = None) -> Doc:
    """Create a payment method, as the browser does for an entered card."""
    method_id = account.new_id("pm")
    method = blank(
        stripe.PaymentMethod,
        method_id,
        account.now,
        type="card",
        billing_details={"address": None, "email": email, "name": None, "phone": None},
        card={
            "brand": "visa",
            "exp_month": 12,
            "exp_year": 2034,
            "fingerprint": CARDS[name].fingerprint or f"card_of_{method_id}",
            "last4": "4242",
        },
    )
    account.hidden[method["id"]] = {"card": name, "is_confirmed": False, "is_used": False}
    return account.add(method)


def create_method(account: Account, params: dict[str, Any]) -> Doc:
    """Create a payment method from a test token, such as ``tok_chargeDeclined``."""
    return make_method(account, params["card"]["token"].replace("tok_", "pm_card_"))


def find_method(account: Account, method_id: str) -> Doc:
    """Return a payment method; each use of a test name creates a new one."""
    if method_id in CARDS:
        return make_method(account, method_id)
    return account.get("payment_method", method_id, param="payment_method")


def card_of(account: Account, method_id: str) -> Card:
    """Return the behaviour of a payment method's card."""
    return CARDS[account.hidden[method_id]["card"]]


def attach_method(account: Account, method: Doc, customer_id: str) -> Doc:
    """Attach a payment method to a customer, which asks the bank."""
    hidden = account.hidden[method["id"]]
    if method["customer"] not in {None, customer_id} or (
        hidden["is_used"] and not method["customer"]
    ):
        message = "The payment method was used before or belongs to another customer."
        raise Refusal(400, message, param="payment_method")
    card = card_of(account, method["id"])
    hidden["is_used"] = True
    if card.refused_at == "attach":
        raise declined(card.message, card.code)
    method["customer"] = customer_id
    return method


def create_customer(account: Account, params: dict[str, Any]) -> Doc:
    """Create a customer; if the card is refused, nothing is left."""
    customer_id = account.new_id("cus")
    clock = params.get("test_clock")
    if clock and sum(one["test_clock"] == clock for one in account.all("customer")) >= 3:
        raise Refusal(400, "A test clock has three customers at most.", param="test_clock")
    default = None
    settings = params.get("invoice_settings", {})
    if "payment_method" in params:
        method = attach_method(account, find_method(account, params["payment_method"]), customer_id)
        if settings.get("default_payment_method") == params["payment_method"]:
            default = method["id"]
    customer = blank(
        stripe.Customer,
        customer_id,
        account.now,
        email=params.get("email"),
        name=params.get("name"),
        balance=0,
        delinquent=False,
        test_clock=clock,
        invoice_settings={"default_payment_method": default, "custom_fields": None, "footer": None},
        metadata=params.get("metadata", {}),
    )
    return account.add(customer)


def update_customer(account: Account, params: dict[str, Any], customer_id: str) -> Doc:
    """Change a customer."""
    customer = account.get("customer", customer_id)
    customer |= {key: params[key] for key in ("email", "name") if key in params}
    customer["metadata"] = {**customer["metadata"], **params.get("metadata", {})}
    default = params.get("invoice_settings", {}).get("default_payment_method")
    if default:
        method = account.get("payment_method", default, param="payment_method")
        if method["customer"] != customer_id:
            raise Refusal(400, "Attach the payment method first.", param="payment_method")
        customer["invoice_settings"]["default_payment_method"] = default
    account.emit("customer.updated", customer)
    return customer


def delete_customer(account: Account, params: dict[str, Any], customer_id: str) -> Doc:
    """Delete a customer and end its subscriptions."""
    customer = account.get("customer", customer_id)
    for subscription in account.all("subscription"):
        if subscription["customer"] == customer_id:
            subscriptions.end(account, subscription, "canceled")
    customer["deleted"] = True
    account.emit("customer.deleted", customer)
    return {"id": customer_id, "object": "customer", "deleted": True}


def list_customers(account: Account, params: dict[str, Any]) -> list[Doc]:
    """List customers by address, case-sensitively; those of a test clock only if it is named."""
    wanted, clock = params.get("email"), params.get("test_clock")
    return [
        doc
        for doc in account.all("customer")
        if wanted in {None, doc["email"]} and doc["test_clock"] == clock
    ]


def search_customers(account: Account, params: dict[str, Any]) -> list[Doc]:
    """Search customers by one field of their metadata."""
    match = re.fullmatch(r"metadata\['(\w+)'\]:'([^']*)'", params["query"])
    if match is None:
        raise Refusal(400, "The double searches by metadata alone.", param="query")
    name, value = match.groups()
    return [doc for doc in account.all("customer") if doc["metadata"].get(name) == value]


def attach(account: Account, params: dict[str, Any], method_id: str) -> Doc:
    """Attach a payment method."""
    account.get("customer", params["customer"], param="customer")
    return attach_method(account, find_method(account, method_id), params["customer"])
