"""English texts that other languages can be made from: they keep their template and values.

A `Text` is the finished English sentence. A catalogue of a language finds the translation by its
template, and writes its values as that language does. A plain string without values is its own
template; as a value it is a name or whatever else people typed, and stays as it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Self


class Text(str):
    """A finished English text, with the template and the values that it was made from."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, str | int]

    def __new__(
        cls, english: str, template: str = "", values: Mapping[str, str | int] | None = None
    ) -> Self:
        """Keep a finished text with its template; without values, the template is a key."""
        made = str.__new__(cls, english)
        made.template, made.values = template or english, values or {}
        return made


class Value(Text):
    """An amount, a day or a number in English, with what a language writes it from."""

    __slots__ = ("args", "kind")

    kind: str  # the method of `jara.languages.formats.Formats` that writes it
    args: tuple[object, ...]  # its arguments


def tr(template: str, /, **values: str | int) -> Text:
    """Fill a template: ``tr("At most {limit} are allowed.", limit=5)``.

    Whole numbers are counts, with grouping. Other values are texts, and plain strings that stay
    as they are in every language.
    """
    shown = {n: f"{v:,}" if isinstance(v, int) else v for n, v in values.items()}
    return Text(template.format(**shown) if values else template, template, values)


def value(english: str, kind: str, *args: object) -> Value:
    """Return a value as English writes it, and how other languages write it."""
    made = Value(english)
    made.kind, made.args = kind, args
    return made


def as_written(name: str) -> Text:
    """Return a name that stands where otherwise a text is translated."""
    return tr("{name}", name=name)


def joined(parts: Iterable[str], separator: str) -> str:
    """Join parts with a separator, which may differ in other languages."""
    template = f"{{begun}}{separator}{{part}}"
    return reduce(lambda begun, part: tr(template, begun=begun, part=part), parts)


def listing(parts: Sequence[str]) -> str:
    """Join parts with commas and "and": ``a, b and c``."""
    *head, last = parts or [""]
    return joined([joined(head, ", "), last], " and ") if head else last


def count_of(number: int, one: str, many: str | None = None) -> Text:
    """Return a number with its noun: ``1 gift``, ``1,200 gifts``, ``2 entries``.

    `one` is the singular noun, with any words after it; `many` the same in the plural, by default
    the singular with an ``s``.
    """
    return tr(f"{{count}} {one if number == 1 else many or f'{one}s'}", count=number)
