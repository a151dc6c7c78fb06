"""What an error says to people who read another language than English."""

from __future__ import annotations

from collections.abc import Mapping

from jara.domain.language import Language

CATALOGUE = "errors"


def translate_error(
    language: Language, status: int, message: str, fields: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """Return an error's message and its fields' messages in a language.

    What has no translation, such as an error for programs, is said in general words for its
    status: half a sentence of each language helps nobody.
    """
    from jara.languages.sentences import sentences_of  # noqa: PLC0415 - Babel is slow to load

    sentences = sentences_of(language, CATALOGUE)
    general = sentences.say(f"status {status}") or sentences.say("status 500") or message
    said = {name: sentences.say(text) or general for name, text in fields.items()}
    whole = sentences.say(message)
    if whole is None and said:
        # Forms join the messages of their fields, bodies name each field before its own.
        is_named = message.startswith(tuple(f"{name}: " for name in fields))
        parts = (f"{name}\u202f: {text}" if is_named else text for name, text in said.items())
        whole = " ".join(parts)
    return whole or general, said
