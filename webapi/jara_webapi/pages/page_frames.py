"""Frames: pages of the build, split at the slots that the server fills."""

import gzip
import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

from jara.domain.language import ENGLISH
from jara_webapi.pages.page_fragments import PageContent
from jara_webapi.pages.site_files import PLAIN_SLOT, SiteFile, page_file, share_image
from jara_webapi.pages.templates import noscript

ANSWER_BYTES_MAX = 8_000
"""Limit for an embedded API response, compressed; the page requests a longer one itself.

With more, a page would not fit the ten segments (14.6 kB, RFC 6928) that a server sends
before it waits for the browser, and styles and pictures would arrive later.
"""

_HEAD, _HEAD_END, _END = b"<!--head-->", b"</head>", b"</body>"
_DRAWN = re.compile(rb'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)
_FIRST = re.compile(rb"\{\{first\.(\w+)\}\}")
_HTML = "html"
"""The slot whose text is HTML already, which the server made."""
_TYPE = "text/html; charset=utf-8"


class Frame(NamedTuple):
    """A page of the build, split at its slots, and the API responses it was drawn with."""

    before_head: bytes
    before_plain: bytes
    before_end: bytes
    end: bytes
    drawn: Mapping[str, Any]

    @classmethod
    def of(cls, data: bytes) -> "Frame":
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

    def filled(self, content: PageContent, note: str = "", *, language: str = ENGLISH) -> SiteFile:
        """Return the page with its slots filled, and a note below its plain content."""
        before_head = self.before_head
        if content.image:
            shared = share_image(language)
            before_head = before_head.replace(shared.encode(), content.image.encode())
        pieces = (
            before_head,
            content.head.encode(),
            self.before_plain,
            noscript(content.plain, note).encode(),
            self.before_end,
            _data_block("live-data", _short(content.answers)),
            self.end,
        )
        return page_file(b"".join(pieces), _TYPE)

    def with_first(self, first: Mapping[str, Mapping[str, str]]) -> "Frame":
        """Return the frame with `first` filled into its slots and its data block."""
        texts = {name: text for one in first.values() for name, text in one.items()}
        drawn = _data_block("page-data", {**self.drawn, **first})
        return self._replace(
            before_plain=_FIRST.sub(lambda slot: _written(texts, slot), self.before_plain),
            before_end=_DRAWN.sub(lambda _: drawn, self.before_end),
        )


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


def _written(texts: Mapping[str, str], slot: re.Match[bytes]) -> bytes:
    name = slot[1].decode()
    return (texts[name] if name == _HTML else escape(texts[name])).encode()
