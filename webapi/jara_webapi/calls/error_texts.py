"""Translates error messages into the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from jara.domain.language import Language

CATALOGUE = "errors"
LENGTH_MAX = 400
"""Longer sentences repeat client input; matching them with patterns may take seconds."""


def translate_error(
    language: Language, status: int, message: str, fields: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """Return an error's message and its fields' messages in a language.

    An error without a translation, such as one for programs, becomes the general sentence of
    its status: a half-translated sentence helps nobody.
    """
    from jara.languages.sentences import sentences_of  # noqa: PLC0415 - Babel is slow to load

    sentences = sentences_of(language, CATALOGUE)

    def say(english: str) -> str | None:
        return sentences.say(english) if len(english) <= LENGTH_MAX else None

    general = say(f"status {status}") or say("status 500") or message
    said = {name: say(text) or general for name, text in fields.items()}
    whole = say(message)
    if whole is None and said:
        # Forms join the messages of their fields, bodies name each field before its own.
        is_named = message.startswith(tuple(f"{name}: " for name in fields))
        parts = (f"{name}\u202f: {text}" if is_named else text for name, text in said.items())
        whole = " ".join(parts)
    return whole or general, said
