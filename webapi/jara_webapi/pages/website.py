"""Serves the built website: its files and pages from memory.

All files are read once, before the server forks. The path of a request never becomes a
path on disk.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from http import HTTPStatus
from pathlib import Path

import falcon

from jara.bootstrap import Application
from jara.domain.currency import written_for
from jara.domain.errors import JaraError
from jara.domain.language import ENGLISH
from jara.domain.organisation import DEFAULT_NAME
from jara.files.preview_program import PaintingProgram
from jara.services.notices.choices import unsubscribe
from jara_webapi.calls.languages import choice_in, page_language, region_of
from jara_webapi.calls.operations import Resource
from jara_webapi.calls.requests import Request, Response
from jara_webapi.calls.scenes import Scenes
from jara_webapi.middleware.response_cache import arrival_of
from jara_webapi.middleware.security_headers import FIELD_PAGE, PAGE_POLICY, policy_with
from jara_webapi.pages.branding import AppManifest, BrandedSite, Favicon
from jara_webapi.pages.cards import Embeds, Previews, ShareImage
from jara_webapi.pages.drawings import NOTE, Squares
from jara_webapi.pages.drawn_images import DrawnImages
from jara_webapi.pages.page_rendering import BuildOutput, PageRenderer, kind_of_page
from jara_webapi.pages.site_files import (
    ASSETS,
    FRESH,
    MESSAGES,
    SCENES,
    VARY,
    OwnAddress,
    SiteFile,
    SiteFiles,
    caching_of,
    filled,
    keep_choice,
    pages_of,
    read_files,
    read_languages,
    read_note,
    send_file,
    share_image,
    style_hashes,
    with_data,
    with_notice,
)
from jara_webapi.pages.templates import Texts

SANDBOX_PAGE = "/sandbox/billing"
"""With live payments there is no such page."""

PAGES = (
    "/",
    "/login",
    "/join",
    "/dashboard",
    "/team",
    "/ledger",
    "/donations",
    "/projects",
    "/grants",
    "/why-jara-exists",
    "/how-jara-works",
    "/proposals",
    "/payment-success",
    "/donate",
    "/share",
    "/faqs",
    "/impact",
    "/follow",
    "/terms",
    "/privacy",
    "/accessibility",
    "/reset-password",
    "/confirm-address",
    "/agree-address",
    "/undo-change",
    "/stop-pledge",
    "/newsletter/confirm",
    "/newsletter/unsubscribe",
    "/partners/confirm",
    "/emails",
    "/my-impact",
    "/check-vote",
    FIELD_PAGE,
    "/desk",
    SANDBOX_PAGE,
)
"""The pages of spec §2, and the others."""

_UNTOLD = Texts(
    {
        "plain": {
            "trial": "This is a trial.",
            "trial.text": "Payments are simulated: no card is charged, and no project receives "
            "money.",
        }
    }
)
"""The texts that even a build without texts must show."""

_ICON = "/icon-192.png"
_YEAR = re.compile(r"/my-impact/20[0-9]{2}", re.ASCII)
"""A member's year, which is rendered in the browser."""


class Website:
    """Falcon sink: whatever is not a call of the API is a file or a page."""

    def __init__(self, folder: Path) -> None:
        self._files = read_files(folder)
        languages = read_languages(folder)
        self._editions = pages_of(self._files, languages)
        self._texts = {
            language: Texts(messages, language=language)
            for language in languages
            if (messages := read_note(folder / _below(language), MESSAGES)) is not None
        }
        self.scenes = Scenes(read_note(folder, SCENES))
        self._squares = Squares(read_note(folder, NOTE))
        self._policy = policy_with(style_hashes(self._drawn_pages()))
        self._pages = set(PAGES)
        self._live: Mapping[str, PageRenderer] = {}
        self._branded: Mapping[str, BrandedSite] = {}
        self._share: ShareImage | None = None
        self._secure, self._site = False, ""
        self._routes: tuple[tuple[str, object], ...] = ()

    def open(self, application: Application, routes: Iterable[tuple[str, Resource]]) -> None:
        """Serve an organisation: its address in every page, and its data."""
        site_url = application.context.rules.site_url
        language = application.context.rules.language
        english = choice_in(ENGLISH, language).encode()
        own, self._site = OwnAddress(escape(site_url).encode(), english), site_url
        self._texts = {one: texts.on_site_in(language) for one, texts in self._texts.items()}
        self._secure = site_url.startswith("https:")
        if application.settings.payment_mode.is_sandbox and application.settings.public_sandbox:
            self._editions = {
                language: self._noticed(language, pages)
                for language, pages in self._editions.items()
            }
        if self._texts:
            self._open_live(application, own, dict(routes))
        self._files = _all_filled(self._files, own)
        self._editions = {
            language: _all_filled(pages, own) for language, pages in self._editions.items()
        }

    def _open_live(
        self, application: Application, own: OwnAddress, resources: Mapping[str, Resource]
    ) -> None:
        """Create what depends on data: the pages of each language, cards, preview images."""
        scenes, languages = self.scenes, tuple(self._texts)
        self._branded = {
            language: BrandedSite(application, _with_site(self._editions[language], own), texts)
            for language, texts in self._texts.items()
        }
        self._live = {
            language: PageRenderer(
                application, BuildOutput(branded, scenes, languages, self._squares), resources
            )
            for language, branded in self._branded.items()
        }
        drawn = {address: file.data for address, file in self._files.items()}
        program = PaintingProgram(drawn, application.settings.media_dir)
        images = DrawnImages(program, application.settings.previews_dir, application.drawing_turns)
        self._share = ShareImage(self._live[ENGLISH], images)
        self._routes = (
            ("/manifest.webmanifest", AppManifest(self._branded)),
            ("/embed/{kind}/{name}", Embeds(application, self._live)),
            *(("/favicon.ico", Favicon(self._branded[ENGLISH], icon)) for icon in self._icons()),
            (
                "/previews/{kind}/{name}.png",
                Previews(application, self._live, images, self._squares),
            ),
        )

    def _icons(self) -> Iterable[SiteFile]:
        return (self._files[name] for name in (_ICON,) if name in self._files)

    def _drawn_pages(self) -> Iterable[SiteFile]:
        return (file for pages in self._editions.values() for file in pages.values())

    def _noticed(self, language: str, pages: SiteFiles) -> SiteFiles:
        notice = self._texts.get(language, _UNTOLD).render("notice.html").encode()
        return {
            address: with_data(file, with_notice(file.data, notice))
            for address, file in pages.items()
        }

    @property
    def routes(self) -> Iterable[tuple[str, object]]:
        """Return the routes that depend on data, beside the pages: cards, preview images."""
        return self._routes

    def remove_page(self, page: str) -> None:
        """Remove a page; its address is then unknown."""
        self._pages.discard(page)

    @classmethod
    def find(cls) -> "Website | None":
        """Return the built website of the package or of a checkout."""
        package = Path(__file__).parent.parent
        for folder in (package / "webui", package.parent.parent / "webui" / "dist"):
            if (folder / "index.html").is_file():
                return cls(folder)
        return None

    def __call__(self, req: Request, resp: Response, **_groups: object) -> None:
        """Answer with a file, a page, or the page for unknown addresses."""
        if req.method not in {"GET", "HEAD"}:
            raise falcon.HTTPMethodNotAllowed(["GET", "HEAD"])
        file = self._own_share_image(req) or self._files.get(req.path)
        if file is not None and not req.path.endswith(".html"):
            send_file(req, resp, file, caching_of(req.path))
            return
        if req.path.startswith(ASSETS):
            raise falcon.HTTPNotFound
        language = page_language(req, self._editions)
        with written_for(region_of(req)):
            live = self._live[language].page(req) if language in self._live else None
            page, resp.status = live or self._page(req, language)
        if language in self._texts:
            page = self._squares.shared(req, page, self._texts[language], self._site)
        req.context[PAGE_POLICY] = self._policy
        resp.set_header("Content-Language", language)
        keep_choice(req, resp, language, secure=self._secure)
        send_file(req, resp, page, FRESH, VARY)

    def _own_share_image(self, req: Request) -> SiteFile | None:
        """Return the image with the organisation's own name; None if it has none."""
        if self._share is None or req.path not in map(share_image, self._editions):
            return None
        pages = self._branded[ENGLISH].at(arrival_of(req))
        return None if pages.identity.name == DEFAULT_NAME else self._share.of(pages)

    def _page(self, req: Request, language: str) -> tuple[SiteFile, HTTPStatus]:
        path, drawn, pages = req.path, self._drawn(req, language), self._editions[language]
        kind = kind_of_page(path)
        if kind is None and path not in self._pages and _YEAR.fullmatch(path) is None:
            return drawn("/404.html") or pages["/index.html"], HTTPStatus.NOT_FOUND
        places = [f"{path}.html", f"{path.rstrip('/')}/index.html"]
        # The frame of a project, a proposal or an entry, or the empty page; none is the home page.
        places += ["/shell.html" if kind is None else f"/{kind}.html"]
        page = next((file for one in places if (file := drawn(one))), None)
        return page or pages["/index.html"], HTTPStatus.OK

    def _drawn(self, req: Request, language: str) -> Callable[[str], SiteFile | None]:
        """Return the function that finds a page of the build with the organisation's name."""
        branded = self._branded.get(language)
        if branded is None:
            return self._editions[language].get
        try:
            return branded.at(arrival_of(req)).page
        except JaraError:  # pages without data are sent while the database is down
            return branded.default.page


def _below(language: str) -> str:
    """Return the folder of a language in the build; English is at the top."""
    return "" if language == ENGLISH else language


def _with_site(pages: SiteFiles, own: OwnAddress) -> dict[str, bytes]:
    return {address: own.fill(file.data) for address, file in pages.items()}


def _all_filled(files: SiteFiles, own: OwnAddress) -> SiteFiles:
    return {address: filled(file, own) for address, file in files.items()}


class OneClickUnsubscribe:
    """The unsubscribe link of emails: a page for people, one POST for programs (RFC 8058)."""

    def __init__(self, application: Application, website: Website | None) -> None:
        self._context = application.context
        self._website = website

    def on_get(self, req: Request, resp: Response) -> None:
        """Show the page."""
        if self._website is None:
            raise falcon.HTTPNotFound
        self._website(req, resp)

    on_head = on_get

    def on_post(self, req: Request, resp: Response) -> None:
        """Unsubscribe the address in the code."""
        unsubscribe(self._context, req.get_param("code") or "")
        resp.data, resp.content_type = b"You are unsubscribed.\n", falcon.MEDIA_TEXT
