"""The state of the double: objects, clock, scheduled actions and events."""

import copy
import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

import stripe

from tests.fakes.clock import FakeClock

Doc = dict[str, Any]
DAY = 86_400
_ABOVE = ("customer", "subscription", "charge", "payment_intent", "invoice")
"""The fields that lead from an object to its customer."""


class Refusal(Exception):
    """An error answer of Stripe."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        kind: str = "invalid_request_error",
        code: str | None = None,
        param: str | None = None,
    ) -> None:
        """Store the values of the error document."""
        super().__init__(message)
        self.status = status
        self.document: Doc = {
            "error": {"type": kind, "message": message, "code": code, "param": param}
        }


def declined(message: str, code: str = "card_declined") -> Refusal:
    """Return the error of a card that was refused."""
    return Refusal(402, message, kind="card_error", code=code)


@dataclass(frozen=True)
class Movement:
    """A movement of money in the double's own books."""

    txn_id: str
    created: int
    category: str
    amount: int
    fee: int = 0
    tax: int = 0
    source_id: str | None = None
    charge_id: str | None = None
    payout_id: str | None = None


@dataclass(frozen=True)
class Payment:
    """The purpose of a charge, known from the act that created it."""

    kind: str
    member_id: str | None
    customer_id: str | None
    email: str | None


@dataclass
class Account:
    """One Stripe account in memory."""

    clock: FakeClock
    tables: dict[str, dict[str, Doc]] = field(default_factory=dict)
    hidden: dict[str, Doc] = field(default_factory=dict)
    events: list[Doc] = field(default_factory=list)
    outbox: list[Doc] = field(default_factory=list)
    books: list[Movement] = field(default_factory=list)
    payments: dict[str, Payment] = field(default_factory=dict)
    pays_out: bool = True
    currency: str = "usd"
    retries: tuple[int, ...] = (7 * DAY, 14 * DAY, 21 * DAY)
    """The times of the retries of a failed payment, counted from the first failure."""
    busy_answers: int = 0
    """How many answers say that a test clock is still advancing."""
    trials_slip_by: int = 0
    """Seconds by which a changed day misses its target, to test that this is noticed."""

    def __post_init__(self) -> None:
        """Start with nothing scheduled."""
        self._numbers = count(1)
        self._places = count()
        self._waiting: dict[str, list[tuple[int, int, Callable[[], None]]]] = {}
        self.test_clock = ""
        """The test clock by which the account lives at the moment; usually none."""

    @property
    def now(self) -> int:
        """The time in seconds since 1970, as Stripe counts it."""
        if self.test_clock:
            return int(self.tables["test_helpers.test_clock"][self.test_clock]["frozen_time"])
        return int(self.clock.now().timestamp())

    def new_id(self, prefix: str) -> str:
        """Return an id."""
        return f"{prefix}_1Double{next(self._numbers):08d}"

    def add(self, doc: Doc) -> Doc:
        """Store an object."""
        self.tables.setdefault(doc["object"], {})[doc["id"]] = doc
        return doc

    def get(self, kind: str, object_id: str, *, param: str = "id") -> Doc:
        """Return an object; a deleted one does not exist any more."""
        found = self.tables.get(kind, {}).get(object_id)
        if found is None or found.get("deleted"):
            message = f"No such {kind}: '{object_id}'"
            raise Refusal(404, message, code="resource_missing", param=param)
        return found

    def all(self, kind: str) -> list[Doc]:
        """Return the objects of a kind, newest first."""
        found = [doc for doc in self.tables.get(kind, {}).values() if not doc.get("deleted")]
        found.reverse()
        return sorted(found, key=lambda doc: -int(doc.get("created") or 0))

    def later(self, at: int, task: Callable[[], None]) -> None:
        """Schedule an action, by the clock that counts now."""
        waiting = self._waiting.setdefault(self.test_clock, [])
        heapq.heappush(waiting, (at, next(self._places), task))

    def advance_to(self, until: datetime) -> None:
        """Run all actions that are due, each at its own time."""
        for at in self._run_due(int(until.timestamp())):
            self.clock.set(max(self.clock.now(), datetime.fromtimestamp(at, UTC)))
        self.clock.set(until)

    def advance_test_clock(self, clock: Doc, until: int) -> None:
        """Run all actions of one test clock that are due, each at its own time."""
        self.test_clock = clock["id"]
        for at in self._run_due(until):
            clock["frozen_time"] = max(clock["frozen_time"], at)
        clock["frozen_time"] = until

    def _run_due(self, end: int) -> Iterator[int]:
        """Yield the time of each action before it runs."""
        waiting = self._waiting.setdefault(self.test_clock, [])
        while waiting and waiting[0][0] <= end:
            at, _, task = heapq.heappop(waiting)
            yield at
            task()

    def test_clock_of(self, *ids: object) -> str:
        """Return the test clock of the first object that has one, or an empty text."""
        for object_id in ids:
            doc = self.find(object_id)
            if doc is not None and doc["object"] == "test_helpers.test_clock":
                return str(doc["id"])
            above = [(doc or {}).get(name) for name in ("test_clock", *_ABOVE)]
            if found := self.test_clock_of(*filter(None, above)):
                return found
        return ""

    def find(self, object_id: object) -> Doc | None:
        """Return the object of any kind that has an id."""
        if not isinstance(object_id, str):
            return None
        return next((t[object_id] for t in self.tables.values() if object_id in t), None)

    def emit(self, kind: str, doc: Doc) -> None:
        """Record an event for each endpoint, and queue it for those that subscribe to it."""
        for endpoint in self.all("webhook_endpoint") or [{}]:
            event = {
                "id": self.new_id("evt"),
                "object": "event",
                "account": None,
                "api_version": endpoint.get("api_version") or stripe.api_version,
                "context": None,
                "created": self.now,
                "data": {"object": copy.deepcopy(doc)},
                "livemode": False,
                "pending_webhooks": 1,
                "request": {"id": None, "idempotency_key": None},
                "type": kind,
            }
            self.events.append(event)
            wanted = endpoint.get("enabled_events", ())
            if kind in wanted and endpoint["status"] == "enabled":
                self.outbox.append(event)
