"""Subscriptions of the sandbox."""

from collections.abc import Callable
from datetime import datetime, timedelta

from jara.domain.books.provider_row import ChargeKind
from jara.domain.errors import CardDeclined, Conflict
from jara.domain.giving.billing_day import (
    BillingDay,
    changed_charge_at,
    charge_at,
    charge_at_or_after,
    first_charge_on,
    nth_charge_on,
)
from jara.domain.giving.changemaker import RETRY_AFTER
from jara.domain.giving.pledge import DAY_WAITS, PledgeState
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.payments.sandbox.cards import Confirmation, find_card
from jara.payments.sandbox.money import SandboxMoney
from jara.payments.sandbox.objects import (
    Customer,
    Intent,
    Objects,
    Subscription,
    instant_text,
    read_instant,
)
from jara.services.ports.payments import (
    NOTHING_DUE,
    Attempt,
    IntentType,
    PaymentOutcome,
    SubscriptionFacts,
)

INCOMPLETE_FOR = timedelta(hours=23)
_STATES = {
    "incomplete": PledgeState.INCOMPLETE,
    "incomplete_expired": PledgeState.CANCELED,
    "canceled": PledgeState.CANCELED,
    "past_due": PledgeState.PAST_DUE,
}
_ENDED = ("canceled", "incomplete_expired")


class SandboxBilling:
    """Starts, changes and ends subscriptions."""

    def __init__(self, objects: Objects, money: SandboxMoney, zone: Callable[[], TimeZone]) -> None:
        self._objects = objects
        self._money = money
        self._zone = zone

    def start(
        self, customer: Customer, dollars: int, billing_day: BillingDay, *, now: datetime
    ) -> Attempt:
        """Start a subscription and try the card at once, as ``allow_incomplete`` does."""
        zone = self._zone()
        today = zone.day_of(now)
        first = first_charge_on(billing_day, today)
        is_now = first == today
        anchor = now if is_now else charge_at(first, zone)
        subscription = Subscription(
            id=self._objects.new_id("sub_"),
            customer_id=customer.id,
            payer=customer.payer,
            dollars=dollars,
            status="active",
            anchor_at=instant_text(anchor),
            nth=1 if is_now else 0,
        )
        if is_now:
            return self._pay_first(subscription, customer, now)
        return self._set_up(subscription, customer)

    def try_charge(self, subscription: Subscription, *, at: datetime) -> PaymentOutcome:
        """Charge the customer's card for one month; the attempt is not stored."""
        customer = self._objects.get(Customer, subscription.customer_id)
        card = find_card(customer.card)
        if card.charge_refusal:
            return PaymentOutcome.DECLINED
        if needs_confirmation(customer):
            return PaymentOutcome.REQUIRES_ACTION
        self._take(subscription, at=at)
        return PaymentOutcome.PAID

    def pay_due(self, subscription: Subscription, *, now: datetime) -> Attempt:
        """Charge the card for a month that failed, while the cardholder is there to confirm.

        Raises:
            CardDeclined: the card was refused.
            Conflict: nothing is past due.
        """
        if subscription.status != "past_due":
            raise Conflict(NOTHING_DUE)
        outcome = self.try_charge(subscription, at=now)
        if outcome is PaymentOutcome.DECLINED:
            customer = self._objects.get(Customer, subscription.customer_id)
            raise CardDeclined(find_card(customer.card).charge_refusal)
        if outcome is PaymentOutcome.REQUIRES_ACTION:
            return self._ask_for_due(subscription)
        self.settle_invoice(subscription)
        self.keep(subscription)
        return Attempt(outcome, subscription.id)

    def confirm(self, intent: Intent, *, now: datetime) -> None:
        """Continue after the cardholder confirmed: charge, or use the card from now on.

        Raises:
            Conflict: the 23 hours of a first payment are over.
        """
        if intent.subscription_id is None:
            self._money.charge(intent.payer, intent.cents, ChargeKind.GIFT, at=now)
            return
        subscription = self._objects.get(Subscription, intent.subscription_id)
        if subscription.expires_at and read_instant(subscription.expires_at) <= now:
            raise Conflict("The time to confirm this payment is over; please join again.")
        customer = self._objects.get(Customer, subscription.customer_id)
        customer.confirmed = True
        self._objects.put(customer)
        if subscription.setup_pending:
            subscription.setup_pending = False
        else:
            self._take(subscription, at=now)
            self.settle_invoice(subscription)
        self.keep(subscription)

    def ask(self, subscription: Subscription, *, prefix: str, cents: int) -> Intent:
        """Ask the cardholder to confirm a payment (``pi_``) or a set-up (``seti_``)."""
        intent = self.new_intent(prefix, subscription.payer, cents, subscription.id)
        subscription.intent_id = intent.id
        return intent

    def new_intent(
        self, prefix: str, payer: str, cents: int, subscription_id: str | None = None
    ) -> Intent:
        """Create an intent, with the secret that confirms it."""
        intent_id = self._objects.new_id(prefix)
        secret = f"{intent_id}_secret_{self._objects.new_id('')}"
        intent = Intent(intent_id, secret, payer, cents, subscription_id)
        self._objects.put(intent)
        return intent

    def facts(self, subscription: Subscription) -> SubscriptionFacts:
        """Return the state of a subscription."""
        state = _STATES.get(subscription.status, PledgeState.ACTIVE)
        if subscription.status not in _ENDED and subscription.setup_pending:
            state = PledgeState.INCOMPLETE
        elif state is PledgeState.ACTIVE and subscription.paused:
            state = PledgeState.PAUSED
        day_of = self._zone().day_of
        anchor, next_at = read_instant(subscription.anchor_at), next_charge_at(subscription)
        skips_on = day_of(next_at) if subscription.skip_on else None
        if skips_on is not None:
            next_at = charge_at_or_after(anchor, next_at + timedelta(seconds=1))
        is_off = state in (PledgeState.CANCELED, PledgeState.PAUSED)
        return SubscriptionFacts(
            subscription_id=subscription.id,
            customer_id=subscription.customer_id,
            state=state,
            dollars=subscription.dollars,
            anchor_on=day_of(anchor),
            next_charge_on=None if is_off else day_of(next_at),
            skips_on=skips_on,
            past_due_since=(
                read_instant(subscription.failed_at)
                if state is PledgeState.PAST_DUE and subscription.failed_at
                else None
            ),
            due_cents=subscription.cents if state is PledgeState.PAST_DUE else None,
            card_fingerprint=find_card(
                self._objects.get(Customer, subscription.customer_id).card
            ).fingerprint,
            ended_unpaid=state is PledgeState.CANCELED and subscription.retries == len(RETRY_AFTER),
        )

    def change_day(
        self, subscription: Subscription, billing_day: BillingDay, *, now: datetime
    ) -> None:
        """Move the anchor to the first such day after the paid period.

        Raises:
            Conflict: a charge that failed is open.
        """
        if subscription.status == "past_due":
            raise Conflict(DAY_WAITS)
        period_end = next_charge_at(subscription)
        first = changed_charge_at(billing_day, now=now, period_end=period_end, zone=self._zone())
        subscription.anchor_at = instant_text(first)
        subscription.nth = 0
        subscription.skip_on = None
        self.keep(subscription)

    def skip_next(self, subscription: Subscription) -> None:
        """Skip the next charge; a second call does not skip another.

        Raises:
            Conflict: the subscription is not charged at present.
        """
        if self.facts(subscription).state is not PledgeState.ACTIVE:
            raise Conflict("Only an active pledge can skip a month.")
        subscription.skip_on = UTC_ZONE.day_of(next_charge_at(subscription)).isoformat()
        self.keep(subscription)

    def cancel(self, subscription: Subscription) -> None:
        """End a subscription; arrears are not collected."""
        self._drop_intent(subscription)
        if subscription.status not in _ENDED:
            subscription.status = "canceled"
        self.keep(subscription)

    def expire(self, subscription: Subscription) -> None:
        """End a subscription whose first payment was never confirmed."""
        self._drop_intent(subscription)
        subscription.status = "incomplete_expired"
        self.keep(subscription)

    def keep(self, subscription: Subscription) -> None:
        """Store a subscription with the time of its next event."""
        self._objects.put(subscription, due_at=next_event_at(subscription))

    def settle_invoice(self, subscription: Subscription) -> None:
        """Record that nothing is owed: the month is paid, or no longer collected."""
        self._drop_intent(subscription)
        subscription.status = "active"
        subscription.expires_at = None
        subscription.failed_at = None
        subscription.retries = 0
        subscription.due = None

    def _ask_for_due(self, subscription: Subscription) -> Attempt:
        intent_id = subscription.intent_id
        intent = None if intent_id is None else self._objects.get(Intent, intent_id)
        if intent is None or intent.status != "requires_action":  # refused before
            self._drop_intent(subscription)
            intent = self.ask(subscription, prefix="pi_", cents=subscription.cents)
            self.keep(subscription)
        return Attempt(
            PaymentOutcome.REQUIRES_ACTION,
            subscription.id,
            intent_type=IntentType.PAYMENT,
            client_secret=intent.secret,
        )

    def _drop_intent(self, subscription: Subscription) -> None:
        if subscription.intent_id is not None:
            self._objects.delete(Intent, subscription.intent_id)
            subscription.intent_id = None

    def _take(self, subscription: Subscription, *, at: datetime) -> None:
        card = find_card(self._objects.get(Customer, subscription.customer_id).card)
        charge = self._money.charge(
            subscription.payer,
            subscription.cents,
            ChargeKind.PLEDGE,
            at=at,
            fingerprint=card.fingerprint,
        )
        if card.is_disputed:
            self._money.dispute(charge.id, at=at)

    def _pay_first(self, subscription: Subscription, customer: Customer, now: datetime) -> Attempt:
        outcome = self.try_charge(subscription, at=now)
        intent = None
        if outcome is not PaymentOutcome.PAID:
            subscription.status = "incomplete"
            subscription.expires_at = instant_text(now + INCOMPLETE_FOR)
        if outcome is PaymentOutcome.REQUIRES_ACTION:
            intent = self.ask(subscription, prefix="pi_", cents=subscription.cents)
        self.keep(subscription)
        return Attempt(
            outcome=outcome,
            reference=subscription.id,
            message=find_card(customer.card).charge_refusal,
            intent_type=IntentType.PAYMENT if intent else None,
            client_secret=intent.secret if intent else None,
        )

    def _set_up(self, subscription: Subscription, customer: Customer) -> Attempt:
        # No invoice exists before the billing day; only the card may need confirmation.
        if not needs_confirmation(customer):
            self.keep(subscription)
            return Attempt(PaymentOutcome.PAID, subscription.id)
        subscription.setup_pending = True
        intent = self.ask(subscription, prefix="seti_", cents=0)
        self.keep(subscription)
        return Attempt(
            PaymentOutcome.REQUIRES_ACTION,
            subscription.id,
            intent_type=IntentType.SETUP,
            client_secret=intent.secret,
        )


def needs_confirmation(customer: Customer) -> bool:
    """Return whether the cardholder must confirm before this card is charged."""
    confirmation = find_card(customer.card).confirmation
    if confirmation is Confirmation.ONCE:
        return not customer.confirmed
    return confirmation is Confirmation.ALWAYS


def next_charge_at(subscription: Subscription) -> datetime:
    """Return the instant of the next monthly charge, skipped or not."""
    anchor = read_instant(subscription.anchor_at)
    day = nth_charge_on(UTC_ZONE.day_of(anchor), subscription.nth)
    return datetime.combine(day, anchor.timetz())


def next_event_at(subscription: Subscription) -> datetime | None:
    """Return the time of a subscription's next event: charge, retry or expiry."""
    if subscription.status in _ENDED:
        return None
    if subscription.status == "incomplete" and subscription.expires_at is not None:
        return read_instant(subscription.expires_at)
    charge_at = next_charge_at(subscription)
    if subscription.failed_at is None:
        return charge_at
    return min(charge_at, retry_at(subscription, subscription.failed_at))


def retry_at(subscription: Subscription, failed_at: str) -> datetime:
    """Return when a failed charge is retried."""
    return read_instant(failed_at) + RETRY_AFTER[subscription.retries]
