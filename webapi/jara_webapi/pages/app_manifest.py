"""The manifest with which browsers install the site as an app (W3C Web Application Manifest)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from jara.domain.organisation import Logo
from jara_webapi.calls.languages import choose_language
from jara_webapi.calls.requests import Request, Response
from jara_webapi.middleware.response_cache import arrival_of
from jara_webapi.pages.languages import VARY
from jara_webapi.pages.looks import Look, Looks
from jara_webapi.pages.sending import FRESH, send_file
from jara_webapi.pages.site_files import page_file

_TYPE = "application/manifest+json; charset=utf-8"
_MARIGOLD, _COTTON = "#ffb61e", "#fffdf8"
"""The colours of the title bar and the splash screen, the same as in the site's styles."""

_ICONS = [
    {"src": "/icon-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any maskable"},
    {"src": "/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
    {"src": "/art/mark.svg", "sizes": "any", "type": "image/svg+xml"},
]


class AppManifest:
    """The manifest, with the organisation's own name, colour and logo, if it has them."""

    def __init__(self, looks: Mapping[str, Looks]) -> None:
        """Use the looks of the site by language."""
        self._looks = looks

    def on_get(self, req: Request, resp: Response) -> None:
        """Return it in the language of the page that links to it."""
        language = choose_language(req, self._looks)
        look = self._looks[language].at(arrival_of(req))
        file = look.keep("manifest", lambda: page_file(_manifest(look, language), _TYPE))
        send_file(req, resp, file, FRESH, VARY)


def _manifest(look: Look, language: str) -> bytes:
    identity = look.identity
    content = {
        "id": "/",
        "name": identity.name,
        "short_name": identity.name,
        "description": look.texts("home", "meta.title"),
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
