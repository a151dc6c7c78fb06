"""Languages other than English: one folder each, with all texts, including the website's."""

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from jara.domain.email_kinds import EmailKind
from jara.domain.errors import NotFound
from jara.domain.language import ENGLISH, Language

_FOLDER = files("jara.languages")
LOCALE_FILE = "locale.json"


@cache
def translated_languages() -> tuple[Language, ...]:
    """Return the languages that have a folder of texts; English is in the code itself."""
    names = (entry.name for entry in _FOLDER.iterdir() if (entry / LOCALE_FILE).is_file())
    return tuple(Language(name) for name in sorted(names))


def known_languages() -> tuple[Language, ...]:
    """Return every language of the site, English first."""
    return (ENGLISH, *translated_languages())


def available(language: str) -> Language:
    """Return the language if it has texts, otherwise English."""
    return next((one for one in translated_languages() if one == language), ENGLISH)


def require_available(language: str) -> Language:
    """Return a language that has texts.

    Raises:
        NotFound: it has none.
    """
    if language not in known_languages():
        codes = ", ".join(known_languages())
        raise NotFound(f"There are no texts in '{language}'; the languages are {codes}.")
    return Language(language)


def read_text(language: Language, name: str) -> str:
    """Return a file of a language's folder."""
    return (_FOLDER / language / name).read_text("utf-8")


def writer_of(language: Language, part: str) -> Callable[[str], str]:
    """Return what writes the texts of a part, such as ``answers``, in a language."""
    if language == ENGLISH:
        return str
    from jara.languages.catalogue import catalogue_of  # noqa: PLC0415 - Babel is slow to load

    return catalogue_of(language, part).write


def about(kind: EmailKind, language: Language) -> str:
    """Return what a kind of email is about, in a language that has texts."""
    return kind.about if language == ENGLISH else _abouts(language)[kind.name]


@cache
def _abouts(language: Language) -> dict[str, str]:
    texts: dict[str, str] = json.loads(read_text(language, "email_kinds.json"))
    return texts
