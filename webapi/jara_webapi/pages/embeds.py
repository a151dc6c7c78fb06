"""``/embed/…``: cards and badges that any site may show; they run no script and set no cookie."""

from __future__ import annotations

import time
from collections.abc import Mapping

import falcon

from jara.bootstrap import Application
from jara_webapi.calls.languages import choose_language
from jara_webapi.calls.requests import Request, Response
from jara_webapi.middleware.response_cache import PublicDataCache, arrival_of
from jara_webapi.middleware.security_headers import PAGE_POLICY
from jara_webapi.pages.cards import Card, find_card
from jara_webapi.pages.languages import VARY
from jara_webapi.pages.page_rendering import PageRenderer
from jara_webapi.pages.sending import FRESH, send_file
from jara_webapi.pages.site_files import SiteFile, page_file

EMBED_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors *"
)
"""Any site may frame these pages: all they offer to click is a link that opens a new tab."""

_BADGE = ".svg"
_TYPES = {True: "image/svg+xml; charset=utf-8", False: "text/html; charset=utf-8"}
_SIGN_WIDTH, _ROOM = 6.4, 20
"""A badge stretches its texts to a fixed width, because other sites have unknown fonts."""


class Embeds:
    """The card of a project or a vote for a frame; with ``.svg``, a badge."""

    def __init__(self, application: Application, pages: Mapping[str, PageRenderer]) -> None:
        """Use the pages of each language."""
        self._pages = pages
        self._cache = PublicDataCache[SiteFile](application)

    def on_get(self, req: Request, resp: Response, kind: str, name: str) -> None:
        """Return the card or the badge."""
        language = choose_language(req, self._pages)
        file = self._cache.get(
            (language, kind, name), arrival_of(req), lambda: self._made(language, kind, name)
        )
        req.context[PAGE_POLICY] = EMBED_POLICY
        resp.set_header("Content-Language", language)
        send_file(req, resp, file, FRESH, VARY)

    on_head = on_get

    def _made(self, language: str, kind: str, name: str) -> SiteFile:
        is_badge = name.endswith(_BADGE)
        visit = self._pages[language].visit(time.monotonic())
        card = find_card(visit, kind, name.removesuffix(_BADGE))
        if card is None:
            raise falcon.HTTPNotFound
        text = (
            visit.render("badge.svg", card=card, **_widths(card))
            if is_badge
            else visit.render("embed.html", card=card, site=visit.site)
        )
        return page_file(text.encode(), _TYPES[is_badge])


def _widths(card: Card) -> Mapping[str, int]:
    left, right = (round(len(text) * _SIGN_WIDTH) for text in (card.kind, card.standing))
    return {"left": left, "right": right, "room": _ROOM}
