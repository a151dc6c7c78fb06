"""Writes records as JSON documents: ``amount_cents`` becomes ``amountCents``."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any

Document = dict[str, Any]
"""A JSON object: text keys in camelCase, and values that JSON has."""

InstantText = Callable[[datetime], object]


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
    kind = type(record)
    if kind not in _KEYS:
        _KEYS[kind] = _keys(kind)
    return {
        key: to_json(getattr(record, name), instant=instant)
        for name, key in _KEYS[kind]
        if name not in omit
    }


_KEYS: dict[type, tuple[tuple[str, str], ...]] = {}
"""The fields of each kind of record, with their JSON names."""

_PLAIN = frozenset({str, int, float, bool, type(None)})
"""The types of most values; looking them up makes a document twice as fast."""


def camel(name: str) -> str:
    """Return the JSON name of a field: ``amount_cents`` is ``amountCents``."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _keys(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    names = getattr(kind, "_fields", None)
    if names is None and is_dataclass(kind):
        names = tuple(field.name for field in fields(kind))
    if names is None:
        message = f"{kind.__name__} is not a record"
        raise TypeError(message)
    return tuple((name, camel(name)) for name in names)


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
