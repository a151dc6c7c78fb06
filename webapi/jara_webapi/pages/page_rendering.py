"""Adds data to the built pages: heads for share previews, and content without scripts.

The build draws frame and texts. The server adds the API responses that a page reads
first, to save it the requests, and the same content as HTML for readers and
search engines that run no scripts.
"""

import json
import re
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from jinja2 import TemplateError

from jara.bootstrap import Application
from jara.domain.currency import home_sign, written_for
from jara.domain.errors import Unavailable
from jara.domain.legal.versions import LegalText
from jara_webapi.calls.errors import log_defect
from jara_webapi.calls.languages import CHOICE
from jara_webapi.calls.operations import Resource
from jara_webapi.calls.requests import Request
from jara_webapi.calls.scenes import Scenes
from jara_webapi.middleware.response_cache import PublicDataCache, arrival_of
from jara_webapi.pages import following
from jara_webapi.pages import page_fragments as fragments
from jara_webapi.pages.branding import BrandedPages, BrandedSite
from jara_webapi.pages.drawings import QUERY, Squares
from jara_webapi.pages.page_fragments import PageContent, Visit, home
from jara_webapi.pages.site_files import SiteFile

_HOME = "/"
_DEFECTS = (TemplateError, LookupError, TypeError, ValueError, AttributeError)
FIXED_PAGES: Mapping[str, Callable[[Visit], PageContent]] = {
    _HOME: home,
    **{f"/{name}": partial(fragments.listing, name=name) for name in fragments.LISTS},
    "/faqs": fragments.questions,
    "/why-jara-exists": fragments.about,
    "/proposals": fragments.all_votes,
    "/ledger": fragments.ledger,
}
_NAMED: Mapping[str, Callable[[Visit, str], PageContent | None]] = {
    "project": fragments.one_project,
    "proposal": fragments.one_vote,
    "entry": following.one_entry,
}
_NAME = re.compile(r"/(projects|proposals|ledger/entries)/([^/]+)")
_KINDS = {"projects": "project", "proposals": "proposal", "ledger/entries": "entry"}
_IMPACT, _FOLLOW = "/impact", "/follow"
_LEGAL = {f"/{text}": text.value for text in LegalText}


def kind_of_page(path: str) -> str | None:
    """Return whether a path is that of a project, a proposal or an entry; None if of neither."""
    named = _NAME.fullmatch(path)
    return None if named is None else _KINDS[named[1]]


class BuildOutput(NamedTuple):
    """The output of the build for the server, in one language."""

    site: BrandedSite  # the pages, with the organisation's name in them
    scenes: Scenes  # chooses the drawings
    languages: Collection[str]  # the languages in which the site is built
    squares: Squares  # the squares of the cloth, of which the home page may greet with one


class _Missing(Exception):
    """There is no project, proposal or entry of this name."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class PageRenderer:
    """The pages in one language that depend on data, cached as bytes until the data change."""

    def __init__(
        self, application: Application, built: BuildOutput, resources: Mapping[str, Resource]
    ) -> None:
        """Render the pages of an organisation; `resources` are those of the API, by address."""
        self._context = application.context
        self._branded, self._scenes = built.site, built.scenes
        self._languages, self._squares = built.languages, built.squares
        self._resources = resources
        self._site = application.context.rules.site_url
        self._turns = application.value_turns
        self._answers = PublicDataCache[Any](application)
        self._pages = PublicDataCache[SiteFile](application)

    def page(self, req: Request) -> tuple[SiteFile, HTTPStatus] | None:
        """Return a page and its status; None for one that does not depend on data."""
        path, wanted = req.path, ""
        make: Callable[[Visit], PageContent]
        named = _NAME.fullmatch(path)
        square = self._squares.square(code := req.get_param(QUERY) or "")
        if path == _HOME and square is not None:
            wanted, make = code, partial(home, square=square)
        elif path in FIXED_PAGES:
            make = FIXED_PAGES[path]
        elif path == _IMPACT:
            wanted = (req.get_param_as_list("period") or [""])[0]
            make = partial(fragments.impact, wanted=wanted)
        elif path == _FOLLOW:
            asked = following.Amount.of(req.get_param("cents"), req.get_param("month"))
            wanted = asked.name
            make = partial(following.follow, asked=asked)
        elif path in _LEGAL:
            wanted = (req.get_param_as_list("version") or [""])[0]
            make = partial(_legal, _LEGAL[path], wanted)
        elif named is not None:
            make = partial(_named, _KINDS[named[1]], named[2])
        else:
            return None
        is_chosen = bool(wanted) or named is not None
        try:
            file = self._pages.get(
                (path, wanted, home_sign()),
                arrival_of(req),
                lambda: self._made_in_turn(path, make) if is_chosen else self._made(path, make),
                chosen=is_chosen,
            )
        except _Missing as missing:
            pages = self._branded.at(arrival_of(req))
            gone = pages.page("/404.html") if path in _LEGAL else self._missing(pages, missing.kind)
            return None if gone is None else (gone, HTTPStatus.NOT_FOUND)
        except Unavailable:
            return None  # the page as the build drew it is sent
        except _DEFECTS as error:  # one item of content must not take a page from everybody
            log_defect(req, error)
            return None
        return file, HTTPStatus.OK

    def _made_in_turn(self, path: str, make: Callable[[Visit], PageContent]) -> SiteFile:
        with self._turns.take():
            return self._made(path, make)

    def _made(self, path: str, make: Callable[[Visit], PageContent]) -> SiteFile:
        kind = kind_of_page(path)
        address = f"{path.rstrip('/')}/index.html" if kind is None else f"/{kind}.html"
        # Nothing may be older than the state under which the page will be cached.
        begun = time.monotonic()
        pages = self._branded.at(begun)
        visit = self.visit(begun)
        content = make(visit)
        answers = {"/config": visit.ask("/config"), **content.answers}
        frame = pages.frames[address]
        version = content.version or kind or path.strip("/")
        if content.first and (first := pages.frames.get(f"/first/{version}.html")) is not None:
            frame = first.with_first(content.first)
        return frame.filled(
            replace(content, answers=answers),
            pages.texts("plain", "note"),
            language=pages.texts.language,
        )

    def _missing(self, pages: BrandedPages, kind: str) -> SiteFile:
        gone = fragments.missing(pages.texts, self._site)
        return pages.keep(f"missing {kind}", lambda: pages.frames[f"/{kind}.html"].filled(gone))

    def visit(self, begun: float) -> Visit:
        """Return the inputs of a page; no API response is older than `begun`."""
        ask = partial(self._answer, begun)
        texts, scenes = self._branded.at(begun).texts, self._scenes
        now, zone = self._context.now(), self._context.zone
        return Visit(texts, scenes, ask, now, zone, self._site, self._languages)

    def _answer(self, begun: float, path: str, query: str = "", **params: str) -> object:
        resource = self._resources[f"/api{path}"]
        asked = f"{query}&{CHOICE}={self._branded.at(begun).texts.language}"
        with written_for(""):  # all readers share the answers
            return self._answers.get(
                (path, query, *params.values()),
                begun,
                lambda: json.loads(resource.ask(asked, **params)),
                chosen=bool(query or params),
            )


def _legal(text: str, version: str, visit: Visit) -> PageContent:
    content = fragments.legal(visit, text=text, version=version)
    if content is None:
        raise _Missing(text)
    return content


def _named(kind: str, name: str, visit: Visit) -> PageContent:
    content = _NAMED[kind](visit, name)
    if content is None:
        raise _Missing(kind)
    return content
