"""Writes records as JSON documents: ``amount_cents`` becomes ``amountCents``."""

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from json import dumps
from typing import Annotated, Any, NamedTuple, get_origin, get_type_hints

Document = dict[str, Any]
"""A JSON object: text keys in camelCase, and values that JSON has."""

InstantText = Callable[[datetime], object]


class Json(NamedTuple):
    """How a field or a property stands in documents: ``Annotated[date, Json("date")]``."""

    key: str = ""  # its JSON name; by default its own in camelCase
    after: str = ""  # for a property, the field or property that it follows; others are left out
    is_optional: bool = False  # whether it is left out when it is None
    is_hidden: bool = False  # whether it is never in a document
    write: Callable[[Any], object] | None = None  # returns its value in the document
    kind: object = None  # the type of what `write` returns


OPTIONAL = Json(is_optional=True)
HIDDEN = Json(is_hidden=True)


class Part(NamedTuple):
    """One key of a record's documents: its attribute, its name, its type, how it is written."""

    name: str
    key: str
    hint: Any
    json: Json


def to_document(
    record: object, *, omit: Container[str] = (), instant: InstantText = datetime.isoformat
) -> Document:
    """Return a record as a JSON object; its fields become the keys, in their order.

    Records inside it become objects, sequences lists, days ISO 8601, enumerations their values.

    Args:
        record: a NamedTuple or a dataclass.
        omit: names of fields to leave out, not of records inside it.
        instant: writes an instant; by default ISO 8601 with its offset.

    Raises:
        TypeError: it is not a record, or a value has no form in JSON.
    """
    document: Document = {}
    kind = type(record)
    for name, key, _, json in _PARTS.get(kind) or _PARTS.setdefault(kind, parts_of(kind)):
        if name in omit:
            continue
        value = getattr(record, name)
        if json.write is not None and value is not None:
            value = json.write(value)
        if value is not None or not json.is_optional:
            document[key] = to_json(value, instant=instant)
    return document


_DRIVES_TERMINAL = re.compile(
    "[\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f]"
)
"""Orders to a terminal, and signs that hide or reorder text, beside those that JSON escapes."""


def json_text(value: object, *, indent: int | None = None) -> str:
    """Write JSON that drives no terminal: letters as they are, control characters escaped.

    Reading it gives the same value.
    """
    text = dumps(value, ensure_ascii=False, indent=indent)
    return _DRIVES_TERMINAL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


_PARTS: dict[type, tuple[Part, ...]] = {}
"""The parts of each kind of record."""

_PLAIN = frozenset({str, int, float, bool, type(None)})
"""The types of most values; looking them up makes a document twice as fast."""


def camel(name: str) -> str:
    """Return the JSON name of a field: ``amount_cents`` is ``amountCents``."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def parts_of(kind: type[Any]) -> tuple[Part, ...]:
    """Return what the documents of a kind of record have, in order.

    Raises:
        TypeError: it is not a record.
    """
    names = getattr(kind, "_fields", None)
    if names is None and is_dataclass(kind):
        names = tuple(field.name for field in fields(kind))
    if names is None:
        message = f"{kind.__name__} is not a record"
        raise TypeError(message)
    hints = get_type_hints(kind, include_extras=True)
    parts = [part for name in names for part in _parts(name, hints[name])]
    for name, each in [item for base in kind.__mro__ for item in vars(base).items()]:
        if isinstance(each, property):
            [part] = _parts(name, get_type_hints(each.fget, include_extras=True).get("return"))
            if part.json.after:
                place = [one.name for one in parts].index(part.json.after) + 1
                parts.insert(place, part)
    return tuple(part for part in parts if not part.json.is_hidden)


def _parts(name: str, hint: Any) -> list[Part]:  # noqa: ANN401 - a type
    marks = hint.__metadata__ if get_origin(hint) is Annotated else ()
    jsons = [mark for mark in marks if isinstance(mark, Json)] or [Json()]
    return [Part(name, json.key or camel(name), json.kind or hint, json) for json in jsons]


def to_json(value: object, *, instant: InstantText = datetime.isoformat) -> object:
    """Return a value as JSON has it: a record as an object, a sequence as a list.

    Raises:
        TypeError: it has no form in JSON.
    """
    if type(value) in _PLAIN:
        return value
    match value:
        case Enum():
            return value.value
        case None | str() | int() | float():
            return value
        case datetime():
            return instant(value)
        case date():
            return value.isoformat()
        case Mapping():
            return {
                to_json(key, instant=instant): to_json(one, instant=instant)
                for key, one in value.items()
            }
        case tuple() | list() if not hasattr(value, "_fields"):
            return [to_json(one, instant=instant) for one in value]
        case _:
            return to_document(value, instant=instant)
