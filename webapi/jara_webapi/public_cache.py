"""Answers for visitors, kept as bytes until the data change (trust §4; performance).

An answer lives two seconds at most, for some depend on the time; within that it lives as
long as nothing was committed. A change mark is good for one thread, so each keeps its own.
"""

from __future__ import annotations

import threading
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


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The bytes of an answer, and what it was made from."""

    mark: tuple[int, int]
    made_at: datetime
    data: bytes
    content_type: str
    etag: str


class PublicCache:
    """Middleware: answers from memory, and 304 to whom has the newest answer already."""

    def __init__(self, application: Application) -> None:
        """Work for an application."""
        self._context = application.context
        self._local = threading.local()

    def process_resource(
        self, req: Request, resp: Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Answer from memory, where nothing has changed since."""
        del params
        marked = operation_of(resource, req.method)
        if marked is None or not marked.cached or req.context.get("session") is not None:
            return
        mark = self._context.store.change_mark()
        kept = self._answers.get(_key(req))
        if kept is not None and kept.mark == mark and self._is_fresh(kept):
            resp.data, resp.content_type = kept.data, kept.content_type
            resp.set_header("ETag", kept.etag)
            resp.complete = True
        else:
            req.context["cache_mark"] = mark

    def process_response(
        self,
        req: Request,
        resp: Response,
        resource: object,
        req_succeeded: bool,  # noqa: FBT001
    ) -> None:
        """Keep a new answer, and leave out a body that the client has."""
        del resource
        if not req_succeeded or req.method != "GET" or resp.status_code != 200:  # noqa: PLR2004
            return
        if resp.data is None or req.context.get("session") is not None:
            return
        if not resp.get_header("ETag"):
            resp.set_header("ETag", f'"{sha256(resp.data).hexdigest()[:32]}"')
        mark = req.context.get("cache_mark")
        if mark is not None:
            self._keep(req, resp, mark)
        if (resp.get_header("ETag") or "") in (req.get_header("If-None-Match") or ""):
            resp.status = falcon.HTTP_304
            resp.data = None
            resp.delete_header("Content-Type")  # it says nothing of an answer without a body

    def _keep(self, req: Request, resp: Response, mark: tuple[int, int]) -> None:
        answers = self._answers
        answers[_key(req)] = KeptAnswer(
            mark,
            self._context.now(),
            resp.data or b"",
            resp.content_type or falcon.MEDIA_JSON,
            resp.get_header("ETag") or "",
        )
        while len(answers) > ANSWERS_MAX:
            answers.popitem(last=False)

    def _is_fresh(self, kept: KeptAnswer) -> bool:
        return timedelta(0) <= self._context.now() - kept.made_at < LIFE

    @property
    def _answers(self) -> OrderedDict[tuple[str, str], KeptAnswer]:
        if not hasattr(self._local, "answers"):
            self._local.answers = OrderedDict()
        answers: OrderedDict[tuple[str, str], KeptAnswer] = self._local.answers
        return answers


def _key(req: Request) -> tuple[str, str]:
    return req.path, req.query_string
