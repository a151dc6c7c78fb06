"""The payment gateway for Stripe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from jara.domain.books.provider_row import ChargeKind, ProviderRow
from jara.domain.currency import books_currency
from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.giving.billing_day import BillingDay, changed_charge_at
from jara.domain.giving.pledge import DAY_WAITS, RUNNING, PledgeState
from jara.domain.language import ENGLISH, Language
from jara.domain.texts import tr
from jara.domain.time_zone import TimeZone
from jara.payments.stripe.catalogue import StripeCatalogue
from jara.payments.stripe.client import (
    GIFT_MARK,
    KIND_MARK,
    LANGUAGE_MARK,
    StripeConnection,
    id_of,
    seconds_of,
)
from jara.payments.stripe.customers import StripeCustomers
from jara.payments.stripe.rows import StripeRows
from jara.payments.stripe.subscriptions import (
    EXPANDED,
    SKIP,
    StripeSubscriptions,
    creation,
    facts_of,
    item_of,
    next_charge_at,
)
from jara.services.ports.outside import Clock
from jara.services.ports.payments import (
    NOTHING_DUE,
    Attempt,
    IntentType,
    PaymentOutcome,
    ProviderBalance,
    SubscriptionFacts,
)

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import Subscription
    from stripe.params import SubscriptionUpdateParams


class StripeGateway(StripeCustomers):
    """The live payment gateway.

    Calls that create something carry the caller's idempotency key. The others set a state,
    so doing them twice does no harm, and the SDK's own keys cover its retries.
    """

    name = "stripe"

    def __init__(
        self, connection: StripeConnection, clock: Clock, zone: Callable[[], TimeZone] = TimeZone
    ) -> None:
        """Use a connection, a clock and the organisation's zone; Stripe is not called yet."""
        super().__init__(connection)
        self._clock = clock
        self._zone = zone
        self._catalogue = StripeCatalogue(connection)
        self._subscriptions = StripeSubscriptions(connection)

    def delete_customer(self, customer_id: str) -> None:
        """End the subscriptions, void open invoices, and delete the customer."""
        with suppress(NotFound):  # it is gone already
            for facts in self.subscriptions_of(customer_id):
                self.cancel(facts.subscription_id)
            with self._connection.asking() as v1:
                v1.customers.delete(customer_id)

    def subscriptions_of(self, customer_id: str) -> list[SubscriptionFacts]:
        """Return a customer's subscriptions, ended ones too."""
        return [
            facts_of(each, self._zone()) for each in self._subscriptions.of_customer(customer_id)
        ]

    def start_subscription(
        self, *, customer_id: str, dollars: int, billing_day: BillingDay, member_id: str, key: str
    ) -> Attempt:
        """Start the monthly pledge; a decline is an outcome, not an error."""
        params = creation(
            customer_id=customer_id,
            price_id=self._catalogue.price_id(),
            dollars=dollars,
            billing_day=billing_day,
            member_id=member_id,
            now=self._clock.now(),
            zone=self._zone(),
        )
        return self._subscriptions.start(params, key=key)

    def subscription(self, subscription_id: str) -> SubscriptionFacts:
        """Return a subscription as it is now.

        Raises:
            NotFound: there is none.
        """
        return facts_of(self._subscriptions.read(subscription_id), self._zone())

    def change_amount(self, subscription_id: str, dollars: int) -> SubscriptionFacts:
        """Change the amount from the next charge on, without proration."""
        found, _ = self._require_running(subscription_id)
        return self._update(
            subscription_id,
            {"items": [{"id": item_of(found), "quantity": dollars}], "proration_behavior": "none"},
        )

    def change_day(self, subscription_id: str, billing_day: BillingDay) -> SubscriptionFacts:
        """Change the billing day, after the paid period ends.

        Raises:
            Conflict: a charge that failed is open; or Stripe chose another day, and an operator
                must check, since a correction could charge the member immediately.
        """
        found, facts = self._require_running(subscription_id)
        if facts.state is PledgeState.PAST_DUE:
            raise Conflict(DAY_WAITS)
        zone = self._zone()
        wanted = changed_charge_at(
            billing_day, now=self._clock.now(), period_end=next_charge_at(found), zone=zone
        )
        update: SubscriptionUpdateParams = {
            "trial_end": seconds_of(wanted),
            "proration_behavior": "none",
        }
        if facts.skips_on is not None:
            update["pause_collection"] = ""
        changed = self._update(subscription_id, update)
        read = self._subscriptions.read(subscription_id)
        if (next_charge_at(read), changed.anchor_on) != (wanted, zone.day_of(wanted)):
            raise Conflict(
                f"Stripe charges the subscription {subscription_id} on "
                f"{zone.day_of(next_charge_at(read))}, not on {zone.day_of(wanted)} as asked; "
                "an operator has to look at it."
            )
        return facts_of(read, self._zone())

    def skip_next(self, subscription_id: str) -> SubscriptionFacts:
        """Skip the next charge, which is then not owed.

        Raises:
            Conflict: the subscription is not charged at present.
        """
        found, facts = self._require_running(subscription_id)
        if facts.state is not PledgeState.ACTIVE:
            raise Conflict("Only an active pledge can skip a month.")
        resumes_at = seconds_of(next_charge_at(found) + SKIP)
        pause: SubscriptionUpdateParams = {
            "pause_collection": {"behavior": "void", "resumes_at": resumes_at}
        }
        return self._update(subscription_id, pause)

    def pause(self, subscription_id: str) -> SubscriptionFacts:
        """Take no charges until resumed."""
        _, facts = self._require_running(subscription_id)
        if facts.skips_on is not None:
            # Whether an update without `resumes_at` would remove it is not documented.
            self.resume(subscription_id)
        return self._update(subscription_id, {"pause_collection": {"behavior": "void"}})

    def resume(self, subscription_id: str) -> SubscriptionFacts:
        """End a pause or a pending skip."""
        self._require_running(subscription_id)
        return self._update(subscription_id, {"pause_collection": ""})

    def pay_due(self, subscription_id: str, *, key: str) -> Attempt:
        """Charge the customer's card now for the invoice that failed, once.

        Raises:
            CardDeclined: the card was refused.
            Conflict: nothing is past due.
        """
        if self.subscription(subscription_id).state is not PledgeState.PAST_DUE:
            # The invoice of one that ended unpaid stays open, and is owed no more.
            raise Conflict(NOTHING_DUE)
        return self._subscriptions.pay_due(subscription_id, key=key)

    def cancel(self, subscription_id: str) -> None:
        """End a subscription immediately and void its open invoices; do nothing if it has ended."""
        with self._connection.asking() as v1:
            try:
                found = self._subscriptions.read(subscription_id)
            except NotFound:
                return
            if facts_of(found, self._zone()).state is not PledgeState.CANCELED:
                v1.subscriptions.cancel(subscription_id, {"prorate": False, "invoice_now": False})
        self._subscriptions.stop_collecting(subscription_id)

    def refund(self, charge_id: str, cents: int, *, key: str) -> str:
        """Refund money and return the refund's id.

        Raises:
            Conflict: the amount exceeds the rest of the charge.
        """
        with self._connection.asking() as v1:
            refund = v1.refunds.create(
                {"charge": charge_id, "amount": cents}, {"idempotency_key": key}
            )
        return refund.id

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
        del name  # the card's billing details hold it already
        with self._connection.asking() as v1:
            intent = v1.payment_intents.create(
                {
                    "amount": cents,
                    "currency": books_currency().lower(),
                    "payment_method": payment_method,
                    "confirm": True,
                    "use_stripe_sdk": True,
                    "automatic_payment_methods": {"enabled": True, "allow_redirects": "never"},
                    "allowed_payment_method_types": ["card"],
                    "receipt_email": email,
                    "metadata": {
                        KIND_MARK: ChargeKind.GIFT.value,
                        GIFT_MARK: gift_id,
                        LANGUAGE_MARK: language,
                    },
                },
                {"idempotency_key": key},
            )
        if intent.status == "requires_action":
            return Attempt(
                PaymentOutcome.REQUIRES_ACTION,
                intent.id,
                intent_type=IntentType.PAYMENT,
                client_secret=intent.client_secret,
            )
        if intent.status != "succeeded":
            raise Unavailable(
                "Stripe says that the payment is '{state}'; try again.", state=intent.status
            )
        return Attempt(PaymentOutcome.PAID, id_of(intent.latest_charge) or intent.id)

    def rows(self, *, since: datetime | None = None) -> Iterator[ProviderRow]:
        """Return the balance transactions since an instant, oldest first."""
        return StripeRows(self._connection).read(since=since)

    def balance(self) -> list[ProviderBalance]:
        """Return our balances at Stripe, one for each currency."""
        return StripeRows(self._connection).balances()

    def billing_url(self, customer_id: str, *, return_url: str) -> str:
        """Return the address of Stripe's page for this customer, which is valid for minutes."""
        return self.portal_url(customer_id, return_url, self._catalogue.portal_id())

    def _require_running(self, subscription_id: str) -> tuple[Subscription, SubscriptionFacts]:
        found = self._subscriptions.read(subscription_id)
        facts = facts_of(found, self._zone())
        if facts.state not in RUNNING:
            # Before the first payment, Stripe allows changes of metadata only.
            raise Conflict(
                "The subscription is {state}; only one that runs can be changed.",
                state=tr(facts.state),
            )
        return found, facts

    def _update(self, subscription_id: str, params: SubscriptionUpdateParams) -> SubscriptionFacts:
        params["expand"] = EXPANDED
        with self._connection.asking() as v1:
            return facts_of(v1.subscriptions.update(subscription_id, params), self._zone())
