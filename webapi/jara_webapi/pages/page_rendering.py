"""Adds data to the built pages: heads for share previews, and content without scripts.

The build draws frame and texts. The server adds the API responses that a page reads
first, to save it the requests, and the same content as HTML for readers and
search engines that run no scripts.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from jara.bootstrap import Application
from jara.domain.errors import Unavailable
from jara.domain.legal.versions import LegalText
from jara_webapi.calls.languages import CHOICE
from jara_webapi.calls.operations import Resource
from jara_webapi.calls.requests import Request
from jara_webapi.calls.scenes import Scenes
from jara_webapi.middleware.response_cache import PublicDataCache, arrival_of
from jara_webapi.pages import page_fragments as fragments
from jara_webapi.pages.branding import BrandedPages, BrandedSite
from jara_webapi.pages.page_fragments import PageContent, Visit, home
from jara_webapi.pages.site_files import SiteFile

_FIXED: Mapping[str, Callable[[Visit], PageContent]] = {
    "/": home,
    "/projects": fragments.all_projects,
    "/donations": fragments.donations,
    "/proposals": fragments.all_votes,
    "/ledger": fragments.ledger,
}
_NAMED: Mapping[str, Callable[[Visit, str], PageContent | None]] = {
    "project": fragments.one_project,
    "proposal": fragments.one_vote,
}
_NAME = re.compile(r"/(project|proposal)s/([^/]+)")
_IMPACT = "/impact"
_LEGAL = {f"/{text}": text.value for text in LegalText}


class BuildOutput(NamedTuple):
    """The output of the build for the server, in one language.

    Args:
        site: the pages, with the organisation's name in them.
        scenes: chooses the drawings.
        languages: the languages in which the site is built.
    """

    site: BrandedSite
    scenes: Scenes
    languages: Collection[str]


class _Missing(Exception):
    """There is no project or proposal of this name."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class PageRenderer:
    """The pages in one language that depend on data, cached as bytes until the data change."""

    def __init__(
        self, application: Application, built: BuildOutput, resources: Mapping[str, Resource]
    ) -> None:
        """Render the pages of an organisation.

        Args:
            application: the organisation.
            built: the output of the build.
            resources: the resources of the API, by address.
        """
        self._context = application.context
        self._branded, self._scenes = built.site, built.scenes
        self._languages = built.languages
        self._resources = resources
        self._site = application.context.rules.site_url
        self._answers = PublicDataCache[Any](application)
        self._pages = PublicDataCache[SiteFile](application)

    def page(self, req: Request) -> tuple[SiteFile, HTTPStatus] | None:
        """Return a page and its status; None for one that does not depend on data."""
        path, wanted = req.path, ""
        named = _NAME.fullmatch(path)
        if path in _FIXED:
            make = _FIXED[path]
        elif path == _IMPACT:
            wanted = (req.get_param_as_list("period") or [""])[0]
            make = partial(fragments.impact, wanted=wanted)
        elif path in _LEGAL:
            wanted = (req.get_param_as_list("version") or [""])[0]
            make = partial(_legal, _LEGAL[path], wanted)
        elif named is not None:
            make = partial(_named, named[1], named[2])
        else:
            return None
        try:
            file = self._pages.get((path, wanted), arrival_of(req), lambda: self._made(path, make))
        except _Missing as missing:
            pages = self._branded.at(arrival_of(req))
            gone = pages.page("/404.html") if path in _LEGAL else self._missing(pages, missing.kind)
            return None if gone is None else (gone, HTTPStatus.NOT_FOUND)
        except Unavailable:
            return None  # the page as the build drew it is sent
        return file, HTTPStatus.OK

    def _made(self, path: str, make: Callable[[Visit], PageContent]) -> SiteFile:
        named = _NAME.fullmatch(path)
        addresses = [f"{path.rstrip('/')}/index.html", *([f"/{named[1]}.html"] if named else [])]
        # Nothing may be older than the state under which the page will be cached.
        begun = time.monotonic()
        pages = self._branded.at(begun)
        frames = [pages.frames[one] for one in addresses if one in pages.frames]
        visit = self.visit(begun, drawn=frames[0].drawn)
        content = make(visit)
        answers = {"/config": visit.ask("/config"), **content.answers}
        frame = frames[0] if content.is_drawn else frames[-1]
        version = content.version or (named[1] if named else path.strip("/"))
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

    def visit(self, begun: float, *, drawn: Mapping[str, Any] | None = None) -> Visit:
        """Return the inputs of a page; no API response is older than `begun`."""
        ask = partial(self._answer, begun)
        texts, scenes = self._branded.at(begun).texts, self._scenes
        now, drawn = self._context.now(), drawn or {}
        return Visit(
            texts, scenes, ask, now, self._context.zone, self._site, drawn, self._languages
        )

    def _answer(self, begun: float, path: str, query: str = "", **params: str) -> object:
        resource = self._resources[f"/api{path}"]
        asked = f"{query}&{CHOICE}={self._branded.at(begun).texts.language}"
        return self._answers.get(
            (path, query, *params.values()),
            begun,
            lambda: json.loads(resource.ask(asked, **params)),
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
