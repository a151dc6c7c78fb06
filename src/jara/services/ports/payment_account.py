"""The port to the account at the payment provider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from jara.domain.giving.adoption import LiveSubscription
from jara.services.ports.payment_events import EventSource
from jara.services.ports.payments import PaymentGateway


class AccountCheck(NamedTuple):
    """One check of the account, for ``jara doctor`` and ``jara stripe status``.

    Args:
        name: a stable word, also what ``--confirm`` takes.
        ok: whether it passed.
        message: one sentence.
        is_grave: whether a failure is an error; else it is a warning.
        by_hand: there is no API for it; an operator checks and confirms it.
    """

    name: str
    ok: bool
    message: str
    is_grave: bool = True
    by_hand: bool = False


class SetupStep(NamedTuple):
    """One object in the account: its id, and what was done with it.

    ``secret`` is shown once, when the provider made it.
    """

    name: str
    object_id: str
    action: str
    secret: str | None = None


class PaymentAccount(Protocol):
    """The account at the payment provider."""

    def account_id(self) -> str:
        """Return the id of the account that the settings give access to."""
        ...

    def set_up(self) -> list[SetupStep]:
        """Create what is missing and fix what differs; safe to repeat."""
        ...

    def checks(self) -> list[AccountCheck]:
        """Check the account; what only a person can check is reported as not ok."""
        ...


class SubscriptionTakeover(Protocol):
    """Subscriptions that were made at the provider before the organisation used it with Jara."""

    def live(self) -> Iterator[LiveSubscription]:
        """Return every subscription that is going to be charged."""
        ...

    def take_over(
        self, subscription_id: str, *, customer_id: str, member_id: str, dollars: int
    ) -> None:
        """Make a subscription ours: its price, its mark, its card; nothing is charged.

        It can be repeated, after a failure too.
        """
        ...


class LivePayments(NamedTuple):
    """A payment provider: its gateway, the account there, its events, and older subscriptions."""

    gateway: PaymentGateway
    account: PaymentAccount
    events: EventSource
    takeover: SubscriptionTakeover
