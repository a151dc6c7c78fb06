"""Finished English sentences, said in another language.

The code writes English and knows nothing of languages. A catalogue maps each English sentence
to its translation; where values stand in it, both have the same named slots: ``"At most {limit}
are allowed."``. A sentence is found by comparing it with these patterns, only when somebody asks
for another language than English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache, cached_property

from jara.domain.language import Language
from jara.domain.money import parse_cents
from jara.languages import read_text
from jara.languages.formats import Formats, formats_of

_SLOT = re.compile(r"\{([a-z_]+)\}")
_MONEY = re.compile(r"[-\u2212]?\$[0-9][0-9,]*(?:\.[0-9]{2})?", re.ASCII)
_DAY = re.compile(r"[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4}", re.ASCII)
_DEPTH_MAX = 4


class Sentences:
    """The catalogue of a language."""

    def __init__(self, texts: Mapping[str, str], formats: Formats) -> None:
        """Use texts by their English, and how the language writes values."""
        self._texts = texts
        self._formats = formats

    def say(self, english: str) -> str | None:
        """Return a sentence in the language; None if it is not in the catalogue."""
        return self._say(english, 0)

    def _say(self, english: str, depth: int) -> str | None:
        exact = self._texts.get(english)
        if exact is not None and not _SLOT.search(exact):
            return exact
        for pattern, text in self._patterns:
            found = pattern.fullmatch(english)
            if found is not None:
                slots = {name: self._value(said, depth) for name, said in found.groupdict().items()}
                return _SLOT.sub(lambda slot, by=slots: by[slot[1]], text)  # type: ignore[misc] # mypy: a default of a lambda
        return None

    def value(self, text: str) -> str:
        """Return an amount, a day or a known word in the language; any other text as it is."""
        return self._value(text, _DEPTH_MAX)

    def _value(self, text: str, depth: int) -> str:
        if _MONEY.fullmatch(text):
            return self._amount(text)
        if _DAY.fullmatch(text):
            return self._day(text)
        said = self._say(text, depth + 1) if depth < _DEPTH_MAX else self._texts.get(text)
        return text if said is None else said

    def _amount(self, text: str) -> str:
        is_whole = "." not in text
        cents = parse_cents(text.lstrip("-\u2212"))
        signed = -cents if text[0] in "-\u2212" else cents
        return self._formats.dollars(signed) if is_whole else self._formats.money(signed)

    def _day(self, text: str) -> str:
        day = _parse_day(text, "%d %B %Y")
        if day is not None:
            return self._formats.day(day)
        short = _parse_day(text, "%d %b %Y")
        return text if short is None else self._formats.short_day(short)

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """The sentences with slots; those with most words of their own come first."""
        with_slots = [english for english in self._texts if _SLOT.search(english)]
        with_slots.sort(key=lambda english: (-len(_SLOT.sub("", english)), english))
        return [(pattern_of(english), self._texts[english]) for english in with_slots]


def pattern_of(english: str) -> re.Pattern[str]:
    """Return what matches a sentence with any values in its slots."""
    parts = _SLOT.split(english)  # every second part is a name
    seen: set[str] = set()
    written = []
    for place, part in enumerate(parts):
        if place % 2 == 0:
            written.append(re.escape(part))
        elif part in seen:
            written.append(f"(?P={part})")
        else:
            seen.add(part)
            written.append(f"(?P<{part}>.+?)")
    return re.compile("".join(written), re.DOTALL)


@cache
def sentences_of(language: Language, catalogue: str) -> Sentences:
    """Return a catalogue of a language, such as ``errors``."""
    texts = json.loads(read_text(language, f"{catalogue}.json"))
    return Sentences(texts, formats_of(language))


def _parse_day(text: str, pattern: str) -> date | None:
    try:
        return datetime.strptime(text, pattern).date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None
