"""The keys of content documents: what each holds, and how its value is checked.

A document is what people read and edit in files (contract, 'Files'): camelCase keys,
whole cents, days as ``YYYY-MM-DD``. Normalising twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from jara.domain.errors import InvalidInput

Document = dict[str, Any]


class Form(StrEnum):
    """What the value of a key is."""

    TEXT = "text"
    HTML = "html"
    DAY = "day"
    CENTS = "cents"
    COUNT = "count"
    FLAG = "flag"
    TEXTS = "texts"
    ITEMS = "items"


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a document.

    Args:
        name: the key.
        form: what its value is.
        required: whether it must be there.
        fields: for ITEMS, the keys of each item.
        choices: for TEXT, the words that are allowed; empty allows any.
    """

    name: str
    form: Form = Form.TEXT
    required: bool = False
    fields: tuple[Field, ...] = ()
    choices: tuple[str, ...] = ()


def normalise(what: str, fields: Iterable[Field], document: Mapping[str, Any]) -> Document:
    """Return a document with its keys in order, empty ones left out, each value checked.

    Args:
        what: names the item in messages, such as ``project 'wells'``.
        fields: the keys it may have.
        document: what somebody wrote.

    Raises:
        InvalidInput: a key is unknown or missing, or its value is of another form.
    """
    known = {field.name: field for field in fields}
    for key in document:
        if key not in known:
            raise InvalidInput(
                f"The {what} has the key '{key}', which nothing reads; the keys are "
                f"{', '.join(known)}."
            )
    result: Document = {}
    for name, field in known.items():
        value = document.get(name)
        if value is None:
            if field.required:
                raise InvalidInput(f"The {what} has no '{name}'; it needs one.")
            continue
        result[name] = _CHECKS[field.form](f"'{name}' of the {what}", field, value)
    return result


def arrange(fields: Iterable[Field], document: Mapping[str, Any]) -> Document:
    """Return a document with its keys in the order in which people read them."""
    return {
        field.name: [arrange(field.fields, part) for part in document[field.name]]
        if field.form is Form.ITEMS
        else document[field.name]
        for field in fields
        if field.name in document
    }


def parse_value(field: Field, text: str) -> object:
    """Read a value that was typed on the command line, by the form of its key.

    Raises:
        InvalidInput: the text is no such value, or the key holds a list.
    """
    if field.form in {Form.CENTS, Form.COUNT}:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX):
            raise InvalidInput(f"'{field.name}' is '{text}'; it must be a whole number.")
        return int(text)
    if field.form is Form.FLAG:
        if text not in {"true", "false"}:
            raise InvalidInput(f"'{field.name}' is '{text}'; write true or false.")
        return text == "true"
    if field.form in {Form.TEXTS, Form.ITEMS}:
        raise InvalidInput(f"'{field.name}' is a list; edit it in a file and import that.")
    return text or None


_DIGITS_MAX = 15


def _check_text(where: str, field: Field, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{where} is {value!r}; it must be a text, perhaps in quotes.")
    if field.choices and value not in field.choices:
        raise InvalidInput(f"{where} is '{value}'; it must be one of {', '.join(field.choices)}.")
    return value


def _check_day(where: str, _field: Field, value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()[:10]
    try:
        return date.fromisoformat(value if isinstance(value, str) else "").isoformat()
    except ValueError:
        raise InvalidInput(f"{where} is {value!r}; write a day like 2026-11-30.") from None


def _check_number(where: str, _field: Field, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 10**_DIGITS_MAX:
        raise InvalidInput(f"{where} is {value!r}; it must be a whole number.")
    return value


def _check_flag(where: str, _field: Field, value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"{where} is {value!r}; it must be true or false.")
    return value


def _check_texts(where: str, field: Field, value: object) -> list[str]:
    if not isinstance(value, list):
        raise InvalidInput(f"{where} is {value!r}; it must be a list of texts.")
    return [_check_text(where, field, part) for part in value]


def _check_items(where: str, field: Field, value: object) -> list[Document]:
    if not isinstance(value, list) or not all(isinstance(part, Mapping) for part in value):
        raise InvalidInput(f"{where} must be a list of items with keys.")
    return [
        normalise(f"item {place} in {where}", field.fields, part)
        for place, part in enumerate(value, start=1)
    ]


_CHECKS: dict[Form, Callable[[str, Field, object], Any]] = {
    Form.TEXT: _check_text,
    Form.HTML: _check_text,
    Form.DAY: _check_day,
    Form.CENTS: _check_number,
    Form.COUNT: _check_number,
    Form.FLAG: _check_flag,
    Form.TEXTS: _check_texts,
    Form.ITEMS: _check_items,
}
