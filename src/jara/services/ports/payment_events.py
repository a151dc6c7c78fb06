"""Port of the payment provider's events: each is a reason to fetch the current state."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, Protocol


class ProviderEvent(NamedTuple):
    """A verified event. It may come twice, late and out of order.

    Nothing in it is booked: it only says what to fetch.

    Args:
        event_id: the same when the event comes again.
        type: the provider's word.
        created_at: when it happened.
        object_type: what it is about: ``invoice``, ``charge``.
        object_id: the id of that.
        same_version: whether its fields are those that this program reads. When not,
            only type, time and object are known, until it is looked up.
        subscription_id: a subscription to read again.
        customer_id: a customer whose subscriptions to read again.
        moves_money: whether to fetch the balance transactions.
        warned_charge_id: a charge that its cardholder's bank calls fraud; a refund
            before the dispute saves the fee.
        opens_invoice: whether a charge is due now; older open ones are then voided, by
            ``EventSource.void_arrears``.
        confirm_url: the provider's page on which the cardholder confirms a renewal that
            their bank asks about; it goes into a mail.
        is_live: whether it is of live mode; None where the provider does not say.
        account_id: the account that it is about, where the provider names one.
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
    """A stored event that is not done yet.

    Args:
        failure: why the last try failed.
    """

    event: ProviderEvent
    received_at: datetime
    attempts: int = 0
    failure: str | None = None


class ProviderEventRepository(Protocol):
    """Stored events, each once, and whether they are done."""

    def add(self, event: ProviderEvent, *, at: datetime) -> bool:
        """Store an event; False when it came before."""
        ...

    def retry_now(self, event_id: str, *, at: datetime) -> None:
        """Make an event due that waits for its next try."""
        ...

    def any_due(self, now: datetime) -> bool:
        """Return whether there is something to do."""
        ...

    def lease(self, *, now: datetime, until: datetime, limit: int) -> list[StoredEvent]:
        """Lease due events, so that no other process works on them meanwhile."""
        ...

    def done(self, event_id: str, *, at: datetime) -> None:
        """Mark an event as done, and delete its content."""
        ...

    def postpone(self, event_id: str, *, due_at: datetime, failure: str | None) -> None:
        """Record when to try again, and the failure, if there was one."""
        ...

    def failures(self) -> list[StoredEvent]:
        """Return the failed events that are not done yet, oldest first."""
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
        """Void all open invoices but the newest; return how many.

        Arrears are never collected; called when a renewal is finalised.
        """
        ...
