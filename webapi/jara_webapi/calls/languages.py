"""The language of an answer: the site's own choice, else the browser's."""

from __future__ import annotations

from collections.abc import Collection

from jara.domain.language import ENGLISH, Language
from jara.languages import translated_languages
from jara_webapi.calls.framework import Request

CHOICE = "lang"
"""The query parameter that chooses a language of the site, and the cookie that stores it."""

VARY = "Accept-Language, Cookie"
"""The headers on which the language of a call depends."""


def language_of(req: Request) -> Language:
    """Return the language of a call's messages; English if there are no texts."""
    return Language(choose_language(req, (ENGLISH, *translated_languages())))


def choose_language(req: Request, available: Collection[str]) -> str:
    """Return the language of an answer: by address, cookie, Accept-Language, else English."""
    kept = next(iter(req.get_cookie_values(CHOICE) or []), "")
    for chosen in (asked_language(req), kept):
        if chosen in available:
            return chosen
    return preferred_language(req.get_header("Accept-Language") or "", available)


def asked_language(req: Request) -> str:
    """Return the language parameter of the address, unchecked; empty if there is none."""
    return next(iter(req.get_param_as_list(CHOICE) or []), "")


def preferred_language(header: str, available: Collection[str]) -> str:
    """Return the available language with the highest weight in the header (RFC 9110 §12.5.4).

    A region counts as its language. The first of two with the same weight wins. A language
    with an unreadable weight is ignored.
    """
    best, best_weight = str(ENGLISH), 0.0
    for wish in header.split(","):
        tag, _, weight = wish.partition(";")
        code = tag.strip().lower().partition("-")[0]
        weighed = _weight(weight)
        if code in available and weighed > best_weight:
            best, best_weight = code, weighed
    return best


def _weight(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if name.strip().lower() == "q" and 0 <= weight <= 1 else 0.0
