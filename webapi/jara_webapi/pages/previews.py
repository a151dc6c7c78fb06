"""``/previews/…png``: the image that social networks show beside a link to a page."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from urllib.parse import urlsplit

import falcon

from jara.domain.language import ENGLISH
from jara.files.preview_image import Preview, PreviewPainter
from jara_webapi.calls.languages import CHOICE
from jara_webapi.calls.requests import Request, Response
from jara_webapi.pages.cards import find_card
from jara_webapi.pages.languages import share_image
from jara_webapi.pages.looks import Look
from jara_webapi.pages.page_fragments import Visit
from jara_webapi.pages.page_rendering import PageRenderer
from jara_webapi.pages.sending import SHORT, send_file
from jara_webapi.pages.site_files import SiteFile
from jara_webapi.pages.squares import KIND, Squares

_KEPT = 32
"""Images in memory, 50 to 200 kB each; painting one takes a fifth of a second."""


class Previews:
    """The preview image of a page or a square, painted again only when its content changes."""

    def __init__(
        self, pages: Mapping[str, PageRenderer], painter: PreviewPainter, squares: Squares
    ) -> None:
        """Use the pages of each language."""
        self._pages = pages
        self._squares = squares
        self._paint = lru_cache(_KEPT)(lambda preview: _file(painter.paint(preview)))

    def on_get(self, req: Request, resp: Response, kind: str, name: str) -> None:
        """Return the image."""
        # The address decides the language: it is that of the page, not of the client.
        asked = req.get_param(CHOICE) or ENGLISH
        visit = self._pages[asked if asked in self._pages else ENGLISH].visit(time.monotonic())
        preview = self._preview(visit, kind, name)
        if preview is None:
            raise falcon.HTTPNotFound
        send_file(req, resp, self._paint(preview), SHORT)

    on_head = on_get

    def _preview(self, visit: Visit, kind: str, name: str) -> Preview | None:
        if kind == KIND:
            return self._squares.preview(name, visit.t)
        card = find_card(visit, kind, name)
        if card is None:
            return None
        return Preview(card.title, card.note, card.picture, visit.t.organisation)


class ShareImage:
    """The preview image of all other pages, for an organisation with its own name."""

    def __init__(self, pages: PageRenderer, painter: PreviewPainter) -> None:
        """Use the pages."""
        self._pages = pages
        self._painter = painter

    def of(self, look: Look) -> SiteFile:
        """Return the image with the organisation's name."""
        visit = self._pages.visit(time.monotonic())
        host = urlsplit(visit.site).hostname or ""
        preview = Preview(look.identity.name, host, visit.scenes.default, look.identity.name)
        return look.keep(share_image(ENGLISH), lambda: _file(self._painter.paint(preview)))


def _file(data: bytes) -> SiteFile:
    return SiteFile(data, {}, "image/png", sha256(data).hexdigest()[:32])
