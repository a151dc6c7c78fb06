"""Stripe's webhook events: verifying them, and finding what each requires to fetch."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jara.domain.errors import NotFound, Unauthenticated
from jara.payments.stripe.client import StripeConnection, api_version, instant_of, load_sdk
from jara.payments.stripe.subscriptions import StripeSubscriptions
from jara.records.payments import ProviderEvent
from jara.services.ports.outside import Clock

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import StripeObject
    from stripe._v1_services import V1Services

EVENTS = (
    *(f"invoice.{word}" for word in ("paid", "payment_failed", "payment_action_required")),
    *(f"invoice.{word}" for word in ("finalized", "finalization_failed", "voided", "upcoming")),
    "invoice_payment.paid",
    *(f"customer.subscription.{word}" for word in ("created", "updated", "deleted")),
    *(f"customer.subscription.{word}" for word in ("paused", "resumed", "trial_will_end")),
    *("customer.updated", "customer.deleted"),
    *(f"payment_method.{word}" for word in ("updated", "automatically_updated", "detached")),
    *("setup_intent.succeeded", "setup_intent.setup_failed"),
    *("payment_intent.succeeded", "payment_intent.payment_failed"),
    *("charge.updated", "charge.refunded"),
    *("refund.created", "refund.updated", "refund.failed"),
    *(f"charge.dispute.{word}" for word in ("created", "updated", "closed")),
    *("charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated"),
    "radar.early_fraud_warning.created",
    *(f"payout.{word}" for word in ("created", "updated", "paid", "failed", "canceled")),
    "payout.reconciliation_completed",
)
"""Not ``invoice.created``: an endpoint that fails to answer it holds back every invoice."""

TOLERANCE_SECONDS = 300
"""How old or how far ahead an event's time may be, as Stripe advises."""

_MONEY = ("charge.", "refund.", "payout.", "invoice_payment.")
_WARNING = "radar.early_fraud_warning.created"
_FINALISED = "invoice.finalized"
_ASKS = "invoice.payment_action_required"
_REFUSED = "This is not an event of the payment provider: {}."

_NO_EVENT = (
    *(ValueError, TypeError, KeyError, AttributeError),
    *(OverflowError, OSError, RecursionError),
)
"""The errors of reading a body that is not an event."""

_FETCHERS: dict[str, Callable[[V1Services, str], StripeObject]] = {
    "subscription": lambda v1, id_: v1.subscriptions.retrieve(id_),
    "invoice": lambda v1, id_: v1.invoices.retrieve(id_),
    "invoice_payment": lambda v1, id_: v1.invoice_payments.retrieve(id_),
    "customer": lambda v1, id_: v1.customers.retrieve(id_),
    "payment_method": lambda v1, id_: v1.payment_methods.retrieve(id_),
    "setup_intent": lambda v1, id_: v1.setup_intents.retrieve(id_),
    "payment_intent": lambda v1, id_: v1.payment_intents.retrieve(id_),
    "radar.early_fraud_warning": lambda v1, id_: v1.radar.early_fraud_warnings.retrieve(id_),
}


class StripeEvents:
    """Verifies events and reads what to fetch; nothing else in them is used."""

    def __init__(
        self, connection: StripeConnection, webhook_secret: str | None, clock: Clock
    ) -> None:
        self._connection = connection
        self._secret = webhook_secret
        self._clock = clock

    def read(self, body: bytes, signature: str | None) -> ProviderEvent:
        """Verify the signature and time of an event, and read it.

        Raises:
            Unauthenticated: the signature is missing, wrong, or too old.
        """
        self._require_signature(body, signature)
        try:
            document = json.loads(body)
            thing = document["data"]["object"]
            event = ProviderEvent(
                event_id=_text(document["id"]),
                type=_text(document["type"]),
                created_at=instant_of(int(document["created"])),
                object_type=_text(thing["object"]),
                object_id=_text(thing.get("id") or ""),
                same_version=document["api_version"] == api_version(),
                is_live=_flag(document["livemode"]),
                account_id=_id(document, "account"),
            )
        except _NO_EVENT as error:
            raise Unauthenticated(_REFUSED.format("its fields are not an event's")) from error
        event = event._replace(
            moves_money=event.type.startswith(_MONEY), opens_invoice=event.type == _FINALISED
        )
        return _with_fields(event, thing) if event.same_version else event

    def look_up(self, event: ProviderEvent) -> ProviderEvent:
        """Return the event with its missing fields.

        Fields of another API version are never read; the object is fetched in our version.
        """
        fetch = _FETCHERS.get(event.object_type)
        if event.same_version or fetch is None or not event.object_id:
            return event
        try:
            with self._connection.asking() as v1:
                thing = fetch(v1, event.object_id)
        except NotFound:
            return event
        return _with_fields(event, thing.to_dict())

    def void_arrears(self, subscription_id: str) -> int:
        """Void all open invoices of a subscription except the newest; return how many."""
        return StripeSubscriptions(self._connection).void_arrears(subscription_id)

    def _require_signature(self, body: bytes, signature: str | None) -> None:
        stripe = load_sdk()
        if self._secret is None:
            raise Unauthenticated(_REFUSED.format("no webhook secret is set"))
        try:
            stripe.WebhookSignature.verify_header(body, signature, self._secret)
            signed_at = _signed_at(signature or "")
        except (stripe.SignatureVerificationError, ValueError, TypeError) as error:
            raise Unauthenticated(_REFUSED.format("its signature is wrong")) from error
        away = abs(int(self._clock.now().timestamp()) - signed_at)
        if away > TOLERANCE_SECONDS:
            raise Unauthenticated(_REFUSED.format(f"its time is {away} seconds off"))


def _signed_at(signature: str) -> int:
    """Return the signed time; there must be exactly one."""
    times = [part[2:] for part in signature.split(",") if part.startswith("t=")]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit()):
        raise ValueError(signature)
    return int(times[0])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _with_fields(event: ProviderEvent, thing: dict[str, Any]) -> ProviderEvent:
    """Read the subscription, customer and charge of the event from its object."""
    if event.object_type == "subscription":
        return event._replace(subscription_id=event.object_id, customer_id=_id(thing, "customer"))
    if event.object_type == "customer":
        return event._replace(customer_id=event.object_id)
    parent = thing.get("parent")
    details = parent.get("subscription_details") if isinstance(parent, dict) else None
    return event._replace(
        subscription_id=_id(details, "subscription") if isinstance(details, dict) else None,
        customer_id=_id(thing, "customer"),
        warned_charge_id=_id(thing, "charge") if event.type == _WARNING else None,
        confirm_url=_id(thing, "hosted_invoice_url") if event.type == _ASKS else None,
    )


def _id(thing: dict[str, Any], name: str) -> str | None:
    value = thing.get(name)
    found = value.get("id") if isinstance(value, dict) else value
    return found if isinstance(found, str) else None
