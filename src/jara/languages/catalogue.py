"""A language's catalogue of the texts that the code writes in English.

It maps each English template to its translation; both have the same named slots for values:
``"At most {limit} are allowed."``. A translation that depends on the number in ``{count}`` is an
object by plural category; words that agree with another value follow its name:
``{paid} {paid:a été payé|ont été payés}``.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache

from jara.domain.language import Language
from jara.domain.texts import Text, Value
from jara.languages import read_text
from jara.languages.formats import Formats, formats_of

SLOT = re.compile(r"\{([a-z_]+)(?::([^|}]*)\|([^}]*))?\}")
"""A slot for a value, or for the words that agree with it."""


class Catalogue:
    """The texts of one part of the product, such as ``errors``, in one language."""

    def __init__(self, texts: Mapping[str, str | Mapping[str, str]], formats: Formats) -> None:
        self._texts = texts
        self._formats = formats

    def say(self, english: str) -> str | None:
        """Return a text in the language; None if it is not in the catalogue."""
        if isinstance(english, Value):
            return self._write_value(english)
        key, values = (
            (english.template, english.values) if isinstance(english, Text) else (english, {})
        )
        own = self._texts.get(key)
        return None if own is None else self._fill(own, values)

    def write(self, english: str) -> str:
        """Return a text in the language, or in English with the values of the language."""
        own = self.say(english)
        if own is not None or not isinstance(english, Text):
            return own or english
        return self._fill(english.template, english.values)

    def _fill(self, own: str | Mapping[str, str], values: Mapping[str, str | int]) -> str:
        if not isinstance(own, str):
            own = own[self._formats.plural(int(values["count"]))]

        def fill(slot: re.Match[str]) -> str:
            value = values[slot[1]]
            return self._show(value) if slot[2] is None else self._agree(value, slot[2], slot[3])

        return SLOT.sub(fill, own) if values else own

    def _show(self, value: str | int) -> str:
        if isinstance(value, int):
            return self._formats.number(value)
        return self.write(value) if isinstance(value, Text) else value

    def _agree(self, value: str | int, one: str, other: str) -> str:
        if isinstance(value, int):
            return self._formats.agree(value, one, other)
        return self._formats.agree(Decimal(abs(_cents_of(value))) / 100, one, other)

    def _write_value(self, value: Value) -> str:
        written: str = getattr(self._formats, value.kind)(*value.args)
        return written


def _cents_of(amount: str) -> int:
    if not isinstance(amount, Value) or not isinstance(amount.args[0], int):
        raise TypeError(f"words agree with counts and amounts, not with '{amount}'")
    return amount.args[0]


@cache
def catalogue_of(language: Language, part: str) -> Catalogue:
    """Return a catalogue of a language, such as ``errors``."""
    return Catalogue(json.loads(read_text(language, f"{part}.json")), formats_of(language))
