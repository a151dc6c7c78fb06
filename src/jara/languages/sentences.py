"""Translates finished English sentences.

The code writes only English. A catalogue maps each English sentence to its translation; both
have the same named slots for values: ``"At most {limit} are allowed."``. A translation that
depends on the number in ``{count}`` is an object by plural category; words that agree with
another value follow its name: ``{paid} {paid:a été payé|ont été payés}``. Sentences are matched
against these patterns only when a language other than English is requested.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache, cached_property

from jara.domain.language import Language
from jara.languages import read_text
from jara.languages.formats import Formats, currencies_by_name, formats_of
from jara.languages.values import AMOUNT, DAY, Values

Text = str | Mapping[str, str]

_SLOT = re.compile(r"\{([a-z_]+)\}")
_AGREEMENT = re.compile(r"\{([a-z_]+):([^|}]*)\|([^}]*)\}")
_NUMBER = "[0-9][0-9,]*"
_NOT_DIGITS = re.compile("[^0-9.]")
_DAY_OR_NUMBER = rf"{DAY}|[0-9]+(?:-[0-9]+)*"
_MONTH = "[A-Z][a-z]{2,8} [0-9]{4}"
_SHARE = "[0-9./]+%?"
_SHAPES = {
    "count": _NUMBER,
    "day": _DAY_OR_NUMBER,
    "dollars": AMOUNT,
    "done": _NUMBER,
    "first_month": _MONTH,
    "first": _DAY_OR_NUMBER,
    "last": _DAY_OR_NUMBER,
    "last_month": _MONTH,
    "mark": "[0-9]+%",
    "payments": f"{_NUMBER} payments?",
    "share": _SHARE,
    "spent": _SHARE,
    "total": _NUMBER,
}
"""The patterns of slots where any text would make the sentence match too much."""
_AS_WRITTEN = frozenset(
    {"contact", "email", "key", "member", "name", "note", "organisation", "root", "text", "title"}
)
"""Slots with text that people wrote; it is not translated."""
_LISTS = {
    # Only what ends with an amount is an item; a comma may be inside an amount.
    "list": re.compile(r"(?<=[0-9])(?:, (?![0-9])| and (?=(?:[^,]|,(?=[0-9]))*$))"),
    "parts": re.compile("; "),
}
"""The separators between the items of a slot."""
_DEPTH_MAX = 4
_SAMPLE = "(sample)"
"""The end of the titles of sample content."""


class Sentences:
    """The catalogue of a language."""

    def __init__(self, texts: Mapping[str, Text], formats: Formats) -> None:
        self._texts = texts
        self._formats = formats
        self._values = Values(formats)

    def say(self, english: str) -> str | None:
        """Return a sentence in the language; None if it is not in the catalogue."""
        return self._say(english, 0)

    def write(self, text: str) -> str:
        """Return a sentence, a value or a known word in the language; any other text as it is."""
        return self._write(text, 0).replace(_SAMPLE, str(self._texts.get(_SAMPLE, _SAMPLE)))

    def write_bare(self, text: str) -> str:
        """Return an amount with a bare dollar sign, where there is no room to say whose."""
        return self._values.write(text, bare=True) or self.write(text)

    def _say(self, english: str, depth: int) -> str | None:
        exact = self._texts.get(english)
        if isinstance(exact, str) and not _SLOT.search(english):
            return exact
        for pattern, text in self._patterns:
            match = pattern.fullmatch(english)
            if match is not None:
                return self._fill(text, match.groupdict(), depth + 1)
        return None

    def _fill(self, text: Text, slots: Mapping[str, str], depth: int) -> str:
        if not isinstance(text, str):
            text = text[self._formats.plural(int(slots["count"].replace(",", "")))]
        text = _AGREEMENT.sub(lambda words: self._agree(slots[words[1]], *words.group(2, 3)), text)
        return _SLOT.sub(lambda slot: self._slot(slot[1], slots[slot[1]], depth), text)

    def _agree(self, value: str, one: str, other: str) -> str:
        return self._formats.agree(Decimal(_NOT_DIGITS.sub("", value)), one, other)

    def _slot(self, name: str, value: str, depth: int) -> str:
        if name in _AS_WRITTEN:
            return value
        if name == "currency":
            return self._values.currency(value) or value
        if name in _LISTS:
            items = [self._write(item, depth) for item in _LISTS[name].split(value)]
            return self._formats.listing(items) if name == "list" else "\u202f; ".join(items)
        return self._write(value, depth)

    def _write(self, text: str, depth: int) -> str:
        value = self._values.write(text)
        if value is None and depth < _DEPTH_MAX:
            value = self._say(text, depth)
        if value is not None:
            return value
        what, _, last = text.rpartition(" ")
        amount = self._values.write(last) if what else None
        if amount is None:
            return text
        label = self._texts.get(what)
        return f"{label if isinstance(label, str) else what} {amount}"

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], Text]]:
        """The sentences with slots, those with the most literal text first."""
        with_slots = [english for english in self._texts if _SLOT.search(english)]
        with_slots.sort(key=lambda english: (-len(_SLOT.sub("", english)), english))
        return [(pattern_of(english), self._texts[english]) for english in with_slots]


def pattern_of(english: str) -> re.Pattern[str]:
    """Return the pattern that matches a sentence with values in its slots."""
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
            written.append(f"(?P<{part}>{_shape_of(part)})")
    return re.compile("".join(written), re.DOTALL)


def _shape_of(slot: str) -> str:
    if slot == "currency":
        return "|".join(map(re.escape, currencies_by_name()))
    return _SHAPES.get(slot, ".+?")


@cache
def sentences_of(language: Language, catalogue: str) -> Sentences:
    """Return a catalogue of a language, such as ``errors``."""
    texts = json.loads(read_text(language, f"{catalogue}.json"))
    return Sentences(texts, formats_of(language))
