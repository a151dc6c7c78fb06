"""Subscriptions at Stripe: starting, reading, ending."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from jara.domain.errors import Conflict, Unavailable
from jara.domain.giving.billing_day import (
    BillingDay,
    charge_at,
    charge_at_or_after,
    first_charge_on,
)
from jara.domain.giving.pledge import PledgeState
from jara.domain.time_zone import TimeZone
from jara.payments.stripe.client import (
    DECLINED,
    MEMBER_MARK,
    PAGE,
    StripeConnection,
    field_of,
    instant_of,
    load_sdk,
    require_id,
)
from jara.services.ports.payments import (
    NOTHING_DUE,
    Attempt,
    IntentType,
    PaymentOutcome,
    SubscriptionFacts,
)

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import Invoice, PaymentIntent, SetupIntent, Subscription
    from stripe._v1_services import V1Services
    from stripe.params import SubscriptionCreateParams

SKIP = timedelta(days=1)
"""A skipped month resumes a day after its charge would have been."""

_CARD = "customer.invoice_settings.default_payment_method"
EXPANDED = ["pending_setup_intent", "latest_invoice", _CARD]
"""Fields read with a subscription: its set-up, the start of its arrears, and its card."""

_STATES = {
    "incomplete": PledgeState.INCOMPLETE,
    "incomplete_expired": PledgeState.CANCELED,
    "canceled": PledgeState.CANCELED,
    "past_due": PledgeState.PAST_DUE,
    "unpaid": PledgeState.PAST_DUE,
    "paused": PledgeState.PAUSED,
    "trialing": PledgeState.ACTIVE,
    "active": PledgeState.ACTIVE,
}


class StripeSubscriptions:
    """Starts, reads and ends subscriptions."""

    def __init__(self, connection: StripeConnection) -> None:
        self._connection = connection

    def start(self, params: SubscriptionCreateParams, *, key: str) -> Attempt:
        """Create a subscription and return the outcome."""
        with self._connection.asking() as v1:
            subscription = v1.subscriptions.create(params, {"idempotency_key": key})
            return _outcome(v1, subscription)

    def read(self, subscription_id: str) -> Subscription:
        """Return a subscription with the set-up it waits for."""
        with self._connection.asking() as v1:
            return v1.subscriptions.retrieve(subscription_id, {"expand": EXPANDED})

    def of_customer(self, customer_id: str) -> Iterator[Subscription]:
        """Return a customer's subscriptions, ended ones too."""
        with self._connection.asking() as v1:
            found = v1.subscriptions.list(
                {
                    "customer": customer_id,
                    "status": "all",
                    "limit": PAGE,
                    "expand": [f"data.{path}" for path in EXPANDED],
                }
            )
            yield from found.auto_paging_iter()

    def pay_due(self, subscription_id: str, *, key: str) -> Attempt:
        """Charge the newest open invoice while the cardholder is there to confirm."""
        stripe = load_sdk()
        with self._connection.asking() as v1:
            invoice = next(_invoices(v1, subscription_id, "open"), None)
            if invoice is None:
                raise Conflict(NOTHING_DUE)
            invoice_id = require_id(invoice)
            try:
                v1.invoices.pay(invoice_id, {"off_session": False}, {"idempotency_key": key})
            except (stripe.CardError, stripe.InvalidRequestError):
                # Also what waits for the cardholder, or was paid meanwhile, is an error.
                invoice = v1.invoices.retrieve(invoice_id, {"expand": ["confirmation_secret"]})
                attempt = _payment_outcome(v1, subscription_id, invoice)
                if attempt.outcome is PaymentOutcome.DECLINED:
                    raise
                return attempt
        return Attempt(PaymentOutcome.PAID, subscription_id)

    def stop_collecting(self, subscription_id: str) -> None:
        """Void open invoices and drafts, so that nobody is charged after leaving."""
        with self._connection.asking() as v1:
            for draft in _invoices(v1, subscription_id, "draft"):
                v1.invoices.update(require_id(draft), {"auto_advance": False})
            for invoice in list(_invoices(v1, subscription_id, "open")):
                v1.invoices.void_invoice(require_id(invoice))

    def void_arrears(self, subscription_id: str) -> int:
        """Void all open invoices except the newest, which Stripe lists first; return how many."""
        with self._connection.asking() as v1:
            older = list(_invoices(v1, subscription_id, "open"))[1:]
            for invoice in older:
                v1.invoices.void_invoice(require_id(invoice))
        return len(older)


def creation(
    *,
    customer_id: str,
    price_id: str,
    dollars: int,
    billing_day: BillingDay,
    member_id: str,
    now: datetime,
    zone: TimeZone,
) -> SubscriptionCreateParams:
    """Return the parameters of a new subscription.

    It has no default card: one would override a card that the member adds later in the portal.
    """
    params: SubscriptionCreateParams = {
        "customer": customer_id,
        "items": [{"price": price_id, "quantity": dollars}],
        "payment_behavior": "allow_incomplete",
        "proration_behavior": "none",
        "billing_mode": {"type": "flexible"},
        "off_session": False,
        "payment_settings": {"payment_method_types": ["card"]},
        "metadata": {MEMBER_MARK: member_id},
        "expand": ["latest_invoice.confirmation_secret", "pending_setup_intent"],
    }
    today = zone.day_of(now)
    first = first_charge_on(billing_day, today)
    if first != today:
        # Without a time, Stripe uses that of creation, which near midnight is another day.
        params["billing_cycle_anchor_config"] = {
            "day_of_month": first.day,
            "hour": charge_at(first, zone).hour,
            "minute": 0,
            "second": 0,
        }
    return params


def facts_of(subscription: Subscription, zone: TimeZone) -> SubscriptionFacts:
    """Return the state of a subscription, with its days in a time zone."""
    state = _state_of(subscription)
    anchor = instant_of(subscription.billing_cycle_anchor)
    due_at = next_charge_at(subscription)
    next_at, skips_on, resumes_on = due_at, None, None
    resumes_at = _resumes_at(subscription)
    if resumes_at is not None and resumes_at > due_at:
        if state is PledgeState.PAUSED:
            resumes_on = zone.day_of(resumes_at)
            next_at = charge_at_or_after(anchor, resumes_at)
        else:
            skips_on = zone.day_of(due_at)
            next_at = charge_at_or_after(anchor, due_at + timedelta(seconds=1))
    is_open_ended = state is PledgeState.PAUSED and resumes_on is None
    is_off = is_open_ended or state is PledgeState.CANCELED
    return SubscriptionFacts(
        subscription_id=subscription.id,
        customer_id=require_id(subscription.customer),
        state=state,
        dollars=subscription.items.data[0].quantity or 0,
        anchor_on=zone.day_of(anchor),
        next_charge_on=None if is_off else zone.day_of(next_at),
        skips_on=skips_on,
        resumes_on=resumes_on,
        past_due_since=_failed_at(subscription) if state is PledgeState.PAST_DUE else None,
        due_cents=_due_cents(subscription) if state is PledgeState.PAST_DUE else None,
        card_expires_on=_card_expires_on(subscription),
        card_fingerprint=field_of(_card_of(subscription), "fingerprint"),
        ended_unpaid=_reason_of_end(subscription) == "payment_failed",
    )


def _reason_of_end(subscription: Subscription) -> str | None:
    reason: str | None = field_of(field_of(subscription, "cancellation_details"), "reason")
    return reason


def _card_expires_on(subscription: Subscription) -> date | None:
    """Return the last day of the month in which the customer's card expires."""
    card = _card_of(subscription)
    if card is None:
        return None
    year, month = card.exp_year, card.exp_month
    return date(year, month, monthrange(year, month)[1])


def _card_of(subscription: Subscription) -> Any:  # noqa: ANN401 - Stripe's object, or None
    """Return the card that pays the subscription."""
    method = field_of(field_of(subscription.customer, "invoice_settings"), "default_payment_method")
    return field_of(method, "card")


def next_charge_at(subscription: Subscription) -> datetime:
    """Return when Stripe makes the next invoice, skipped or not."""
    if subscription.status == "trialing" and subscription.trial_end is not None:
        return instant_of(subscription.trial_end)
    return instant_of(subscription.items.data[0].current_period_end)


def item_of(subscription: Subscription) -> str:
    """Return the one item; an update without its id would add a second one."""
    return subscription.items.data[0].id


def _state_of(subscription: Subscription) -> PledgeState:
    state = _STATES.get(subscription.status)
    if state is None:
        raise Unavailable(
            f"Stripe calls the subscription {subscription.id} '{subscription.status}'; "
            "this version of Jara does not know that state."
        )
    if subscription.status not in {"active", "trialing"}:
        return state
    setup = subscription.pending_setup_intent
    if subscription.status == "active" and field_of(setup, "status") not in {None, "succeeded"}:
        return PledgeState.INCOMPLETE
    pause = subscription.pause_collection
    if pause is None or _is_our_skip(subscription):
        return state
    return PledgeState.PAUSED


def _is_our_skip(subscription: Subscription) -> bool:
    """Return whether a pause is a skip of one month: it leaves out one charge at most."""
    resumes_at = _resumes_at(subscription)
    return resumes_at is not None and resumes_at <= next_charge_at(subscription) + SKIP


def _resumes_at(subscription: Subscription) -> datetime | None:
    pause = subscription.pause_collection
    if pause is None or pause.resumes_at is None:
        return None
    return instant_of(pause.resumes_at)


def _failed_at(subscription: Subscription) -> datetime | None:
    """Return when the latest invoice was finalised, which is when it was first tried."""
    at = field_of(field_of(subscription.latest_invoice, "status_transitions"), "finalized_at")
    return None if at is None else instant_of(at)


def _due_cents(subscription: Subscription) -> int | None:
    """Return what the latest invoice takes; None while it is a draft, which takes nothing yet."""
    invoice = subscription.latest_invoice
    is_open = field_of(invoice, "status") == "open"
    return field_of(invoice, "amount_remaining") if is_open else None


def _outcome(v1: V1Services, subscription: Subscription) -> Attempt:
    """Return the outcome of a start; intents are fetched again, since an answer may be a replay."""
    if subscription.status == "incomplete":
        return _payment_outcome(v1, subscription.id, subscription.latest_invoice)
    if subscription.pending_setup_intent is None:
        return Attempt(PaymentOutcome.PAID, subscription.id)
    setup = v1.setup_intents.retrieve(require_id(subscription.pending_setup_intent))
    if setup.status == "succeeded":
        return Attempt(PaymentOutcome.PAID, subscription.id)
    if setup.status == "requires_action":
        secret = setup.client_secret
        return _asks(subscription.id, IntentType.SETUP, secret)
    return _refused(subscription.id, setup)


def _payment_outcome(
    v1: V1Services, subscription_id: str, invoice: str | Invoice | None
) -> Attempt:
    intent = _intent_of(v1, require_id(invoice))
    if intent.status == "succeeded":
        return Attempt(PaymentOutcome.PAID, subscription_id)
    if intent.status == "requires_action":
        secret = field_of(field_of(invoice, "confirmation_secret"), "client_secret")
        return _asks(subscription_id, IntentType.PAYMENT, secret)
    if intent.status == "processing":
        raise Unavailable("Stripe is still working on the payment; try again in a minute.")
    return _refused(subscription_id, intent)


def _intent_of(v1: V1Services, invoice_id: str) -> PaymentIntent:
    payments = v1.invoice_payments.list(
        {"invoice": invoice_id, "expand": ["data.payment.payment_intent"]}
    )
    for payment in payments.data:
        intent = payment.payment.payment_intent
        if intent is not None and not isinstance(intent, str):
            return intent
    raise Unavailable(f"Stripe shows no payment of the invoice {invoice_id}.")


def _asks(subscription_id: str, intent_type: IntentType, secret: str | None) -> Attempt:
    return Attempt(
        PaymentOutcome.REQUIRES_ACTION,
        subscription_id,
        intent_type=intent_type,
        client_secret=secret,
    )


def _refused(subscription_id: str, intent: PaymentIntent | SetupIntent) -> Attempt:
    name = "last_payment_error" if intent.object == "payment_intent" else "last_setup_error"
    message = field_of(field_of(intent, name), "message")
    return Attempt(PaymentOutcome.DECLINED, subscription_id, message=message or DECLINED)


def _invoices(v1: V1Services, subscription_id: str, status: str) -> Iterator[Invoice]:
    found = v1.invoices.list({"subscription": subscription_id, "status": status, "limit": PAGE})
    yield from found.auto_paging_iter()
