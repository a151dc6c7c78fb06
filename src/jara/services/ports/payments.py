"""The payment provider: gateway, sandbox clockwork, and the organisation's account there."""

from collections.abc import Iterator
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple, Protocol

from jara.domain.books.provider_row import ProviderRow
from jara.domain.errors import Unavailable
from jara.domain.giving.adoption import LiveSubscription
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.domain.language import ENGLISH, Language
from jara.records.payments import ProviderEvent

NO_CARDS = "none"
"""The name of the gateway of an organisation that takes no cards."""

NOTHING_DUE = "No charge of this pledge is open; nothing was taken."


class ProviderUnavailable(Unavailable):
    """The payment provider did not answer or failed (HTTP 502)."""

    code = "payment_provider_failed"


class PaymentOutcome(StrEnum):
    """The outcome of a payment or a card setup."""

    PAID = "paid"
    REQUIRES_ACTION = "requires_action"
    DECLINED = "declined"


class IntentType(StrEnum):
    """The kind of intent that the cardholder must confirm."""

    PAYMENT = "payment"
    SETUP = "setup"


class SubscriptionFacts(NamedTuple):
    """The current state of a subscription at the provider.

    ``state`` is a pledge state; ``next_charge_on`` is read, never computed; ``skips_on`` is
    the charge day that will be skipped; ``past_due_since`` is when the open charge failed, and
    ``due_cents`` what it takes, whatever the pledge's amount is now;
    ``card_expires_on`` is the last valid day of the card that will be charged;
    ``card_fingerprint`` is the same for a card in every account; ``ended_unpaid`` means that
    it ended because the last attempt failed.
    """

    subscription_id: str
    customer_id: str
    state: PledgeState
    dollars: int
    anchor_on: date
    next_charge_on: date | None
    skips_on: date | None = None
    resumes_on: date | None = None
    past_due_since: datetime | None = None
    due_cents: int | None = None
    card_expires_on: date | None = None
    card_fingerprint: str | None = None
    ended_unpaid: bool = False


class Attempt(NamedTuple):
    """The outcome of starting a subscription or taking a gift."""

    outcome: PaymentOutcome
    reference: str
    """The subscription, or the gift's payment."""
    message: str = ""
    """The provider's message if it was declined."""
    intent_type: IntentType | None = None
    client_secret: str | None = None


class ChargeFacts(NamedTuple):
    """The current state of a charge at the provider; ``left_cents`` can still be refunded."""

    charge_id: str
    cents: int
    left_cents: int


class ProviderBalance(NamedTuple):
    """The balance at the provider, in cents of one currency."""

    currency: str
    available_cents: int
    pending_cents: int
    in_transit_cents: int
    reserve_cents: int


class PaymentGateway(Protocol):
    """A payment provider. Every call that creates carries an idempotency key."""

    @property
    def name(self) -> str:
        """``sandbox``, ``stripe`` or `NO_CARDS`."""

    def create_customer(
        self, *, email: str, name: str, member_id: str, payment_method: str, key: str
    ) -> str:
        """Create a customer with a default card and return its id.

        Raises:
            CardDeclined: the card cannot be attached; nothing is left behind.
        """

    def delete_customer(self, customer_id: str) -> None:
        """Delete a customer and end their subscriptions; a missing customer is not an error."""

    def find_customers(self, *, member_id: str, email: str) -> list[str]:
        """Return the customers created for a member, also forgotten ones."""

    def subscriptions_of(self, customer_id: str) -> list[SubscriptionFacts]:
        """Return a customer's subscriptions, including ended ones."""

    def charges_of(self, customer_id: str) -> list[ChargeFacts]:
        """Return a customer's charges."""

    def change_customer(self, customer_id: str, *, email: str, name: str) -> None:
        """Change a customer's address or name."""

    def set_card(self, customer_id: str, payment_method: str) -> None:
        """Make a card the customer's default.

        Raises:
            CardDeclined: the card cannot be attached.
        """

    def start_subscription(
        self, *, customer_id: str, dollars: int, billing_day: BillingDay, member_id: str, key: str
    ) -> Attempt:
        """Start the monthly pledge; a decline is an outcome, not an error."""

    def subscription(self, subscription_id: str) -> SubscriptionFacts:
        """Return a subscription as it is now.

        Raises:
            NotFound: there is none.
        """

    def change_amount(self, subscription_id: str, dollars: int) -> SubscriptionFacts:
        """Change the amount from the next charge on, without proration."""

    def change_day(self, subscription_id: str, billing_day: BillingDay) -> SubscriptionFacts:
        """Change the billing day, not before the period paid for has ended."""

    def skip_next(self, subscription_id: str) -> SubscriptionFacts:
        """Skip the next charge; it is not owed later."""

    def pause(self, subscription_id: str) -> SubscriptionFacts:
        """Take no charges until resumed."""

    def resume(self, subscription_id: str) -> SubscriptionFacts:
        """End a pause, or cancel a skip that has not happened yet."""

    def pay_due(self, subscription_id: str, *, key: str) -> Attempt:
        """Charge the customer's card now for the month that is past due, once.

        Raises:
            CardDeclined: the card was refused.
            Conflict: nothing is past due.
        """

    def cancel(self, subscription_id: str) -> None:
        """End a subscription at once; an ended one is not an error."""

    def refund(self, charge_id: str, cents: int, *, key: str) -> str:
        """Refund money and return the refund's id.

        Raises:
            Conflict: more than the rest of the charge.
        """

    def has_lost_dispute(self, charge_id: str) -> bool:
        """Return whether a charge was disputed and every dispute of it was lost."""

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

    def rows(self, *, since: datetime | None = None) -> Iterator[ProviderRow]:
        """Return the balance transactions created since, oldest first."""

    def balance(self) -> list[ProviderBalance]:
        """Return the balance at the provider in each currency."""

    def billing_url(self, customer_id: str, *, return_url: str) -> str:
        """Return the address of a page where the customer manages cards and payments."""


class SandboxClockwork(Protocol):
    """Sandbox controls for events that happen by themselves at a real provider."""

    def confirm(self, client_secret: str, *, succeed: bool) -> None:
        """Act as the cardholder, who confirms or refuses a payment or a card.

        Raises:
            NotFound: nothing waits for that secret.
            Conflict: it failed already; another card is needed.
        """

    def run_until(self, now: datetime) -> int:
        """Run due charges, payouts and lost disputes; return the number of actions."""

    def dispute(self, charge_id: str) -> str:
        """Open a dispute of a charge and return its id."""

    def settle_dispute(self, dispute_id: str, *, won: bool) -> None:
        """Decide a dispute."""


class AccountCheck(NamedTuple):
    """One check of the account, for ``jara doctor`` and ``jara stripe status``."""

    name: str  # a stable word; ``--confirm`` accepts it
    ok: bool
    message: str  # one sentence
    is_grave: bool = True  # whether a failure is an error rather than a warning
    by_hand: bool = False  # no API exists for it; an operator checks and confirms it


class SetupStep(NamedTuple):
    """One object in the account: its id, and the action taken.

    ``secret`` is set only when the provider has just created it.
    """

    name: str
    object_id: str
    action: str
    secret: str | None = None


class PaymentAccount(Protocol):
    """The account at the payment provider."""

    def account_id(self) -> str:
        """Return the id of the account that the settings refer to."""

    def api_version(self) -> str:
        """Return the version of the provider's API that is spoken."""

    def set_up(self) -> list[SetupStep]:
        """Create what is missing and fix what differs; safe to repeat."""

    def checks(self) -> list[AccountCheck]:
        """Check the account; checks that need a person are reported as not ok."""


class SubscriptionTakeover(Protocol):
    """Subscriptions created at the provider before the organisation used it with Jara."""

    def live(self) -> Iterator[LiveSubscription]:
        """Return every subscription that will be charged."""

    def take_over(
        self, subscription_id: str, *, customer_id: str, member_id: str, dollars: int
    ) -> None:
        """Take over a subscription: its price, metadata and card; nothing is charged.

        It is safe to repeat, also after a failure.
        """


class EventSource(Protocol):
    """Reads the events of a payment provider."""

    def read(self, body: bytes, signature: str | None) -> ProviderEvent:
        """Verify the signature and time of an event, and read it.

        Raises:
            Unauthenticated: it is not from the provider, or too old.
        """

    def look_up(self, event: ProviderEvent) -> ProviderEvent:
        """Return the event completed with data fetched from the provider.

        Raises:
            Unavailable: the provider did not answer.
        """

    def void_arrears(self, subscription_id: str) -> int:
        """Void all open invoices except the newest; return how many.

        Arrears are never collected; called when a renewal is finalised.
        """


class LivePayments(NamedTuple):
    """A payment provider: gateway, account, events, and takeover of older subscriptions."""

    gateway: PaymentGateway
    account: PaymentAccount
    events: EventSource
    takeover: SubscriptionTakeover
