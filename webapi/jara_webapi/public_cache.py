"""Answers for visitors, kept as bytes until the data change (trust §4; performance).

An answer lives two seconds at most, for some depend on the time; within that it lives as
long as nothing was committed that visitors may see. When many ask at once, one makes the
answer and the others wait for it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import falcon

from jara.bootstrap import Application
from jara_webapi.framework import Request, Response
from jara_webapi.operations import operation_of

LIFE = timedelta(seconds=2)
ANSWERS_MAX = 256
_WAIT_SECONDS = 5.0
_LOCKS = 64


Key = tuple[str, str]
"""Path and query of a request."""

Mark = str | None


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The bytes of an answer, and of which state of the data, at which moment."""

    mark: Mark
    begun: float
    made_at: datetime
    data: bytes
    content_type: str
    etag: str


class PublicCache:
    """Middleware: answers from memory, and 304 to whom has the newest answer already."""

    def __init__(self, application: Application) -> None:
        """Work for an application."""
        self._store = application.context.store
        self._now = application.context.clock.now
        self._answers: OrderedDict[Key, KeptAnswer] = OrderedDict()
        self._lock = threading.Lock()
        self._making = [threading.Lock() for _ in range(_LOCKS)]
        self._looking = threading.Lock()
        self._looked: tuple[float, Mark] = (0.0, None)

    def process_resource(
        self, req: Request, resp: Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Answer from memory, where nothing has changed since."""
        del params
        if req.context.get("session") is not None:
            return
        marked = operation_of(resource, req.method)
        if marked is None or not marked.cached:
            return
        # When our worker saw its first bytes, before it waited for a thread; of a new
        # connection that is not known.
        arrived = getattr(req.env.get("gunicorn.socket"), "arrived", None) or time.monotonic()
        key = req.path, req.query_string
        if self._answer(resp, key, arrived):
            return
        making = self._making[hash(key) % _LOCKS]
        if making.acquire(timeout=_WAIT_SECONDS):
            req.context["cache_making"] = making
        if not self._answer(resp, key, arrived):
            begun = time.monotonic()
            req.context["cache_state"] = (key, self._store.public_mark(), begun)

    def process_response(
        self,
        req: Request,
        resp: Response,
        resource: object,
        req_succeeded: bool,  # noqa: FBT001 - Falcon calls it so
    ) -> None:
        """Keep a new answer, and leave out a body that the client has."""
        del resource
        try:
            self._finish(req, resp, succeeded=req_succeeded)
        finally:
            making = req.context.get("cache_making")
            if making is not None:
                making.release()

    def _answer(self, resp: Response, key: Key, arrived: float) -> bool:
        """Answer from memory if what is kept is true at any moment since the request came."""
        kept = self._answers.get(key)
        if kept is None or not timedelta(0) <= self._now() - kept.made_at < LIFE:
            return False
        if kept.begun < arrived and kept.mark != self._mark_since(arrived):
            return False
        resp.data, resp.content_type = kept.data, kept.content_type
        resp.set_header("ETag", kept.etag)
        resp.complete = True
        return True

    def _mark_since(self, arrived: float) -> Mark:
        """Return the mark of the data at any moment since the request came."""
        with self._looking:
            # Whoever waited here while another looked for a later request need not look again.
            if self._looked[0] < arrived:
                begun = time.monotonic()
                self._looked = (begun, self._store.public_mark())
            return self._looked[1]

    def _finish(self, req: Request, resp: Response, *, succeeded: bool) -> None:
        if not succeeded or req.method not in {"GET", "HEAD"} or resp.status_code != HTTPStatus.OK:
            return
        if resp.data is None or req.context.get("session") is not None:
            return
        etag = resp.get_header("ETag")
        if not etag:
            etag = f'"{sha256(resp.data).hexdigest()[:32]}"'
            resp.set_header("ETag", etag)
        state = req.context.get("cache_state")
        if state is not None:
            self._keep(resp, etag, *state)
        known: str | None = req.env.get("HTTP_IF_NONE_MATCH")
        if known and etag in known:
            resp.status = falcon.HTTP_304
            resp.data = None
            resp.delete_header("Content-Type")  # it says nothing of an answer without a body

    def _keep(self, resp: Response, etag: str, key: Key, mark: Mark, begun: float) -> None:
        kept = KeptAnswer(
            mark,
            begun,
            self._now(),
            resp.data or b"",
            resp.content_type or falcon.MEDIA_JSON,
            etag,
        )
        with self._lock:
            self._answers[key] = kept
            while len(self._answers) > ANSWERS_MAX:
                self._answers.popitem(last=False)
