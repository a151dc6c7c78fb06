"""The language of an answer, and its messages in that language."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import BaseModel

from jara.domain.language import ENGLISH, Language
from jara.languages import known_languages, writer_of
from jara_webapi.calls.requests import Request, Response

CHOICE = "lang"
"""The query parameter that chooses a language of the site, and the cookie that stores it."""

VARY = "Accept-Language"
"""The header on which the language of a call depends."""

ANSWERS, ERRORS = "answers", "errors"
"""The catalogues of messages."""


_REGION = re.compile(r"-([A-Za-z]{2})\b", re.ASCII)


def language_of(req: Request) -> Language:
    """Return the language of a call's answer: by address, Accept-Language, else the site's.

    A page asks in its own language, whatever the cookie says by then: another tab may have
    chosen another language.
    """
    available = known_languages()
    asked = asked_language(req)
    wanted = req.get_header("Accept-Language") or ""
    return Language(
        asked if asked in available else preferred_language(wanted, available, req.site_language)
    )


def page_language(req: Request, available: Collection[str]) -> str:
    """Return the language of a page: by address, cookie, Accept-Language, else the site's."""
    cookie = next(iter(req.get_cookie_values(CHOICE) or []), "")
    for chosen in (asked_language(req), cookie):
        if chosen in available:
            return chosen
    wanted = req.get_header("Accept-Language") or ""
    own = req.site_language if req.site_language in available else ENGLISH
    return preferred_language(wanted, available, own)


def region_of(req: Request) -> str:
    """Return the country of a reader's browser, by its code: the first that Accept-Language names.

    Empty if it names none.
    """
    region = _REGION.search(req.get_header("Accept-Language") or "")
    return region[1].upper() if region else ""


def asked_language(req: Request) -> str:
    """Return the language parameter of the address, unchecked; empty if there is none."""
    return next(iter(req.get_param_as_list(CHOICE) or []), "")


def choice_in(language: str, own: str) -> str:
    """Return the query that chooses a language in an address.

    English needs none where it is the site's own, and search engines know those addresses.
    """
    return "" if language == own == ENGLISH else f"?{CHOICE}={language}"


def preferred_language(header: str, available: Collection[str], otherwise: str) -> str:
    """Return the available language with the highest weight in the header (RFC 9110 §12.5.4).

    A region counts as its language. The first of two with the same weight wins. A language
    with an unreadable weight is ignored. The header may name no available language.
    """
    best, best_weight = otherwise, 0.0
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


def say(language: Language, english: str) -> str:
    """Return a text in a language; one that has no translation stays English."""
    return writer_of(language, ANSWERS)(english)


def translate_message(req: Request, resp: Response, answer: Any) -> Any:  # noqa: ANN401 - a model
    """Return an answer with its message in the reader's language."""
    message = getattr(answer, "message", None)
    if not isinstance(answer, BaseModel) or not isinstance(message, str):
        return answer
    language = language_of(req)
    note_language(resp, language)
    translated = say(language, message)
    if translated == message:
        return answer
    return answer.model_copy(update={"message": translated})


def note_language(resp: Response, language: Language) -> None:
    """Tell clients and caches the language of an answer, and what it depends on."""
    resp.set_header("Content-Language", language)
    resp.append_header("Vary", VARY)


def translate_error(
    language: Language, status: int, message: str, fields: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """Return an error's message and its fields' messages in a language other than English.

    An error without a translation, such as one for programs, becomes the general sentence of
    its status: a half-translated sentence helps nobody.
    """
    from jara.languages.catalogue import catalogue_of  # noqa: PLC0415 - Babel is slow to load

    say = catalogue_of(language, ERRORS).say
    general = say(f"status {status}") or say("status 500") or message
    translated = {name: say(text) or general for name, text in fields.items()}
    whole = say(message)
    if whole is None and translated:
        # Forms join the messages of their fields, bodies name each field before its own.
        is_named = message.startswith(tuple(f"{name}: " for name in fields))
        parts = (f"{name}\u202f: {text}" if is_named else text for name, text in translated.items())
        whole = " ".join(parts)
    return whole or general, translated
