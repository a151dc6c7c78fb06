"""Port of the payment provider's events: each is a reason to fetch the current state."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, Protocol


class ProviderEvent(NamedTuple):
    """A verified event. It may arrive twice, late or out of order.

    It is never booked; it only says what to fetch.

    Args:
        event_id: the event's id; a repeated event has the same one.
        type: the provider's name of the type.
        created_at: when it happened.
        object_type: the type of its object: ``invoice``, ``charge``.
        object_id: the id of its object.
        same_version: whether this program can read its API version. If not, only type,
            time and object are known until it is looked up.
        subscription_id: a subscription to refetch.
        customer_id: a customer whose subscriptions to refetch.
        moves_money: whether to fetch the balance transactions.
        warned_charge_id: a charge that the cardholder's bank reported as fraud; a
            refund before the dispute saves the fee.
        opens_invoice: whether a charge is due now; ``EventSource.void_arrears`` then voids
            older open invoices.
        confirm_url: the provider's page where the cardholder confirms a renewal if their
            bank asks for it; it is sent by email.
        is_live: whether it is from live mode; None if the provider does not say.
        account_id: the account it belongs to, if the provider names one.
    """

    event_id: str
    type: str
    created_at: datetime
    object_type: str
    object_id: str
    same_version: bool = True
    subscription_id: str | None = None
    customer_id: str | None = None
    moves_money: bool = False
    warned_charge_id: str | None = None
    opens_invoice: bool = False
    confirm_url: str | None = None
    is_live: bool | None = None
    account_id: str | None = None


class StoredEvent(NamedTuple):
    """A stored event that is not processed yet.

    Args:
        failure: why the last attempt failed.
    """

    event: ProviderEvent
    received_at: datetime
    attempts: int = 0
    failure: str | None = None


class ProviderEventRepository(Protocol):
    """Stored events, each once, and whether they are processed."""

    def add(self, event: ProviderEvent, *, at: datetime) -> bool:
        """Store an event; return False if it is stored already."""
        ...

    def retry_now(self, event_id: str, *, at: datetime) -> None:
        """Make an event that waits for its next attempt due now."""
        ...

    def any_due(self, now: datetime) -> bool:
        """Return whether an event is due."""
        ...

    def lease(self, *, now: datetime, until: datetime, limit: int) -> list[StoredEvent]:
        """Lease due events, so that no other process works on them."""
        ...

    def done(self, event_id: str, *, at: datetime) -> None:
        """Mark an event as processed, and delete its content."""
        ...

    def postpone(self, event_id: str, *, due_at: datetime, failure: str | None) -> None:
        """Record when to retry, and the failure, if there was one."""
        ...

    def failures(self) -> list[StoredEvent]:
        """Return the failed events that are not processed yet, oldest first."""
        ...

    def erase_before(self, at: datetime) -> int:
        """Delete the events received before a time; return how many."""
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
