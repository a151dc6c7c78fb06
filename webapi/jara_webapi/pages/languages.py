"""The language of a page: chosen in the address or before, else the browser's."""

from __future__ import annotations

from collections.abc import Collection

from jara.domain.language import ENGLISH
from jara_webapi.calls.framework import Request, Response
from jara_webapi.calls.languages import CHOICE, preferred_language

VARY = "Accept-Encoding, Accept-Language, Cookie"
"""The headers on which a page depends."""

_YEAR = 365 * 24 * 60 * 60


def choose_language(req: Request, available: Collection[str]) -> str:
    """Return the language of the answer: by address, cookie, Accept-Language, else English."""
    asked = _asked(req)
    if asked in available:
        return asked
    kept = next(iter(req.get_cookie_values(CHOICE) or []), "")
    if kept in available:
        return kept
    return preferred_language(req.get_header("Accept-Language") or "", available)


def keep_choice(req: Request, resp: Response, language: str, *, secure: bool) -> None:
    """Set the cookie if the address chose the language of the answer."""
    if _asked(req) == language:
        resp.set_cookie(
            CHOICE,
            language,
            max_age=_YEAR,
            path="/",
            same_site="Lax",
            secure=secure,
        )


def share_image(language: str) -> str:
    """Return the path of the site's preview image in a language."""
    return "/share.png" if language == ENGLISH else f"/share-{language}.png"


def _asked(req: Request) -> str:
    return next(iter(req.get_param_as_list(CHOICE) or []), "")
