"""The embedded payment provider: test cards, no network, and Stripe's outcomes."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from jara.domain.books.provider_row import ChargeKind, ProviderRow
from jara.domain.errors import CardDeclined, Conflict, NotFound
from jara.domain.giving.billing_day import BillingDay
from jara.domain.language import ENGLISH, Language
from jara.domain.texts import tr
from jara.domain.time_zone import TimeZone
from jara.payments.sandbox.billing import SandboxBilling
from jara.payments.sandbox.cards import NOT_AUTHENTICATED, Confirmation
from jara.payments.sandbox.customers import SandboxCustomers, require_attachable
from jara.payments.sandbox.money import SandboxMoney
from jara.payments.sandbox.objects import Customer, Intent, Objects, Payer, Subscription
from jara.payments.sandbox.replay import Replays, attempt_document, read_attempt
from jara.payments.sandbox.timeline import SandboxTimeline
from jara.services.ports.outside import Clock, Entropy
from jara.services.ports.payments import (
    Attempt,
    ChargeFacts,
    IntentType,
    PaymentOutcome,
    ProviderBalance,
    SubscriptionFacts,
)
from jara.store.repositories.sandbox import SqlSandboxState


class SandboxGateway:
    """A payment gateway with a simulated provider in Jara's own database.

    Each call is one transaction. As with a real provider, do not call it inside a unit of work.
    """

    name = "sandbox"

    def __init__(
        self,
        state: SqlSandboxState,
        clock: Clock,
        entropy: Entropy,
        zone: Callable[[], TimeZone] = TimeZone,
    ) -> None:
        self._state = state
        self._clock = clock
        self._zone = zone
        self._objects = Objects(state, entropy)
        self._money = SandboxMoney(self._objects)
        self._billing = SandboxBilling(self._objects, self._money, zone)
        self._customers = SandboxCustomers(self._objects, self._billing)
        self._replays = Replays(self._objects)

    def create_customer(
        self, *, email: str, name: str, member_id: str, payment_method: str, key: str
    ) -> str:
        """Create a customer with a default card and return its id.

        Raises:
            CardDeclined: the card cannot be attached; nothing is left behind.
        """

        def act() -> dict[str, Any]:
            customer_id = self._customers.create(
                email=email, name=name, member_id=member_id, card=payment_method
            )
            return {"id": customer_id}

        request = ("customer", email, name, member_id, payment_method)
        return str(self._replays.once(key, request, act)["id"])

    def delete_customer(self, customer_id: str) -> None:
        """Delete a customer, end their subscriptions, and forget who paid."""
        with self._state.batch():
            self._customers.delete(customer_id)

    def find_customers(self, *, member_id: str, email: str) -> list[str]:
        """Return the customers created for a member."""
        del email  # a real provider needs it to look them up
        return self._customers.of_member(member_id)

    def subscriptions_of(self, customer_id: str) -> list[SubscriptionFacts]:
        """Return a customer's subscriptions, ended ones too."""
        return [self._billing.facts(each) for each in self._customers.subscriptions(customer_id)]

    def charges_of(self, customer_id: str) -> list[ChargeFacts]:
        """Return a customer's charges."""
        charges = self._customers.charges(customer_id)
        return [ChargeFacts(charge.id, charge.cents, charge.left) for charge in charges]

    def change_customer(self, customer_id: str, *, email: str, name: str) -> None:
        """Give a customer another address or name."""
        with self._state.batch():
            self._customers.change(customer_id, email=email, name=name)

    def set_card(self, customer_id: str, payment_method: str) -> None:
        """Make a card the customer's default; the next attempt uses it.

        Raises:
            CardDeclined: the card cannot be attached.
        """
        with self._state.batch():
            self._customers.set_card(customer_id, payment_method)

    def start_subscription(
        self, *, customer_id: str, dollars: int, billing_day: BillingDay, member_id: str, key: str
    ) -> Attempt:
        """Start the monthly pledge; a decline is an outcome, not an error."""

        def act() -> dict[str, Any]:
            customer = self._objects.get(Customer, customer_id)
            return attempt_document(
                self._billing.start(customer, dollars, billing_day, now=self._now)
            )

        request = ("subscription", customer_id, dollars, billing_day.value, member_id)
        return read_attempt(self._replays.once(key, request, act))

    def subscription(self, subscription_id: str) -> SubscriptionFacts:
        """Return a subscription as it is now.

        Raises:
            NotFound: there is none.
        """
        return self._billing.facts(self._objects.get(Subscription, subscription_id))

    def change_amount(self, subscription_id: str, dollars: int) -> SubscriptionFacts:
        """Change the amount from the next charge on, without proration."""

        def act(subscription: Subscription) -> None:
            subscription.dollars = dollars
            self._billing.keep(subscription)

        return self._change(subscription_id, act)

    def change_day(self, subscription_id: str, billing_day: BillingDay) -> SubscriptionFacts:
        """Change the billing day, after the paid period ends."""
        return self._change(
            subscription_id,
            lambda found: self._billing.change_day(found, billing_day, now=self._now),
        )

    def skip_next(self, subscription_id: str) -> SubscriptionFacts:
        """Skip the next charge, which is then not owed."""
        return self._change(subscription_id, self._billing.skip_next)

    def pause(self, subscription_id: str) -> SubscriptionFacts:
        """Take no charges until resumed."""

        def act(subscription: Subscription) -> None:
            subscription.paused = True
            subscription.skip_on = None
            self._billing.keep(subscription)

        return self._change(subscription_id, act)

    def resume(self, subscription_id: str) -> SubscriptionFacts:
        """End a pause or a pending skip."""

        def act(subscription: Subscription) -> None:
            subscription.paused = False
            subscription.skip_on = None
            self._billing.keep(subscription)

        return self._change(subscription_id, act)

    def pay_due(self, subscription_id: str, *, key: str) -> Attempt:
        """Charge the customer's card now for the month that is past due, once.

        Raises:
            CardDeclined: the card was refused.
            Conflict: nothing is past due.
        """

        def act() -> dict[str, Any]:
            subscription = self._objects.get(Subscription, subscription_id)
            return attempt_document(self._billing.pay_due(subscription, now=self._now))

        return read_attempt(self._replays.once(key, ("due", subscription_id), act))

    def cancel(self, subscription_id: str) -> None:
        """End a subscription immediately; do nothing if it has ended."""
        with self._state.batch():
            subscription = self._objects.find(Subscription, subscription_id)
            if subscription is not None:
                self._billing.cancel(subscription)

    def refund(self, charge_id: str, cents: int, *, key: str) -> str:
        """Refund money and return the refund's id.

        Raises:
            Conflict: the amount exceeds the rest of the charge.
        """

        def act() -> dict[str, Any]:
            return {"id": self._money.refund(charge_id, cents, at=self._now)}

        return str(self._replays.once(key, ("refund", charge_id, cents), act)["id"])

    def take_gift(
        self,
        *,
        cents: int,
        email: str,
        name: str,
        payment_method: str,
        gift_id: str,
        key: str,
        language: Language = ENGLISH,
    ) -> Attempt:
        """Take a one-time gift.

        Raises:
            CardDeclined: the card was refused.
        """

        def act() -> dict[str, Any]:
            card = require_attachable(payment_method)
            if card.charge_refusal:
                raise CardDeclined(card.charge_refusal)
            payer = Payer(self._objects.new_id("payer_"), None, None, email, language)
            self._objects.put(payer)
            if card.confirmation is Confirmation.NEVER:
                charge = self._money.charge(payer.id, cents, ChargeKind.GIFT, at=self._now)
                return attempt_document(Attempt(PaymentOutcome.PAID, charge.id))
            intent = self._billing.new_intent("pi_", payer.id, cents)
            return attempt_document(
                Attempt(
                    PaymentOutcome.REQUIRES_ACTION,
                    intent.id,
                    intent_type=IntentType.PAYMENT,
                    client_secret=intent.secret,
                )
            )

        request = ("gift", cents, email, name, payment_method, gift_id, language)
        return read_attempt(self._replays.once(key, request, act))

    def rows(self, *, since: datetime | None = None) -> Iterator[ProviderRow]:
        """Return the balance transactions since an instant, oldest first."""
        return self._money.rows(since=since)

    def balance(self) -> list[ProviderBalance]:
        """Return our balance at the sandbox; its only currency is that of the books."""
        return [self._money.balance(self._zone().day_of(self._now))]

    def billing_url(self, customer_id: str, *, return_url: str) -> str:
        """Return the site's own page, in place of the provider's portal."""
        self._objects.get(Customer, customer_id)
        site = urlsplit(return_url)
        return f"{site.scheme}://{site.netloc}/sandbox/billing"

    def confirm(self, client_secret: str, *, succeed: bool) -> None:
        """Act as the cardholder, who confirms or refuses a payment or a card.

        Raises:
            NotFound: no open confirmation has this secret.
            Conflict: it failed already; another card is needed.
        """
        with self._state.batch():
            intent = self._objects.find(Intent, client_secret.partition("_secret_")[0])
            if intent is None or intent.secret != client_secret:
                raise NotFound("Nothing waits for a confirmation under this client secret.")
            if intent.status == "succeeded":
                return
            if intent.status != "requires_action":
                raise Conflict(NOT_AUTHENTICATED)
            if succeed:
                self._billing.confirm(intent, now=self._now)
            intent.status = "succeeded" if succeed else "requires_payment_method"
            self._objects.put(intent)

    def run_until(self, now: datetime) -> int:
        """Run everything due: charges, payouts, lost disputes; return the number of events."""
        with self._state.batch():
            return SandboxTimeline(self._objects, self._billing, self._money).run_until(now)

    def dispute(self, charge_id: str) -> str:
        """Open a dispute of a charge and return its id."""
        with self._state.batch():
            return self._money.dispute(charge_id, at=self._now)

    def has_lost_dispute(self, charge_id: str) -> bool:
        """Return whether a charge was disputed, and every dispute of it is decided and lost."""
        return self._money.has_lost_dispute(charge_id)

    def settle_dispute(self, dispute_id: str, *, won: bool) -> None:
        """Decide a dispute."""
        with self._state.batch():
            self._money.settle_dispute(dispute_id, won=won, at=self._now)

    @property
    def _now(self) -> datetime:
        return self._clock.now().replace(microsecond=0)

    def _change(
        self, subscription_id: str, act: Callable[[Subscription], None]
    ) -> SubscriptionFacts:
        with self._state.batch():
            subscription = self._objects.get(Subscription, subscription_id)
            if subscription.status not in ("active", "past_due") or subscription.setup_pending:
                raise Conflict(
                    "The subscription is {state}; only one that runs can be changed.",
                    state=tr(subscription.status),
                )
            act(subscription)
            return self._billing.facts(subscription)
