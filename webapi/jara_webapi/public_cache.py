"""Answers for visitors, kept as bytes until the data change (trust §4; performance).

An answer lives two seconds at most, for some depend on the time; within that it lives as
long as nothing was committed. When many ask at once, one makes the answer and the others
wait for it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import falcon

from jara.bootstrap import Application
from jara_webapi.framework import Request, Response
from jara_webapi.operations import operation_of

LIFE = timedelta(seconds=2)
ANSWERS_MAX = 256
_WAIT_SECONDS = 5.0
_LOCKS = 64


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The bytes of an answer, and of which state of the data, at which moment."""

    mark: tuple[int, int]
    begun: float
    made_at: datetime
    data: bytes
    content_type: str
    etag: str


class PublicCache:
    """Middleware: answers from memory, and 304 to whom has the newest answer already."""

    def __init__(self, application: Application) -> None:
        """Work for an application."""
        self._context = application.context
        self._answers: OrderedDict[tuple[str, str], KeptAnswer] = OrderedDict()
        self._lock = threading.Lock()
        self._making = [threading.Lock() for _ in range(_LOCKS)]

    def process_resource(
        self, req: Request, resp: Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Answer from memory, where nothing has changed since."""
        del params
        marked = operation_of(resource, req.method)
        if marked is None or not marked.cached or req.context.get("session") is not None:
            return
        arrived = time.monotonic()
        if self._answer(req, resp, arrived):
            return
        making = self._making[hash(_key(req)) % _LOCKS]
        if making.acquire(timeout=_WAIT_SECONDS):
            req.context["cache_making"] = making
        if not self._answer(req, resp, arrived):
            begun = time.monotonic()
            req.context["cache_state"] = (self._context.store.change_mark(), begun)

    def process_response(
        self,
        req: Request,
        resp: Response,
        resource: object,
        req_succeeded: bool,  # noqa: FBT001
    ) -> None:
        """Keep a new answer, and leave out a body that the client has."""
        del resource
        try:
            self._finish(req, resp, succeeded=req_succeeded)
        finally:
            making = req.context.get("cache_making")
            if making is not None:
                making.release()

    def _answer(self, req: Request, resp: Response, arrived: float) -> bool:
        """Answer from memory if what is kept is true at any moment since the request came."""
        with self._lock:
            kept = self._answers.get(_key(req))
        if kept is None or not self._is_fresh(kept):
            return False
        if kept.begun < arrived and kept.mark != self._context.store.change_mark():
            return False
        resp.data, resp.content_type = kept.data, kept.content_type
        resp.set_header("ETag", kept.etag)
        resp.complete = True
        return True

    def _finish(self, req: Request, resp: Response, *, succeeded: bool) -> None:
        if not succeeded or req.method != "GET" or resp.status_code != 200:  # noqa: PLR2004
            return
        if resp.data is None or req.context.get("session") is not None:
            return
        if not resp.get_header("ETag"):
            resp.set_header("ETag", f'"{sha256(resp.data).hexdigest()[:32]}"')
        state = req.context.get("cache_state")
        if state is not None:
            self._keep(req, resp, *state)
        if (resp.get_header("ETag") or "") in (req.get_header("If-None-Match") or ""):
            resp.status = falcon.HTTP_304
            resp.data = None
            resp.delete_header("Content-Type")  # it says nothing of an answer without a body

    def _keep(self, req: Request, resp: Response, mark: tuple[int, int], begun: float) -> None:
        kept = KeptAnswer(
            mark,
            begun,
            self._context.now(),
            resp.data or b"",
            resp.content_type or falcon.MEDIA_JSON,
            resp.get_header("ETag") or "",
        )
        with self._lock:
            self._answers[_key(req)] = kept
            while len(self._answers) > ANSWERS_MAX:
                self._answers.popitem(last=False)

    def _is_fresh(self, kept: KeptAnswer) -> bool:
        return timedelta(0) <= self._context.now() - kept.made_at < LIFE


def _key(req: Request) -> tuple[str, str]:
    return req.path, req.query_string
