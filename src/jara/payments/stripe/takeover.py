"""Reading and taking over subscriptions of the Stripe account from before Jara."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from jara.domain.giving.adoption import LIVE, LiveSubscription
from jara.domain.time_zone import TimeZone
from jara.payments.stripe.catalogue import StripeCatalogue
from jara.payments.stripe.client import (
    MEMBER_MARK,
    PAGE,
    StripeConnection,
    field_of,
    id_of,
    instant_of,
    mark_of,
    require_id,
)
from jara.payments.stripe.subscriptions import item_of, next_charge_at

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import Subscription

_OWN_CARD = "default_payment_method"
_CUSTOMERS_CARD = "customer.invoice_settings.default_payment_method"


class StripeTakeover:
    """Finds and takes over subscriptions."""

    def __init__(
        self, connection: StripeConnection, zone: Callable[[], TimeZone] = TimeZone
    ) -> None:
        """Use a connection and the organisation's zone; Stripe is not called yet."""
        self._connection = connection
        self._zone = zone
        self._catalogue = StripeCatalogue(connection)

    def live(self) -> Iterator[LiveSubscription]:
        """Return every subscription that will be charged."""
        with self._connection.asking() as v1:
            found = v1.subscriptions.list(
                {"limit": PAGE, "expand": [f"data.{_OWN_CARD}", f"data.{_CUSTOMERS_CARD}"]}
            )
            for subscription in found.auto_paging_iter():
                if subscription.status in LIVE:
                    yield _in_our_words(subscription, self._zone())

    def take_over(
        self, subscription_id: str, *, customer_id: str, member_id: str, dollars: int
    ) -> None:
        """Take over a subscription; the days of its charges stay, and nothing is charged.

        Price, mark and card change in one request. Before that, the subscription's own card
        becomes the customer's: on the subscription it would override a card added later.
        """
        price_id = self._catalogue.price_id()
        with self._connection.asking() as v1:
            found = v1.subscriptions.retrieve(subscription_id)
            own_card = id_of(field_of(found, _OWN_CARD))
            mark = {MEMBER_MARK: member_id}
            if own_card is None:
                v1.customers.update(customer_id, {"metadata": mark})
            else:
                settings: Any = {"default_payment_method": own_card}
                v1.customers.update(customer_id, {"metadata": mark, "invoice_settings": settings})
            v1.subscriptions.update(
                subscription_id,
                {
                    "items": [{"id": item_of(found), "price": price_id, "quantity": dollars}],
                    "proration_behavior": "none",
                    "default_payment_method": "",
                    "metadata": mark,
                },
                {"idempotency_key": f"adopt:{subscription_id}:{member_id}:{dollars}:{own_card}"},
            )


def _in_our_words(subscription: Subscription, zone: TimeZone) -> LiveSubscription:
    item = subscription.items.data[0]
    price = item.price
    recurring = price.recurring
    interval = field_of(recurring, "interval") or "month"
    count = field_of(recurring, "interval_count") or 1
    ends_at = field_of(subscription, "cancel_at")
    next_on = zone.day_of(next_charge_at(subscription))
    ends_on = next_on if subscription.cancel_at_period_end else None
    return LiveSubscription(
        id=subscription.id,
        customer_id=require_id(subscription.customer),
        email=field_of(subscription.customer, "email") or "",
        owner=mark_of(subscription, MEMBER_MARK),
        status=subscription.status,
        currency=price.currency,
        unit_cents=price.unit_amount if price.billing_scheme == "per_unit" else None,
        quantity=item.quantity or 1,
        every=interval if count == 1 else f"{count} {interval}s",
        charged_on=next_on,
        ends_on=ends_on if ends_at is None else zone.day_of(instant_of(ends_at)),
        unsupported=_unsupported(subscription),
    )


def _unsupported(subscription: Subscription) -> str:
    """Return the reason why a subscription cannot be a pledge, or an empty text."""
    item = subscription.items.data[0]
    pause = subscription.pause_collection
    taxed = field_of(field_of(subscription, "automatic_tax"), "enabled")
    rates = field_of(subscription, "default_tax_rates") or field_of(item, "tax_rates")
    odd = (
        (len(subscription.items.data) > 1, "It has several prices; a pledge has one."),
        (
            field_of(item.price.recurring, "usage_type") == "metered",
            "It is charged by use; a pledge is a fixed amount.",
        ),
        (
            bool(field_of(subscription, "discounts") or field_of(item, "discounts")),
            "It has a discount; a pledge has none.",
        ),
        (
            field_of(subscription, "pending_setup_intent") is not None,
            "Its card is not confirmed yet.",
        ),
        (bool(taxed or rates), "It has tax; a pledge has none."),
        (
            subscription.collection_method != "charge_automatically",
            "It sends invoices; a pledge is charged to a card.",
        ),
        (
            field_of(subscription, "schedule") is not None
            or field_of(subscription, "pending_update") is not None,
            "It has a scheduled change; end the schedule first.",
        ),
        (
            pause is not None and pause.behavior != "void",
            "Its pause keeps invoices and would charge them later; set the pause to void them.",
        ),
    )
    found = next((sentence for holds, sentence in odd if holds), "")
    return found or _unsupported_card(subscription)


def _unsupported_card(subscription: Subscription) -> str:
    own = field_of(subscription, _OWN_CARD)
    if own is None:
        settings = field_of(subscription.customer, "invoice_settings")
        own = None if field_of(subscription, "default_source") else field_of(settings, _OWN_CARD)
    if own is None:
        return "It has no card that Jara could charge."
    kind = field_of(own, "type")
    return "" if kind == "card" else f"It is paid by {kind}; a pledge needs a card."
