"""What visitors are shown, kept until the data change (trust §4; performance).

It lives two seconds at most, for some of it depends on the time; within that it lives as
long as nothing was committed that visitors may see. When many ask at once, one makes it
and the others wait for it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from jara.bootstrap import Application
from jara_webapi.framework import Request

LIFE = timedelta(seconds=2)
ANSWERS_MAX = 256
_WAIT_SECONDS = 5.0
_LOCKS = 64

Value = TypeVar("Value")
Mark = str | None


@dataclass(frozen=True, slots=True)
class State:
    """Of which state of the data something is, and since when it is being made."""

    mark: Mark
    begun: float


@dataclass(frozen=True, slots=True)
class Kept(Generic[Value]):
    """Something that was made."""

    state: State
    made_at: datetime
    value: Value


class KeptAnswers(Generic[Value]):
    """What was made for visitors, by its key."""

    def __init__(self, application: Application, *, layers: int = 1) -> None:
        """Keep answers of an application.

        Args:
            application: its clock and its data.
            layers: how many such memories feed each other; together they are as old as one.
        """
        self._store = application.context.store
        self._now = application.context.clock.now
        self._layers = layers
        self._kept: OrderedDict[Hashable, Kept[Value]] = OrderedDict()
        self._lock = threading.Lock()
        self._making = [threading.Lock() for _ in range(_LOCKS)]
        self._looking = threading.Lock()
        self._looked = State(None, 0.0)

    def get(self, key: Hashable, arrived: float, make: Callable[[], Value]) -> Value:
        """Return what is kept, or make it; what fails to be made is not kept."""
        found = self.find(key, arrived)
        if found is not None:
            return found
        making = self.begin_making(key)
        try:
            found = self.find(key, arrived)
            if found is None:
                state = self.state()
                found = make()
                self.keep(key, state, found)
            return found
        finally:
            if making is not None:
                making.release()

    def find(self, key: Hashable, arrived: float) -> Value | None:
        """Return what is kept if it is true at any moment since the request came."""
        kept = self._kept.get(key)
        if kept is None or not timedelta(0) <= self._now() - kept.made_at < LIFE / self._layers:
            return None
        if kept.state.begun < arrived and kept.state.mark != self._mark_since(arrived):
            return None
        return kept.value

    def begin_making(self, key: Hashable) -> threading.Lock | None:
        """Wait until nobody else makes this; whoever gets the lock gives it back."""
        making = self._making[hash(key) % _LOCKS]
        return making if making.acquire(timeout=_WAIT_SECONDS) else None

    def state(self) -> State:
        """Return the state of the data now."""
        begun = time.monotonic()
        return State(self._store.public_mark(), begun)

    def keep(self, key: Hashable, state: State, value: Value) -> None:
        """Keep what was made of a state."""
        kept = Kept(state, self._now(), value)
        with self._lock:
            self._kept[key] = kept
            while len(self._kept) > ANSWERS_MAX:
                self._kept.popitem(last=False)

    def _mark_since(self, arrived: float) -> Mark:
        """Return the mark of the data at any moment since the request came."""
        with self._looking:
            # Whoever waited here while another looked for a later request need not look again.
            if self._looked.begun < arrived:
                self._looked = self.state()
            return self._looked.mark


def arrival_of(req: Request) -> float:
    """Return when a request came.

    That is when our worker saw its first bytes, before it waited for a thread; of a new
    connection that is not known.
    """
    arrived: float | None = getattr(req.env.get("gunicorn.socket"), "arrived", None)
    return arrived or time.monotonic()
