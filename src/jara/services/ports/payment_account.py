"""The organisation's account at the payment provider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from jara.domain.giving.adoption import LiveSubscription
from jara.records.payments import ProviderEvent
from jara.services.ports.payments import PaymentGateway


class AccountCheck(NamedTuple):
    """One check of the account, for ``jara doctor`` and ``jara stripe status``.

    Args:
        name: a stable word; ``--confirm`` accepts it.
        message: one sentence.
        is_grave: whether a failure is an error rather than a warning.
        by_hand: no API exists for it; an operator checks and confirms it.
    """

    name: str
    ok: bool
    message: str
    is_grave: bool = True
    by_hand: bool = False


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
        ...

    def api_version(self) -> str:
        """Return the version of the provider's API that is spoken."""
        ...

    def set_up(self) -> list[SetupStep]:
        """Create what is missing and fix what differs; safe to repeat."""
        ...

    def checks(self) -> list[AccountCheck]:
        """Check the account; checks that need a person are reported as not ok."""
        ...


class SubscriptionTakeover(Protocol):
    """Subscriptions created at the provider before the organisation used it with Jara."""

    def live(self) -> Iterator[LiveSubscription]:
        """Return every subscription that will be charged."""
        ...

    def take_over(
        self, subscription_id: str, *, customer_id: str, member_id: str, dollars: int
    ) -> None:
        """Take over a subscription: its price, metadata and card; nothing is charged.

        It is safe to repeat, also after a failure.
        """
        ...


class EventSource(Protocol):
    """Reads the events of a payment provider."""

    def read(self, body: bytes, signature: str | None) -> ProviderEvent:
        """Verify the signature and time of an event, and read it.

        Raises:
            Unauthenticated: it is not from the provider, or too old.
        """
        ...

    def look_up(self, event: ProviderEvent) -> ProviderEvent:
        """Return the event completed with data fetched from the provider.

        Raises:
            Unavailable: the provider did not answer.
        """
        ...

    def void_arrears(self, subscription_id: str) -> int:
        """Void all open invoices except the newest; return how many.

        Arrears are never collected; called when a renewal is finalised.
        """
        ...


class LivePayments(NamedTuple):
    """A payment provider: gateway, account, events, and takeover of older subscriptions."""

    gateway: PaymentGateway
    account: PaymentAccount
    events: EventSource
    takeover: SubscriptionTakeover
