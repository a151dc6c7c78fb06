"""The language of a page: chosen in the address or before, else the browser's."""

from __future__ import annotations

from collections.abc import Collection

from jara.domain.language import ENGLISH
from jara_webapi.calls.framework import Request, Response

CHOICE = "lang"
"""The query parameter that chooses a language, and the cookie that keeps the choice."""

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


def preferred_language(header: str, available: Collection[str]) -> str:
    """Return the available language that the header (RFC 9110 §12.5.4) weighs most.

    A region counts as its language; of two with the same weight the first wins; a weight that
    cannot be read is no wish.
    """
    best, best_weight = str(ENGLISH), 0.0
    for wish in header.split(","):
        tag, _, weight = wish.partition(";")
        code = tag.strip().lower().partition("-")[0]
        weighed = _weight(weight)
        if code in available and weighed > best_weight:
            best, best_weight = code, weighed
    return best


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


def _asked(req: Request) -> str:
    return next(iter(req.get_param_as_list(CHOICE) or []), "")


def _weight(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if name.strip().lower() == "q" and 0 <= weight <= 1 else 0.0
