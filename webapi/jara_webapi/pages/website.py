"""Serves the built website: its files and pages from memory, and the uploaded media.

All files are read once, before the server forks. The path of a request never becomes a
path on disk.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable, Iterable
from html import escape
from http import HTTPStatus
from pathlib import Path

import falcon

from jara.bootstrap import Application
from jara.domain.errors import JaraError
from jara.files.preview_image import PreviewPainter
from jara.services.notices.unsubscribing import unsubscribe
from jara_webapi.calls.framework import Request, Response
from jara_webapi.middleware.response_cache import arrival_of
from jara_webapi.middleware.security_headers import PAGE_POLICY, policy_with
from jara_webapi.pages.embeds import Embeds
from jara_webapi.pages.looks import DEFAULT_NAME, Looks
from jara_webapi.pages.page_fragments import SHARE_IMAGE
from jara_webapi.pages.page_rendering import Built, PageRenderer
from jara_webapi.pages.previews import Previews, ShareImage
from jara_webapi.pages.scenes import Scenes
from jara_webapi.pages.sending import FRESH, IMMUTABLE, SHORT, send_file
from jara_webapi.pages.site_files import (
    MESSAGES,
    SCENES,
    SITE_SLOT,
    SiteFile,
    filled,
    read_files,
    read_note,
    style_hashes,
    with_data,
    with_sandbox_notice,
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
    "/terms",
    "/privacy",
    "/reset-password",
    "/confirm-address",
    "/undo-change",
    "/stop-pledge",
    "/newsletter/confirm",
    "/newsletter/unsubscribe",
    "/my-impact",
    "/check-vote",
    SANDBOX_PAGE,
)
"""The pages of spec §2, and the others."""

_ONE_BELOW = re.compile(r"/(project|proposal)s/[^/]+")
_ASSETS = "/assets/"
_MEDIA_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A drawing that is opened by itself runs no script either."""
_MEDIA_NAME = re.compile(r"([0-9a-f]{64})\.(jpg|jpeg|png|webp|pdf|avif|svg)", re.ASCII)


class Website:
    """Falcon sink: whatever is not a call of the API is a file or a page."""

    def __init__(self, folder: Path) -> None:
        """Read the files of a folder."""
        self._files = read_files(folder)
        self._messages, self._scenes = read_note(folder, MESSAGES), read_note(folder, SCENES)
        pages = (file for address, file in self._files.items() if address.endswith(".html"))
        self._policy = policy_with(style_hashes(pages))
        self._pages = set(PAGES)
        self._live: PageRenderer | None = None
        self._looks: Looks | None = None
        self._share: ShareImage | None = None
        self._routes: tuple[tuple[str, object], ...] = ()

    def open(self, application: Application, routes: Iterable[tuple[str, object]]) -> None:
        """Serve an organisation: its address in every page, and its data."""
        site = escape(application.context.rules.site_url).encode()
        settings = application.settings
        if settings.payment_mode.is_sandbox and settings.public_sandbox:
            self._files |= {
                address: with_data(file, with_sandbox_notice(file.data))
                for address, file in self._files.items()
                if address.endswith(".html")
            }
        if self._messages is not None:
            pages = {
                address: file.data.replace(SITE_SLOT, site)
                for address, file in self._files.items()
                if address.endswith(".html")
            }
            self._looks = Looks(application, pages, Texts(self._messages))
            built = Built(self._looks, Scenes(self._scenes))
            self._live = PageRenderer(application, built, dict(routes))
            painter = PreviewPainter(
                {address: file.data for address, file in self._files.items()}, settings.media_dir
            )
            self._share = ShareImage(self._live, painter)
            self._routes = (
                ("/embed/{kind}/{name}", Embeds(application, self._live)),
                ("/previews/{kind}/{name}.png", Previews(self._live, painter)),
            )
        self._files = {address: filled(file, site) for address, file in self._files.items()}

    @property
    def routes(self) -> Iterable[tuple[str, object]]:
        """Return what is made of data beside the pages: cards for other sites, preview images."""
        return self._routes

    def remove_page(self, page: str) -> None:
        """Remove a page; its address is then unknown."""
        self._pages.discard(page)

    @classmethod
    def find(cls) -> Website | None:
        """Return the website that was built, in the package or in a checkout."""
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
            send_file(req, resp, file, IMMUTABLE if req.path.startswith(_ASSETS) else SHORT)
            return
        if req.path.startswith(_ASSETS):
            raise falcon.HTTPNotFound
        live = None if self._live is None else self._live.page(req)
        page, resp.status = live or self._page(req)
        req.context[PAGE_POLICY] = self._policy
        send_file(req, resp, page, FRESH)

    def _own_share_image(self, req: Request) -> SiteFile | None:
        """Return the image with the organisation's own name; None if it has none."""
        if req.path != SHARE_IMAGE or self._looks is None or self._share is None:
            return None
        look = self._looks.at(arrival_of(req))
        return None if look.identity.name == DEFAULT_NAME else self._share.of(look)

    def _page(self, req: Request) -> tuple[SiteFile, HTTPStatus]:
        path, drawn = req.path, self._drawn(req)
        named = _ONE_BELOW.fullmatch(path)
        if named is None and path not in self._pages:
            return drawn("/404.html") or self._files["/index.html"], HTTPStatus.NOT_FOUND
        places = [f"{path}.html", f"{path.rstrip('/')}/index.html"]
        # The frame of a project or a proposal, or the empty page; neither shows the home page.
        places += ["/shell.html" if named is None else f"/{named[1]}.html"]
        page = next((file for one in places if (file := drawn(one))), None)
        return page or self._files["/index.html"], HTTPStatus.OK

    def _drawn(self, req: Request) -> Callable[[str], SiteFile | None]:
        """Return what finds a page of the build, with the organisation's name in it."""
        if self._looks is None:
            return self._files.get
        try:
            return self._looks.at(arrival_of(req)).page
        except JaraError:  # pages without data are sent while the database is away
            return self._looks.default.page


class OneClickUnsubscribe:
    """The unsubscribe link of emails: a page for people, one POST for programs (RFC 8058)."""

    def __init__(self, application: Application, website: Website | None) -> None:
        """Work for an application and its website."""
        self._context = application.context
        self._website = website

    def on_get(self, req: Request, resp: Response) -> None:
        """Show the page."""
        if self._website is None:
            raise falcon.HTTPNotFound
        self._website(req, resp)

    def on_post(self, req: Request, resp: Response) -> None:
        """Unsubscribe the address in the code."""
        unsubscribe(self._context, req.get_param("code") or "")
        resp.data, resp.content_type = b"You are unsubscribed.\n", falcon.MEDIA_TEXT


class Media:
    """Photos and documents that operators added, named by the hash of their content."""

    def __init__(self, application: Application) -> None:
        """Work with an application's media folder."""
        self._folder = application.settings.media_dir

    def on_get(self, req: Request, resp: Response, name: str) -> None:
        """Return one."""
        match = _MEDIA_NAME.fullmatch(name)
        path = self._folder / name
        if match is None or not path.is_file():
            raise falcon.HTTPNotFound
        if req.method != "HEAD":
            resp.stream = path.open("rb")
        resp.content_length = path.stat().st_size
        req.context[PAGE_POLICY] = _MEDIA_POLICY
        resp.content_type = mimetypes.types_map.get(f".{match[2]}", "application/octet-stream")
        resp.set_header("Content-Disposition", f'inline; filename="{name}"')
        resp.set_header("Cache-Control", IMMUTABLE)
