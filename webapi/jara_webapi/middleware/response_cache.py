"""The cache of public data, and the middleware that answers from it.

A cached value is valid until a commit, in this process or another, changes public data, or
until time alone does: a vote ends, or a day starts. If many requests need a missing value, one
of them makes it and the others wait.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from http import HTTPStatus
from typing import Generic, NamedTuple, TypeVar

import falcon

from jara.bootstrap import Application
from jara.domain.language import Language
from jara.services.operations.validity import valid_until
from jara_webapi.calls.languages import language_of, note_language
from jara_webapi.calls.operations import operation_of, query_of
from jara_webapi.calls.requests import Request, Response

ENTRIES_MAX = 256
"""Of answers that all visitors share, and of those with a value that a visitor chooses."""
_WAIT_SECONDS = 5.0
_LOCKS = 64

Value = TypeVar("Value")
Revision = str | None
Address = tuple[str, str, Language | None]


class State(NamedTuple):
    """A state of the public data, and its period of validity."""

    revision: Revision  # the revision of the public data
    begun: float  # when it was read, on the monotonic clock
    since: datetime  # the first instant at which it is valid
    until: datetime  # the first instant at which time alone makes it invalid


@dataclass(frozen=True, slots=True)
class Entry(Generic[Value]):
    """A cached value."""

    state: State
    value: Value


class PublicDataCache(Generic[Value]):
    """Values made from public data, by key."""

    def __init__(self, application: Application) -> None:
        """Cache values of an application; its clock and its data decide for how long."""
        self._context = application.context
        self._now = application.context.clock.now
        self._entries: OrderedDict[Hashable, Entry[Value]] = OrderedDict()
        self._chosen: OrderedDict[Hashable, Entry[Value]] = OrderedDict()
        self._lock = threading.Lock()
        self._making = [threading.Lock() for _ in range(_LOCKS)]
        self._checking = threading.Lock()
        self._checked: tuple[float, Revision] = (0.0, None)
        self._newest: State | None = None

    def get(
        self, key: Hashable, arrived: float, make: Callable[[], Value], *, chosen: bool = False
    ) -> Value:
        """Return the cached value, or make it; a failure is not cached.

        `arrived` is the time of the request on the monotonic clock; `chosen` says that the visitor
        chose a part of the key, of which there is no end.
        """
        value = self.find(key, arrived)
        if value is not None:
            return value
        making = self.begin_making(key)
        try:
            value = self.find(key, arrived)
            if value is None:
                state = self.state()
                value = make()
                self.put(key, state, value, chosen=chosen)
            return value
        finally:
            if making is not None:
                making.release()

    def find(self, key: Hashable, arrived: float) -> Value | None:
        """Return the cached value if it was valid at any moment since the request arrived."""
        entry = self._entries.get(key) or self._chosen.get(key)
        if entry is None or not entry.state.since <= self._now() < entry.state.until:
            return None
        state = entry.state
        if state.begun < arrived and state.revision != self._revision_since(arrived):
            return None
        return entry.value

    def begin_making(self, key: Hashable) -> threading.Lock | None:
        """Wait while another thread makes this value; the caller must release the returned lock."""
        making = self._making[hash(key) % _LOCKS]
        return making if making.acquire(timeout=_WAIT_SECONDS) else None

    def state(self) -> State:
        """Return the current state of the data."""
        begun, now = time.monotonic(), self._now()
        revision, newest = self._context.store.public_revision(), self._newest
        if (
            newest is not None
            and newest.revision == revision
            and newest.since <= now < newest.until
        ):
            return newest._replace(begun=begun)
        # Read after the revision: if more is committed in between, the next revision differs.
        state = self._newest = State(revision, begun, now, valid_until(self._context))
        return state

    def put(self, key: Hashable, state: State, value: Value, *, chosen: bool = False) -> None:
        """Cache a value that was made from a state; chosen ones never push out the others."""
        entries = self._chosen if chosen else self._entries
        with self._lock:
            entries[key] = Entry(state, value)
            while len(entries) > ENTRIES_MAX:
                entries.popitem(last=False)

    def _revision_since(self, arrived: float) -> Revision:
        """Return the revision of the data at any moment since the request arrived."""
        with self._checking:
            # A thread that waited here while another checked for a later request need not check.
            if self._checked[0] < arrived:
                begun = time.monotonic()
                self._checked = begun, self._context.store.public_revision()
            return self._checked[1]


class CachedResponse(NamedTuple):
    """The bytes of a response."""

    data: bytes
    content_type: str
    etag: str


class ResponseCache:
    """Middleware: answers visitors from the cache, and 304 to clients that are up to date."""

    def __init__(self, application: Application) -> None:
        self._cache = PublicDataCache[CachedResponse](application)
        self._turns = application.value_turns

    def process_resource(self, req: Request, resp: Response, resource: object, _: object) -> None:
        """Answer from the cache if nothing has changed."""
        marked = operation_of(resource, req.method)
        if marked is None:
            return
        language = language_of(req) if marked.in_languages else None
        if language is not None:
            note_language(resp, language)
        if req.context.get("session") is not None or not marked.cached:
            return
        arrived = arrival_of(req)
        query = query_of(resource, req)
        key = req.path, query, language
        if self._answer(resp, key, arrived):
            return
        if is_chosen := bool(query) or "{" in (req.uri_template or ""):
            turn = ExitStack()
            turn.enter_context(self._turns.take())
            req.context["cache_turn"] = turn
        req.context["cache_making"] = self._cache.begin_making(key)
        if not self._answer(resp, key, arrived):
            req.context["cache_state"] = (key, self._cache.state(), is_chosen)

    def process_response(self, req: Request, resp: Response, _: object, succeeded: object) -> None:
        """Cache a new response, and leave out a body that the client has."""
        try:
            self._finish(req, resp, succeeded=bool(succeeded))
        finally:
            making = req.context.get("cache_making")
            if making is not None:
                making.release()
            turn = req.context.get("cache_turn")
            if turn is not None:
                turn.close()

    def _answer(self, resp: Response, key: Address, arrived: float) -> bool:
        cached = self._cache.find(key, arrived)
        if cached is None:
            return False
        resp.data, resp.content_type = cached.data, cached.content_type
        resp.set_header("ETag", cached.etag)
        resp.complete = True
        return True

    def _finish(self, req: Request, resp: Response, *, succeeded: bool) -> None:
        if not succeeded or req.method not in {"GET", "HEAD"} or resp.status_code != HTTPStatus.OK:
            return
        if resp.data is None or req.context.get("session") is not None:
            return
        etag = resp.get_header("ETag")
        if not etag:
            etag = f'"{sha256(resp.data).hexdigest()[:32]}"'
            resp.set_header("ETag", etag)
        made_from = req.context.get("cache_state")
        if made_from is not None:
            key, state, is_chosen = made_from
            kind = resp.content_type or falcon.MEDIA_JSON
            value = CachedResponse(resp.data, kind, etag)
            self._cache.put(key, state, value, chosen=is_chosen)
        client_etags: str | None = req.env.get("HTTP_IF_NONE_MATCH")
        if client_etags and etag in client_etags:
            resp.status = falcon.HTTP_304
            resp.data = None
            resp.delete_header("Content-Type")  # it says nothing about a response without a body


def arrival_of(req: Request) -> float:
    """Return when a request arrived, on the monotonic clock.

    This is when our worker saw its first bytes, before it waited for a thread. For the first
    request of a connection, where this is unknown, it is now.
    """
    arrived: float | None = getattr(req.env.get("gunicorn.socket"), "arrived", None)
    return arrived or time.monotonic()
