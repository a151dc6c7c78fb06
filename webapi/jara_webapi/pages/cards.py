"""Cards of projects, votes and reports for other sites: frames, badges and preview images.

Any site may show ``/embed/…``, which runs no script and sets no cookie. Social networks show
``/previews/…png`` beside a link to a page.
"""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

import falcon

from jara.bootstrap import Application
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.language import ENGLISH
from jara.files.preview_image import Preview
from jara_webapi.calls.languages import CHOICE, page_language
from jara_webapi.calls.requests import Request, Response
from jara_webapi.middleware.response_cache import PublicDataCache, arrival_of
from jara_webapi.middleware.security_headers import PAGE_POLICY
from jara_webapi.pages import following
from jara_webapi.pages.branding import BrandedPages
from jara_webapi.pages.drawings import KIND, Squares
from jara_webapi.pages.drawn_images import DrawnImages
from jara_webapi.pages.page_fragments import Visit, badge_of, query_of, still_needed
from jara_webapi.pages.page_rendering import PageRenderer
from jara_webapi.pages.site_files import (
    FRESH,
    SHORT,
    VARY,
    SiteFile,
    page_file,
    send_file,
    share_image,
)
from jara_webapi.pages.templates import Document, has_ended, month_of, page_path


class Card(NamedTuple):
    """A short form of a project, a vote or a report."""

    address: str  # the address of its page
    kind: str  # "Vote", "Project" or "Report"
    title: str
    picture: str  # the path of its photo or drawing on this site
    standing: str  # its progress, such as "22 more yes votes needed"
    share: float  # how much of the goal is reached, from 0 to 1
    note: str  # the end of the vote, or a project's status; it changes rarely
    link: str  # the text of the link to its page


def find_card(visit: Visit, kind: str, name: str) -> Card | None:
    """Return the card of a project or vote by id or slug, or of a report by its period.

    None if there is none.
    """
    if kind == "reports":
        return _report(visit, name)
    if kind not in _KINDS:
        return None
    path, make = _KINDS[kind]
    document = next((one for one in visit.ask(path) if name in {one["slug"], one["id"]}), None)
    return None if document is None else make(visit, document)


def _vote(visit: Visit, proposal: Document) -> Card:
    tally = proposal["tally"]
    yes = tally["yes"] or 0
    enough = yes + (tally["needed"] or 0)
    if has_ended(proposal, visit.now):
        state = "withdrawn" if proposal["withdrawal"] else proposal["result"] or "ended"
        standing = visit.t("voting", f"others.{state}")
    else:
        standing = still_needed(visit, tally)
    return Card(
        address=visit.site + page_path(proposal["slug"], "proposals"),
        kind=visit.t("plain", "card.proposals"),
        title=proposal["title"],
        picture=visit.scenes.own_picture_of(proposal),
        standing=standing,
        share=yes / enough if enough else 0.0,
        note=badge_of(visit, proposal),
        link=visit.t("open-vote", "strip.see"),
    )


def _project(visit: Visit, card: Document) -> Card:
    kind = visit.t("plain", "card.projects")
    status = visit.t("catalogue", f"status.{card['status']}")
    project = visit.ask("/projects/{name}", name=card["slug"])
    paid, goal = project["paidCents"], project["fundingGoalCents"] or 0
    dollars = visit.t.words.dollars
    words = {"paid": dollars(paid), "goal": dollars(goal)}
    return Card(
        address=visit.site + page_path(card["slug"], "projects"),
        kind=kind,
        title=card["title"],
        picture=visit.scenes.own_picture_of(card),
        standing=visit.t("plain", "card.paid-of" if goal else "card.paid", **words),
        share=min(1.0, paid / goal) if goal else 0.0,
        note=f"{kind} · {status}",
        link=visit.t("plain", "card.see"),
    )


def _report(visit: Visit, period: str) -> Card | None:
    try:
        report = visit.ask("/impact", query_of(period))
    except (NotFound, InvalidInput):
        return None
    first, last = report["period"]["from"], report["period"]["to"]
    if first[:7] == last[:7]:
        title = month_of(visit.t.words, first)
    elif first[:4] == last[:4]:
        title = visit.t("impact", "period.year", year=first[:4])
    else:
        title = visit.t("impact", "period.all")
    received, paid = report["receivedCents"]["total"], report["disbursedCents"]
    dollars = visit.t.words.dollars
    standing = visit.t("plain", "card.report", received=dollars(received), paid=dollars(paid))
    return Card(
        address=f"{visit.site}/impact?period={period}",
        kind=visit.t("plain", "card.reports"),
        title=f"{title}{visit.t('plain', 'colon')} {standing}",
        picture=visit.scenes.default,
        standing=standing,
        share=0.0,
        note="" if report["isOver"] else visit.t("impact", "unfinished"),
        link=visit.t("plain", "card.see"),
    )


_KINDS: Mapping[str, tuple[str, Callable[[Visit, Document], Card]]] = {
    "proposals": ("/user/get-proposals", _vote),
    "projects": ("/projects", _project),
}


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
        self._pages = pages
        self._cache = PublicDataCache[SiteFile](application)
        self._turns = application.value_turns

    def on_get(self, req: Request, resp: Response, kind: str, name: str) -> None:
        """Return the card or the badge."""
        language = page_language(req, self._pages)
        file = self._cache.get(
            (language, kind, name),
            arrival_of(req),
            lambda: self._made(language, kind, name),
            chosen=True,
        )
        req.context[PAGE_POLICY] = EMBED_POLICY
        resp.set_header("Content-Language", language)
        send_file(req, resp, file, FRESH, VARY)

    on_head = on_get

    def _made(self, language: str, kind: str, name: str) -> SiteFile:
        is_badge = name.endswith(_BADGE)
        visit = self._pages[language].visit(time.monotonic())
        with self._turns.take():
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


FOLLOW = "follow"
"""Pictures of an amount of a month: of these alone there are more than can be drawn."""


def own_preview(visit: Visit) -> Preview:
    """Return the preview image of a page without one of its own."""
    name, host = visit.t.organisation, urlsplit(visit.site).hostname or ""
    return Preview(name, host, visit.scenes.default, name)


class Previews:
    """The preview image of a page or a square, drawn again only when its content changes."""

    def __init__(
        self,
        application: Application,
        pages: Mapping[str, PageRenderer],
        images: DrawnImages,
        squares: Squares,
    ) -> None:
        self._pages = pages
        self._turns = application.value_turns
        self._squares = squares
        self._images = images

    def on_get(self, req: Request, resp: Response, kind: str, name: str) -> None:
        """Return the image."""
        # The address decides the language: it is that of the page, not of the client.
        asked = req.get_param(CHOICE) or ENGLISH
        visit = self._pages[asked if asked in self._pages else ENGLISH].visit(time.monotonic())
        with self._turns.take():
            preview = self._preview(visit, kind, name)
        if preview is None:
            raise falcon.HTTPNotFound
        instead = own_preview(visit) if kind == FOLLOW else None
        send_file(req, resp, self._images.get(preview, instead), SHORT)

    on_head = on_get

    def _preview(self, visit: Visit, kind: str, name: str) -> Preview | None:
        if kind == KIND:
            return self._squares.preview(name, visit.t)
        if kind == FOLLOW:
            return following.preview(visit, name)
        card = find_card(visit, kind, name)
        if card is None:
            return None
        return Preview(card.title, card.note, card.picture, visit.t.organisation)


class ShareImage:
    """The preview image of all other pages, for an organisation with its own name."""

    def __init__(self, pages: PageRenderer, images: DrawnImages) -> None:
        self._pages = pages
        self._images = images

    def of(self, pages: BrandedPages) -> SiteFile:
        """Return the image with the organisation's name."""
        visit = self._pages.visit(time.monotonic())
        return pages.keep(share_image(ENGLISH), lambda: self._images.get(own_preview(visit)))
