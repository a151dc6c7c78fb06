"""The language of a page: what it depends on, and how a choice is stored."""

from __future__ import annotations

from jara.domain.language import ENGLISH
from jara_webapi.calls.languages import CHOICE, asked_language
from jara_webapi.calls.requests import Request, Response

VARY = "Accept-Encoding, Accept-Language, Cookie"
"""The headers on which a page depends."""

_YEAR = 365 * 24 * 60 * 60


def keep_choice(req: Request, resp: Response, language: str, *, secure: bool) -> None:
    """Set the cookie if the address chose the language of the answer."""
    if asked_language(req) == language:
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
