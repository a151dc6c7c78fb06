"""Answers of the API for visitors, kept as bytes until the data change."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import falcon

from jara.bootstrap import Application
from jara_webapi.calls.framework import Request, Response
from jara_webapi.calls.operations import operation_of
from jara_webapi.middleware.response_store import KeptAnswers, State, arrival_of

Key = tuple[str, str]
"""Path and query of a request."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The bytes of an answer."""

    data: bytes
    content_type: str
    etag: str


class PublicCache:
    """Middleware: answers from memory, and 304 to whom has the newest answer already."""

    def __init__(self, application: Application) -> None:
        """Work for an application."""
        self._answers = KeptAnswers[Answer](application)

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
        arrived = arrival_of(req)
        key = req.path, req.query_string
        if self._answer(resp, key, arrived):
            return
        req.context["cache_making"] = self._answers.begin_making(key)
        if not self._answer(resp, key, arrived):
            req.context["cache_state"] = (key, self._answers.state())

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
        kept = self._answers.find(key, arrived)
        if kept is None:
            return False
        resp.data, resp.content_type = kept.data, kept.content_type
        resp.set_header("ETag", kept.etag)
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
        state = req.context.get("cache_state")
        if state is not None:
            self._keep(resp, etag, *state)
        known: str | None = req.env.get("HTTP_IF_NONE_MATCH")
        if known and etag in known:
            resp.status = falcon.HTTP_304
            resp.data = None
            resp.delete_header("Content-Type")  # it says nothing of an answer without a body

    def _keep(self, resp: Response, etag: str, key: Key, state: State) -> None:
        kind = resp.content_type or falcon.MEDIA_JSON
        self._answers.keep(key, state, Answer(resp.data or b"", kind, etag))
