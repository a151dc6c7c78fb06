"""The double behaves like Stripe where tests depend on it."""

from __future__ import annotations

import json
import socket
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
import stripe

from jara.domain.giving.billing_day import BillingDay
from tests.payments.stripe_world import StripeWorld, instant
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
def test_what_the_types_do_not_have_is_refused(
    world: StripeWorld, path: str, params: dict[str, Any], param: str
) -> None:
    """An unknown parameter is answered with 400, as by Stripe."""
    with pytest.raises(stripe.InvalidRequestError) as caught:
        ask(world, "post", path, **params)

    assert caught.value.http_status == 400
    assert str(caught.value.param).startswith(param)


def test_a_textual_anchor_is_refused_in_an_update(world: StripeWorld) -> None:
    """In this API version, the anchor is an object."""
    attempt = world.start()

    path = f"/v1/subscriptions/{attempt.reference}"

    with pytest.raises(stripe.InvalidRequestError) as caught:
        ask(world, "post", path, billing_cycle_anchor="unchanged")

    assert (caught.value.http_status, caught.value.param) == (400, "billing_cycle_anchor")


def test_a_second_item_is_never_added_by_mistake(world: StripeWorld) -> None:
    """Without the item's id, Stripe would add an item; the double refuses."""
    attempt = world.start()

    with pytest.raises(stripe.InvalidRequestError, match="second item"):
        ask(
            world,
            "post",
            f"/v1/subscriptions/{attempt.reference}",
            items=[{"quantity": 20}],
            proration_behavior="none",
        )


def test_payments_and_secret_come_only_when_expanded(world: StripeWorld) -> None:
    """Code that does not expand them fails here too."""
    world.start("pm_card_authenticationRequired")
    invoice_id = world.double.account.all("invoice")[0]["id"]
    with world.connection.asking() as v1:
        bare = v1.invoices.retrieve(invoice_id)
        whole = v1.invoices.retrieve(invoice_id, {"expand": ["payments", "confirmation_secret"]})

    assert "payments" not in bare
    assert "confirmation_secret" not in bare
    secret, payments = whole.confirmation_secret, whole.payments
    assert secret is not None
    assert payments is not None
    assert secret.client_secret.startswith(str(payments.data[0].payment.payment_intent))


def test_a_declined_answer_is_replayed_and_a_refusal_is_not(world: StripeWorld) -> None:
    """Stripe stores the results of a key, but not requests that it refused beforehand."""
    key = {"idempotency_key": "k"}
    for _ in range(2):
        with pytest.raises(stripe.CardError):
            ask(world, "post", "/v1/customers", payment_method="pm_card_chargeDeclined", **key)
    with pytest.raises(stripe.InvalidRequestError):
        ask(world, "post", "/v1/customers", nonsense="1", idempotency_key="n")
    assert ask(world, "post", "/v1/customers", email="a", idempotency_key="n")
    with pytest.raises(stripe.IdempotencyError):
        ask(world, "post", "/v1/customers", email="b", idempotency_key="n")
    assert len(world.double.account.all("customer")) == 1


def test_an_answer_lost_after_it_was_done_is_kept(world: StripeWorld) -> None:
    """After a 500 for a completed call, the key gives the real answer."""
    world.double.fault("POST /v1/customers", "500_after")
    with pytest.raises(stripe.APIError):
        ask(world, "post", "/v1/customers", email="a", idempotency_key="k")

    again = ask(world, "post", "/v1/customers", email="a", idempotency_key="k")

    assert [each["id"] for each in world.double.account.all("customer")] == [again["id"]]


@pytest.mark.parametrize(
    "act",
    [
        lambda world: ask(world, "get", "/v1/nothing"),
        lambda world: ask(world, "get", "/v1/customers/cus_1"),
        lambda world: ask(world, "get", "/v1/customers/search", query="email:'a'"),
        lambda world: ask(world, "get", "/v1/customers", expand=["data.email"]),
        lambda world: ask(world, "post", "/v1/invoices/in_1/void"),
    ],
)
def test_what_the_double_does_not_know_it_refuses(world: StripeWorld, act: Any) -> None:
    """A test cannot pass with an answer that Stripe would not give."""
    world.gateway.create_customer(
        email="a", name="A", member_id="m", payment_method="pm_card_visa", key="k"
    )
    with pytest.raises(stripe.InvalidRequestError):
        act(world)


def test_only_an_open_invoice_can_be_voided(world: StripeWorld) -> None:
    """A paid invoice stays paid."""
    world.start()
    invoice_id = world.double.account.all("invoice")[0]["id"]

    with pytest.raises(stripe.InvalidRequestError, match="paid"):
        ask(world, "post", f"/v1/invoices/{invoice_id}/void")


def test_a_change_in_the_draft_hour_comes_too_late(world: StripeWorld) -> None:
    """The amount is fixed when the draft is created, an hour before payment."""
    attempt = world.start(day=BillingDay.TWENTY_EIGHTH)
    world.double.advance_to(instant(2026, 2, 28, 12, 30))
    draft = world.double.account.all("invoice")[0]
    assert (draft["status"], draft["amount_due"]) == ("draft", 1000)

    world.gateway.change_amount(attempt.reference, 50)
    world.double.advance(hours=1)

    assert (draft["status"], draft["amount_paid"]) == ("paid", 1000)


def test_a_card_asked_at_setup_alone_is_asked_once(world: StripeWorld) -> None:
    """After set-up for a later day, the first charge needs no confirmation."""
    attempt = world.start("pm_card_authenticationRequiredOnSetup", day=BillingDay.TWENTY_EIGHTH)
    world.double.confirm(attempt.client_secret or "")

    world.double.advance_to(instant(2026, 3, 1))

    assert len(world.charged_on()) == 1
    with pytest.raises(Exception, match="Nothing to confirm"):
        world.double.confirm(attempt.client_secret or "")


def test_the_parts_of_a_payout_sum_to_it(world: StripeWorld) -> None:
    """The list of a payout has its parts and its own row."""
    world.start()
    world.give()
    world.double.advance(days=4)
    (payout,) = world.double.account.all("payout")
    with world.connection.asking() as v1:
        rows = v1.balance_transactions.list({"payout": cast("str", payout["id"])}).data

    assert sum(row.net for row in rows) == 0
    assert len(rows) == 3


def test_half_a_request_is_none(world: StripeWorld) -> None:
    """A request that breaks off does nothing, and its key stays free."""
    place = urlsplit(world.double.url)
    head = "POST /v1/customers HTTP/1.1\r\nIdempotency-Key: half\r\nContent-Length: 40\r\n\r\n"
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=10) as asking:
        asking.sendall(f"{head}email=ama%40ex".encode())
        asking.shutdown(socket.SHUT_WR)

        assert asking.recv(100) == b""
    assert world.double.account.all("customer") == []
