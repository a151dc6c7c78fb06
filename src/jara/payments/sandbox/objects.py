"""The sandbox's objects, and their storage."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar

from jara.domain.errors import NotFound
from jara.domain.time_zone import UTC_ZONE
from jara.services.ports.outside import Entropy
from jara.store.repositories.sandbox import SqlSandboxState

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 24


@dataclass
class Payer:
    """The payer of charges: the only link from charges and rows to a person.

    Deleting a customer deletes it, and with it the link.
    """

    KIND: ClassVar[str] = "payer"
    id: str
    customer_id: str | None
    member_id: str | None
    email: str
    language: str | None = None


@dataclass
class Customer:
    """A customer with a default card; ``confirmed`` once the cardholder confirmed it."""

    KIND: ClassVar[str] = "customer"
    id: str
    payer: str
    name: str
    card: str
    confirmed: bool = False


@dataclass
class Subscription:
    """A monthly charge.

    ``nth`` is the number of the next charge, counted from the anchor's own, which is 0;
    ``due`` is the cents of the charge that failed.
    """

    KIND: ClassVar[str] = "subscription"
    id: str
    customer_id: str
    payer: str
    dollars: int
    status: str
    anchor_at: str
    nth: int
    setup_pending: bool = False
    paused: bool = False
    skip_on: str | None = None
    intent_id: str | None = None
    expires_at: str | None = None
    failed_at: str | None = None
    retries: int = 0
    due: int | None = None

    @property
    def cents(self) -> int:
        """The cents that the next attempt takes: a charge that failed keeps its amount."""
        return self.dollars * 100 if self.due is None else self.due


@dataclass
class Charge:
    """A charge to a card; ``withdrawn`` is the amount that disputes hold.

    ``fingerprint`` is the card's, if it counts as one card for several members.
    """

    KIND: ClassVar[str] = "charge"
    id: str
    payer: str
    kind: str
    cents: int
    refunded: int = 0
    withdrawn: int = 0
    fingerprint: str | None = None

    @property
    def left(self) -> int:
        """The cents that can still be refunded."""
        return self.cents - self.refunded - self.withdrawn


@dataclass
class Intent:
    """Something the cardholder is asked to confirm: a payment, or a card's set-up."""

    KIND: ClassVar[str] = "intent"
    id: str
    secret: str
    payer: str
    cents: int
    subscription_id: str | None
    status: str = "requires_action"


@dataclass
class Dispute:
    """A charge that the cardholder's bank took back."""

    KIND: ClassVar[str] = "dispute"
    id: str
    charge_id: str
    cents: int
    status: str = "needs_response"


@dataclass
class Payout:
    """Money on its way to the bank."""

    KIND: ClassVar[str] = "payout"
    id: str
    cents: int
    arrives_on: str


@dataclass
class Replay:
    """The answer to an idempotency key, and the hash of its request."""

    KIND: ClassVar[str] = "replay"
    id: str
    request: str
    answer: dict[str, Any]


@dataclass
class Schedule:
    """The next time of a recurring event."""

    KIND: ClassVar[str] = "schedule"
    id: str
    at: str


Kept = TypeVar(
    "Kept", Payer, Customer, Subscription, Charge, Intent, Dispute, Payout, Replay, Schedule
)


class Objects:
    """Stores the objects, with ids like Stripe's."""

    def __init__(self, state: SqlSandboxState, entropy: Entropy) -> None:
        self.state = state
        self._entropy = entropy

    def new_id(self, prefix: str) -> str:
        """Return an id such as ``ch_3Kq...``."""
        drawn = self._entropy.token(_ID_LENGTH)
        return prefix + "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in drawn)

    def find(self, kind: type[Kept], object_id: str) -> Kept | None:
        """Return an object, or None."""
        doc: dict[str, Any] | None = self.state.get(kind.KIND, object_id)
        return None if doc is None else kind(**doc)

    def get(self, kind: type[Kept], object_id: str) -> Kept:
        """Return an object.

        Raises:
            NotFound: there is none.
        """
        found = self.find(kind, object_id)
        if found is None:
            raise NotFound(f"No such {kind.KIND}: '{object_id}'.")
        return found

    def all(self, kind: type[Kept]) -> list[Kept]:
        """Return every object of a kind."""
        docs: list[dict[str, Any]] = self.state.all(kind.KIND)
        return [kind(**doc) for doc in docs]

    def due(self, kind: type[Kept], now: datetime) -> list[Kept]:
        """Return the objects with an event on or before this day."""
        docs: list[dict[str, Any]] = self.state.due(kind.KIND, UTC_ZONE.day_of(now))
        return [kind(**doc) for doc in docs]

    def put(self, thing: Kept, *, due_at: datetime | None = None) -> None:
        """Store an object."""
        due_on = None if due_at is None else UTC_ZONE.day_of(due_at)
        self.state.put(thing.KIND, thing.id, dict(vars(thing)), due_on=due_on)

    def delete(self, kind: type[Kept], object_id: str) -> None:
        """Remove an object."""
        self.state.delete(kind.KIND, object_id)


def instant_text(instant: datetime) -> str:
    """Write an instant in whole seconds of UTC."""
    return instant.astimezone(UTC).replace(microsecond=0).isoformat()


def read_instant(text: str) -> datetime:
    """Read an instant."""
    return datetime.fromisoformat(text)
