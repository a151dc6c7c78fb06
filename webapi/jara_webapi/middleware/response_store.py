"""What visitors are shown, kept until the data change (trust §4; performance).

It lives as long as nothing was committed that visitors may see, here or elsewhere, and time
alone has changed nothing: no vote has ended, no day has begun. When many ask at once, one
makes it and the others wait for it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar

from jara.bootstrap import Application
from jara.services.operations.validity import valid_until
from jara_webapi.calls.framework import Request

ANSWERS_MAX = 256
_WAIT_SECONDS = 5.0
_LOCKS = 64

Value = TypeVar("Value")
Mark = str | None


@dataclass(frozen=True, slots=True)
class State:
    """Of which state of the data something is, and when that state is true.

    Args:
        mark: of the data.
        begun: when it was looked for, by the clock that never goes back.
        since: from when it is true.
        until: the first instant at which time alone makes it untrue.
    """

    mark: Mark
    begun: float
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Kept(Generic[Value]):
    """Something that was made."""

    state: State
    value: Value


class KeptAnswers(Generic[Value]):
    """What was made for visitors, by its key."""

    def __init__(self, application: Application) -> None:
        """Keep answers of an application: its clock and its data say how long."""
        self._context = application.context
        self._now = application.context.clock.now
        self._kept: OrderedDict[Hashable, Kept[Value]] = OrderedDict()
        self._lock = threading.Lock()
        self._making = [threading.Lock() for _ in range(_LOCKS)]
        self._looking = threading.Lock()
        self._looked: tuple[float, Mark] = (0.0, None)
        self._newest: State | None = None

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
        if kept is None or not kept.state.since <= self._now() < kept.state.until:
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
        begun, now = time.monotonic(), self._now()
        mark, known = self._context.store.public_revision(), self._newest
        if known is not None and known.mark == mark and known.since <= now < known.until:
            return replace(known, begun=begun)
        # Asked after the mark: should more be committed in between, the next mark differs.
        state = self._newest = State(mark, begun, now, valid_until(self._context))
        return state

    def keep(self, key: Hashable, state: State, value: Value) -> None:
        """Keep what was made of a state."""
        with self._lock:
            self._kept[key] = Kept(state, value)
            while len(self._kept) > ANSWERS_MAX:
                self._kept.popitem(last=False)

    def _mark_since(self, arrived: float) -> Mark:
        """Return the mark of the data at any moment since the request came."""
        with self._looking:
            # Whoever waited here while another looked for a later request need not look again.
            if self._looked[0] < arrived:
                begun = time.monotonic()
                self._looked = begun, self._context.store.public_revision()
            return self._looked[1]


def arrival_of(req: Request) -> float:
    """Return when a request came.

    That is when our worker saw its first bytes, before it waited for a thread; of a new
    connection that is not known.
    """
    arrived: float | None = getattr(req.env.get("gunicorn.socket"), "arrived", None)
    return arrived or time.monotonic()
