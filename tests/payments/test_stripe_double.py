"""The double behaves like Stripe where tests depend on it."""

import json
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest
import stripe

from jara.domain.giving.billing_day import BillingDay
from tests.payments.stripe_world import StripeWorld
from tests.stripe_double.shapes import ONLY_EXPANDED, field_names

CLASSES: dict[str, type] = {
    "balance_transaction": stripe.BalanceTransaction,
    "billing_portal.configuration": stripe.billing_portal.Configuration,
    "billing_portal.session": stripe.billing_portal.Session,
    "charge": stripe.Charge,
    "customer": stripe.Customer,
    "dispute": stripe.Dispute,
    "invoice": stripe.Invoice,
    "invoice_payment": stripe.InvoicePayment,
    "payment_intent": stripe.PaymentIntent,
    "payment_method": stripe.PaymentMethod,
    "payout": stripe.Payout,
    "price": stripe.Price,
    "product": stripe.Product,
    "radar.early_fraud_warning": stripe.radar.EarlyFraudWarning,
    "refund": stripe.Refund,
    "setup_intent": stripe.SetupIntent,
    "subscription": stripe.Subscription,
    "webhook_endpoint": stripe.WebhookEndpoint,
}


def ask(world: StripeWorld, method: str, path: str, **params: Any) -> Any:
    """Send any request through the SDK."""
    answer = world.connection.client.raw_request(method, path, **params)
    return json.loads(answer.body)


def test_objects_have_the_fields_of_the_sdks_types(world: StripeWorld) -> None:
    """Objects have exactly the type's fields, and those that are never null are set."""
    attempt = world.start()
    world.start("pm_card_authenticationRequired", day=BillingDay.TWENTY_EIGHTH)
    world.double.advance(minutes=1)
    world.gateway.refund(world.charge_of(attempt), 100, key="r")
    world.double.warn_of_fraud(world.charge_of(attempt))
    world.double.dispute(world.charge_of(attempt))
    world.give()
    world.gateway.billing_url(world.facts(attempt).customer_id, return_url="https://x.example")
    world.double.advance(days=10)
    tables = world.double.account.tables

    assert CLASSES.keys() == tables.keys()
    for name, kind in CLASSES.items():
        for doc in tables[name].values():
            extra = doc.keys() - field_names(kind)
            missing = field_names(kind) - doc.keys() - {*ONLY_EXPANDED.get(name, ())}
            unset = {key for key, value in doc.items() if value is None and is_required(kind, key)}
            assert (extra, missing, unset) == (set(), set(), set()), name


def is_required(kind: type, name: str) -> bool:
    """Return whether the SDK's type never allows null for a field."""
    text = str(kind.__annotations__[name])
    return "Optional" not in text and "NoneType" not in text


@pytest.mark.parametrize(
    ("path", "params", "param"),
    [
        ("/v1/payment_intents", {"payment_method_types": ["card"]}, "payment_method_types"),
        ("/v1/subscriptions", {"billing_cycle_anchor": "now"}, "billing_cycle_anchor"),
        ("/v1/subscriptions", {"payment_settings": {"methods": "card"}}, "payment_settings"),
        ("/v1/customers", {"emial": "a"}, "emial"),
    ],
)
def test_the_double_refuses_unknown_parameters(
    world: StripeWorld, path: str, params: dict[str, Any], param: str
) -> None:
    """An unknown parameter is answered with 400, as by Stripe."""
    with pytest.raises(stripe.InvalidRequestError) as caught:
        ask(world, "post", path, **params)

    assert caught.value.http_status == 400
    assert str(caught.value.param).startswith(param)


def test_incomplete_requests_are_ignored(world: StripeWorld) -> None:
    """A request that breaks off does nothing, and its key stays free."""
    place = urlsplit(world.double.url)
    head = "POST /v1/customers HTTP/1.1\r\nIdempotency-Key: half\r\nContent-Length: 40\r\n\r\n"
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=10) as asking:
        asking.sendall(f"{head}email=ama%40ex".encode())
        asking.shutdown(socket.SHUT_WR)

        assert asking.recv(100) == b""
    assert world.double.account.all("customer") == []
