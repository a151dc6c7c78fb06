"""The pages and the app manifest with the organisation's own name, colour and logo.

The manifest is that with which browsers install the site as an app (W3C Web Application
Manifest).
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape

import falcon

from jara.bootstrap import Application
from jara.domain.currency import (
    DEFAULT_CURRENCY,
    home_sign,
    short_sign,
    symbol_of,
    use_currency,
    written_for,
)
from jara.domain.organisation import DEFAULT_NAME, Identity, Logo, shades_of
from jara.domain.time_zone import UTC_ZONE
from jara.services.organisation import identity_of
from jara_webapi.calls.languages import page_language
from jara_webapi.calls.requests import Request, Response
from jara_webapi.middleware.response_cache import PublicDataCache, arrival_of
from jara_webapi.pages.page_frames import Frame
from jara_webapi.pages.site_files import (
    FRESH,
    PLAIN_SLOT,
    SHORT,
    VARY,
    SiteFile,
    page_file,
    send_file,
)
from jara_webapi.pages.templates import Texts, genitive

_MARK = "/art/mark.svg"
_ICON = f'href="{_MARK}" type="image/svg+xml"'
_SMALLEST, _WIDE = 9, 1.6
_AMOUNT = re.compile(rb"\{\{(money|dollars):((?:-|\xe2\x88\x92)?[0-9]+)\}\}")
"""An amount in a page of the build, which knows no currency: ``{{money:1000}}``."""
_TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class BrandedPages:
    """The pages of one identity: split at their slots, or whole, created on first use."""

    identity: Identity
    texts: Texts
    frames: Mapping[str, Frame]
    _pages: Mapping[str, bytes]
    _whole: dict[str, SiteFile] = field(default_factory=dict)

    def page(self, address: str) -> SiteFile | None:
        """Return a page as the build drew it; None if there is none at this address."""
        if address not in self._pages:
            return None
        data = self._pages[address].replace(PLAIN_SLOT, b"")
        return self.keep(address, lambda: page_file(data, _TYPE, level=_SMALLEST))

    def keep(self, name: str, make: Callable[[], SiteFile]) -> SiteFile:
        """Return a cached page, or make it."""
        if name not in self._whole:
            self._whole[name] = make()
        return self._whole[name]


class BrandedSite:
    """The pages with the current identity."""

    def __init__(self, application: Application, pages: Mapping[str, bytes], texts: Texts) -> None:
        self._context = application.context
        self._pages = pages
        self._texts = texts
        self._cache = PublicDataCache[BrandedPages](application)
        self._newest = self._made(Identity(DEFAULT_NAME))
        self._at_home = self._newest

    def at(self, arrived: float) -> BrandedPages:
        """Return the pages that were valid at any moment since a request arrived.

        Readers of a country that pays with the books' currency have pages of their own.
        """
        with written_for(""):
            newest = self._cache.get("pages", arrived, self._now)
        return newest if home_sign() is None else self._home_of(newest)

    def _home_of(self, pages: BrandedPages) -> BrandedPages:
        if self._at_home.identity != pages.identity:
            self._at_home = self._made(pages.identity)
        return self._at_home

    @property
    def default(self) -> BrandedPages:
        """The newest known pages, without a database query."""
        return self._newest

    def _now(self) -> BrandedPages:
        identity = identity_of(self._context)
        if identity != self._newest.identity:
            self._newest = self._made(identity)
        return self._newest

    def _made(self, identity: Identity) -> BrandedPages:
        use_currency(identity.currency)
        texts = self._texts.named(identity.name)
        fill = _filler(identity, texts)
        pages = {address: fill(data) for address, data in self._pages.items()}
        frames = {address: Frame.of(data) for address, data in pages.items()}
        return BrandedPages(identity, texts, frames, pages)


def _filler(identity: Identity, texts: Texts) -> Callable[[bytes], bytes]:
    """Return the function that puts an identity into a page; the default shows it as drawn."""
    name = identity.name
    imprint = identity.letterhead.rstrip(".") if identity.has_own_words else ""
    statement = (
        texts("common", "footer.own", imprint=imprint)
        if imprint
        else texts("common", "footer.statement")
    )
    slots = {
        "{{organisation}}": _html(name),
        "{{organisations}}": _html(genitive(name)),
        # Like the scripts, which leave the default name in capitals.
        "{{ORGANISATION}}": _html(name.upper() if name == DEFAULT_NAME else name),
        "{{organisation_json}}": _json(name),
        "{{statement}}": _html(statement),
        "{{currency}}": texts.words.currency(),
        "{{unit}}": texts.words.unit(),
        "{{sign}}": short_sign(),
        "{{symbol}}": symbol_of(identity.currency),
        "{{identity}}": _attributes(identity, imprint),
    }
    if identity.logo is not None:
        # The icon's type is left out: browsers detect it from the file.
        slots |= {_ICON: f'href="{_html(identity.logo.path)}"', _MARK: identity.logo.path}

    words = texts.words
    amounts = {b"money": words.money, b"dollars": words.dollars}

    def amount(slot: re.Match[bytes]) -> bytes:
        cents = slot[2].decode().replace("\u2212", "-")
        return amounts[slot[1]](int(cents)).encode()

    def fill(data: bytes) -> bytes:
        for slot, text in slots.items():
            data = data.replace(slot.encode(), text.encode())
        return _AMOUNT.sub(amount, data)

    return fill


def _attributes(identity: Identity, imprint: str) -> str:
    """Return the attributes of <html> that scripts and styles read; none for the default."""
    values, styles = {}, []
    if identity.name != DEFAULT_NAME:
        values["data-name"] = identity.name
    if imprint:
        values["data-imprint"] = imprint
    if identity.currency != DEFAULT_CURRENCY:
        values["data-currency"] = identity.currency
    if home_sign() is not None:
        values["data-home-currency"] = ""
    if identity.time_zone != UTC_ZONE.name:
        values["data-time-zone"] = identity.time_zone
    if identity.logo is not None:
        ratio = identity.logo.width / identity.logo.height
        # A wide logo contains the name; a mark is shown beside the name.
        values["data-logo"] = "wide" if ratio > _WIDE else "mark"
        styles += [f"--logo:url({identity.logo.path})", f"--logo-ratio:{ratio:.3f}"]
    if identity.colour:
        shades = shades_of(identity.colour)
        styles += [
            f"--brand:{shades.light}",
            f"--brand-hover:{shades.light_hover}",
            f"--brand-dark:{shades.dark}",
            f"--brand-dark-hover:{shades.dark_hover}",
            "--brand-on:#ffffff",
        ]
    if styles:
        values["style"] = ";".join(styles)
    return "".join(f' {name}="{_html(text)}"' for name, text in values.items())


def _html(text: str) -> str:
    """Escape a text for a page; braces too, so that it cannot stand for a slot."""
    return escape(text).replace("{", "&#123;").replace("}", "&#125;")


def _json(text: str) -> str:
    """Escape a text for a JSON string in a page."""
    inside = json.dumps(text, ensure_ascii=False)[1:-1]
    for sign in "<{}":
        inside = inside.replace(sign, f"\\u{ord(sign):04x}")
    return inside


_MANIFEST = "application/manifest+json; charset=utf-8"
_MARIGOLD, _COTTON = "#ffb61e", "#fffdf8"
"""The colours of the title bar and the splash screen, the same as in the site's styles."""

_ICONS = [
    {"src": "/icon-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any maskable"},
    {"src": "/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
    {"src": "/art/mark.svg", "sizes": "any", "type": "image/svg+xml"},
]


class AppManifest:
    """The manifest, with the organisation's own name, colour and logo, if it has them."""

    def __init__(self, sites: Mapping[str, BrandedSite]) -> None:
        self._sites = sites

    def on_get(self, req: Request, resp: Response) -> None:
        """Return it in the language of the page that links to it."""
        language = page_language(req, self._sites)
        pages = self._sites[language].at(arrival_of(req))
        file = pages.keep("manifest", lambda: page_file(_manifest(pages, language), _MANIFEST))
        send_file(req, resp, file, FRESH, VARY)


class Favicon:
    """The icon that browsers and feed readers ask for by its old address."""

    def __init__(self, site: BrandedSite, icon: SiteFile) -> None:
        self._site = site
        self._icon = icon

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the site's icon, or lead to the organisation's own logo."""
        logo = self._site.at(arrival_of(req)).identity.logo
        if logo is not None:
            raise falcon.HTTPFound(logo.path)
        send_file(req, resp, self._icon, SHORT)


def _manifest(pages: BrandedPages, language: str) -> bytes:
    identity = pages.identity
    content = {
        "id": "/",
        "name": identity.name,
        "short_name": identity.name,
        "description": pages.texts("home", "meta.title"),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": identity.colour or _MARIGOLD,
        "background_color": _COTTON,
        "icons": _ICONS if identity.logo is None else [_icon_of(identity.logo)],
    }
    return json.dumps(content, ensure_ascii=False).encode()


def _icon_of(logo: Logo) -> dict[str, str]:
    if logo.is_png:
        sizes = f"{logo.width}x{logo.height}"
        return {"src": logo.path, "sizes": sizes, "type": "image/png"}
    return {"src": logo.path, "sizes": "any", "type": "image/svg+xml"}
