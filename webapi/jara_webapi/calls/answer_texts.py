"""Translates the messages of successful calls into the reader's language."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from jara.domain.language import ENGLISH, Language
from jara_webapi.calls.framework import Request, Response
from jara_webapi.calls.languages import VARY, language_of

CATALOGUE = "answers"


def say(language: Language, english: str) -> str:
    """Return a sentence in a language; one that has no translation stays English."""
    if language == ENGLISH:
        return english
    from jara.languages.sentences import sentences_of  # noqa: PLC0415 - Babel is slow to load

    return sentences_of(language, CATALOGUE).say(english) or english


def translate_message(req: Request, resp: Response, answer: Any) -> Any:  # noqa: ANN401 - a model
    """Return an answer with its message in the reader's language."""
    message = getattr(answer, "message", None)
    if not isinstance(answer, BaseModel) or not isinstance(message, str):
        return answer
    language = language_of(req)
    note_language(resp, language)
    said = say(language, message)
    return answer if said == message else answer.model_copy(update={"message": said})


def note_language(resp: Response, language: Language) -> None:
    """Tell clients and caches the language of an answer, and what it depends on."""
    resp.set_header("Content-Language", language)
    resp.append_header("Vary", VARY)
