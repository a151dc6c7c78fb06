"""Adds data to the built pages: heads for share previews, and content without scripts.

The build draws frame and texts. The server adds the API responses that a page reads
first, so that it need not request them, and the same content as HTML for readers and
search engines that run no scripts.
"""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from http import HTTPStatus
from typing import Any

from jara.bootstrap import Application
from jara.domain.errors import Unavailable
from jara_webapi.calls.framework import Request
from jara_webapi.calls.operations import ask as api_answer
from jara_webapi.middleware.response_cache import PublicDataCache, arrival_of
from jara_webapi.pages import page_fragments as fragments
from jara_webapi.pages.page_fragments import Part, Visit
from jara_webapi.pages.scenes import Scenes
from jara_webapi.pages.site_files import PLAIN_SLOT, SiteFile, page_file
from jara_webapi.pages.templates import Texts, noscript

ANSWER_BYTES_MAX = 8_000
"""Limit for an embedded API response, compressed; the page requests a longer one itself.

With more, a page would not fit the ten segments (14.6 kB, RFC 6928) that a server sends
before it waits for the browser, and styles and pictures would arrive later.
"""

_FIXED: Mapping[str, Callable[[Visit], Part]] = {
    "/": fragments.home,
    "/projects": fragments.all_projects,
    "/donations": fragments.donations,
    "/proposals": fragments.all_votes,
    "/ledger": fragments.ledger,
    "/terms": fragments.legal,
    "/privacy": fragments.legal,
}
_NAMED: Mapping[str, Callable[[Visit, str], Part | None]] = {
    "project": fragments.one_project,
    "proposal": fragments.one_vote,
}
_NAME = re.compile(r"/(project|proposal)s/([^/]+)")
_IMPACT = "/impact"
_HEAD, _HEAD_END, _END = b"<!--head-->", b"</head>", b"</body>"
_DRAWN = re.compile(rb'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)
_FIRST = re.compile(rb"\{\{first\.(\w+)\}\}")
_TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Frame:
    """A page of the build, split at its slots, and the API responses it was drawn with."""

    before_head: bytes
    before_plain: bytes
    before_end: bytes
    end: bytes
    drawn: Mapping[str, Any]

    @classmethod
    def of(cls, data: bytes) -> Frame:
        """Split a page; a head that the build drew can only be extended at its end."""
        before_head, mark, rest = data.partition(_HEAD)
        if not mark:
            before_head, mark, rest = data.partition(_HEAD_END)
            rest = mark + rest
        before_plain, _, rest = rest.partition(PLAIN_SLOT)
        before_end, mark, end = rest.rpartition(_END)
        drawn = _DRAWN.search(data)
        answers = {} if drawn is None else json.loads(drawn[1])
        return cls(before_head, before_plain, before_end, mark + end, answers)

    def filled(self, part: Part, note: str = "") -> SiteFile:
        """Return the page with everything in its place, and a note below its plain content."""
        before_head = self.before_head
        if part.image:
            before_head = before_head.replace(fragments.SHARE_IMAGE.encode(), part.image.encode())
        pieces = (
            before_head,
            part.head.encode(),
            self.before_plain,
            noscript(part.plain, note).encode(),
            self.before_end,
            _data_block("live-data", _short(part.answers)),
            self.end,
        )
        return page_file(b"".join(pieces), _TYPE)

    def with_first(self, first: Mapping[str, Mapping[str, str]]) -> Frame:
        """Return the frame with what is seen first filled in, which its data block says too."""
        texts = {name: text for one in first.values() for name, text in one.items()}
        drawn = _data_block("page-data", {**self.drawn, **first})
        return replace(
            self,
            before_plain=_FIRST.sub(lambda slot: _html(texts[slot[1].decode()]), self.before_plain),
            before_end=_DRAWN.sub(lambda _: drawn, self.before_end),
        )


@dataclass(frozen=True, slots=True)
class Built:
    """What the build left for the server.

    Args:
        pages: what it drew, by the addresses of the files.
        texts: the texts of the site.
        scenes: which drawing stands for what.
    """

    pages: Mapping[str, bytes]
    texts: Texts
    scenes: Scenes


class _Missing(Exception):
    """There is no project or proposal of this name."""

    def __init__(self, kind: str) -> None:
        """Store the kind."""
        super().__init__(kind)
        self.kind = kind


class PageRenderer:
    """The pages that depend on data, cached as bytes until the data change."""

    def __init__(
        self, application: Application, built: Built, resources: Mapping[str, object]
    ) -> None:
        """Render the pages of an organisation.

        Args:
            application: the organisation.
            built: what the build left.
            resources: the API, by its addresses.
        """
        self._context = application.context
        self._texts, self._scenes = built.texts, built.scenes
        self._resources = resources
        self._site = application.context.rules.site_url
        self._answers = PublicDataCache[Any](application)
        self._pages = PublicDataCache[SiteFile](application)
        self._frames = {address: Frame.of(data) for address, data in built.pages.items()}
        gone = fragments.missing(built.texts, self._site)
        self._missing = {kind: self._frames[f"/{kind}.html"].filled(gone) for kind in _NAMED}

    def page(self, req: Request) -> tuple[SiteFile, HTTPStatus] | None:
        """Return a page and its status; None for one that does not depend on data."""
        path, wanted = req.path, ""
        named = _NAME.fullmatch(path)
        if path in _FIXED:
            make = _FIXED[path]
        elif path == _IMPACT:
            wanted = (req.get_param_as_list("period") or [""])[0]
            make = partial(fragments.impact, wanted=wanted)
        elif named is not None:
            make = partial(_named, named[1], named[2])
        else:
            return None
        try:
            file = self._pages.get((path, wanted), arrival_of(req), lambda: self._made(path, make))
        except _Missing as missing:
            return self._missing[missing.kind], HTTPStatus.NOT_FOUND
        except Unavailable:
            return None  # the page as the build drew it is sent
        return file, HTTPStatus.OK

    def _made(self, path: str, make: Callable[[Visit], Part]) -> SiteFile:
        named = _NAME.fullmatch(path)
        addresses = [f"{path.rstrip('/')}/index.html", *([f"/{named[1]}.html"] if named else [])]
        first_frame = self._frames.get(
            f"/first/{named[1] if named else path.strip('/') or 'home'}.html"
        )
        frames = [self._frames[one] for one in addresses if one in self._frames]
        # No response may be older than the state under which the page will be cached.
        visit = self.visit(time.monotonic(), drawn=frames[0].drawn)
        part = make(visit)
        answers = {"/config": visit.ask("/config"), **part.answers}
        frame = frames[0] if part.is_drawn else frames[-1]
        if part.first and first_frame is not None:
            frame = first_frame.with_first(part.first)
        return frame.filled(replace(part, answers=answers), self._texts("plain", "note"))

    def visit(self, begun: float, *, drawn: Mapping[str, Any] | None = None) -> Visit:
        """Return what a page is made from; no response is older than `begun`."""
        ask = partial(self._answer, begun)
        return Visit(self._texts, self._scenes, ask, self._context.now(), self._site, drawn or {})

    def _answer(self, begun: float, path: str, query: str = "", **params: str) -> object:
        resource = self._resources[f"/api{path}"]
        return self._answers.get(
            (path, query, *params.values()),
            begun,
            lambda: json.loads(api_answer(resource, query, **params)),
        )


def _named(kind: str, name: str, visit: Visit) -> Part:
    part = _NAMED[kind](visit, name)
    if part is None:
        raise _Missing(kind)
    return part


def _data_block(name: str, answers: Mapping[str, Any]) -> bytes:
    """Return API responses as JSON in which no HTML tag can start or end."""
    return f'<script type="application/json" id="{name}">{_json(answers)}</script>'.encode()


def _short(answers: Mapping[str, Any]) -> Mapping[str, Any]:
    return {path: answer for path, answer in answers.items() if _is_short(_json(answer).encode())}


def _is_short(text: bytes) -> bool:
    return len(text) <= ANSWER_BYTES_MAX or len(gzip.compress(text)) <= ANSWER_BYTES_MAX


def _json(value: Any) -> str:  # noqa: ANN401 - an answer of the API
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _html(text: str) -> bytes:
    return escape(text).encode()
