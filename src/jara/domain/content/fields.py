"""The fields of content documents, and how a document is checked against them.

A document is what people read and edit in YAML files: camelCase keys, whole cents, days
as ``YYYY-MM-DD``. Checking a document twice changes nothing.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from jara.domain.books.account import account_type
from jara.domain.content.values import (
    HTML_MAX,
    TEXT_MAX,
    check_country_code,
    check_id,
    check_line,
    check_slug,
    check_text,
    check_url,
)
from jara.domain.errors import InvalidInput

Document = dict[str, Any]


class Form(StrEnum):
    """The type of a field's value."""

    LINE = "line"
    """One line of 1 to 200 characters."""
    TEXT = "text"
    """Text of any number of lines."""
    TEXTS = "texts"
    """A list of texts; one alone may stand without a list."""
    HTML = "html"
    """Sanitised HTML."""
    ID = "id"
    """Letters, digits, hyphens, underscores and dots; at most 100."""
    SLUG = "slug"
    URL = "url"
    """An https link or a path of the site."""
    URLS = "urls"
    COUNTRY = "country"
    """Two capital letters (ISO 3166)."""
    ACCOUNT = "account"
    """A ledger account."""
    DAY = "day"
    TIME = "time"
    """A time of day there, such as ``18:30``."""
    CENTS = "cents"
    COUNT = "count"
    NUMBER = "number"
    """A number with at most three decimals."""
    FLAG = "flag"
    ITEMS = "items"
    """A list of documents."""


LEFT_OUT = object()
"""Stands for a key that is missing."""


class Field(NamedTuple):
    """A field of a document."""

    name: str  # its key
    form: Form = Form.TEXT  # the type of its value
    required: bool = False  # whether every document has it; a required text is not empty
    choices: tuple[str, ...] = ()  # for TEXT, the allowed values; empty allows any
    minimum: int | None = None  # for CENTS and COUNT, the smallest value
    maximum: int | None = None  # for CENTS and COUNT, the largest value
    fields: "tuple[Field, ...]" = ()  # for ITEMS, the fields of each item
    verbatim: bool = False
    """Whether it is the same in every language: a name, a code or a reference."""
    empty: object = LEFT_OUT
    """What readers get where a document has no value; by default the key is left out."""

    @property
    def is_translatable(self) -> bool:
        """Whether it holds words of a language."""
        return self.form in _WORDS and not self.choices and not self.verbatim


MEDIA_PATH = "/media/"
"""Where the website serves the photos and documents that operators add."""

_WORDS = frozenset({Form.LINE, Form.TEXT, Form.TEXTS, Form.HTML})


def normalise(what: str, fields: Iterable[Field], document: Mapping[str, Any]) -> Document:
    """Return a document with its keys in order, empty ones left out, each value checked.

    `what` names the item in messages, such as ``project 'wells'``.

    Raises:
        InvalidInput: a key is unknown or missing, or its value breaks a rule.
    """
    known = {field.name: field for field in fields}
    for key in document:
        if key not in known:
            raise InvalidInput(
                f"The {what} has the unknown key '{key}'; the keys are {', '.join(known)}."
            )
    missing = [name for name, field in known.items() if field.required and _lacks(document, name)]
    if missing:
        raise InvalidInput(
            f"The {what} has no {' and no '.join(map(repr, missing))}; it needs "
            f"{'one' if len(missing) == 1 else 'them'}."
        )
    return {
        name: _CHECKS[field.form](f"'{name}' of the {what}", field, document[name])
        for name, field in known.items()
        if not _lacks(document, name)
    }


def _lacks(document: Mapping[str, Any], name: str) -> bool:
    return document.get(name) is None


def describe_keys(fields: Iterable[Field], *, derived: Collection[str] = ()) -> str:
    """Return the keys that a document may have: ``title*, status* (Planning or Complete)``.

    An asterisk marks those that it needs; those that are derived it need not have.
    """
    return ", ".join(
        f"{field.name}{'*' if field.required and field.name not in derived else ''}"
        + (f" ({' or '.join(field.choices)})" if field.choices else "")
        + (f" (each: {describe_keys(field.fields)})" if field.fields else "")
        for field in fields
    )


def arrange(fields: Iterable[Field], document: Mapping[str, Any]) -> Document:
    """Return a document with its keys in the order of its kind's fields."""
    return {
        field.name: [arrange(field.fields, part) for part in document[field.name]]
        if field.form is Form.ITEMS
        else document[field.name]
        for field in fields
        if field.name in document
    }


def with_empty(fields: Iterable[Field], document: Mapping[str, Any]) -> Document:
    """Return a document with the ``empty`` values of the keys that it lacks, and all it has."""
    lacking = (field for field in fields if field.empty is not LEFT_OUT)
    return {**document, **{one.name: one.empty for one in lacking if one.name not in document}}


def fill(fields: Iterable[Field], document: Mapping[str, Any]) -> Document:
    """Return a checked document with each key that has an ``empty`` value.

    A list of one text is that text. Filling a document twice changes nothing.
    """
    values = {field.name: _filled(field, document.get(field.name, field.empty)) for field in fields}
    return {name: value for name, value in values.items() if value is not LEFT_OUT}


def _filled(field: Field, value: Any) -> Any:  # noqa: ANN401 - a value of a document
    value = field.empty if value is None or value == "" else value
    if value is LEFT_OUT or isinstance(value, str):
        return value
    if field.form is Form.ITEMS:
        return [fill(field.fields, part) for part in value]
    if field.form is Form.TEXTS:
        return value[0] if len(value) == 1 else list(value)
    return value


def parse_value(field: Field, text: str) -> object:
    """Parse a value from the command line.

    Raises:
        InvalidInput: the text is not such a value, or the field is a list.
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
    if field.form in {Form.URLS, Form.TEXTS, Form.ITEMS}:
        raise InvalidInput(f"'{field.name}' is a list; edit it in a file and import that.")
    return text or None


def parse_number(what: str, text: str) -> int | float:
    """Parse a number with at most three decimals: ``120``, ``-2.5``.

    Raises:
        InvalidInput: it is none.
    """
    if _NUMBER.fullmatch(text) is None:
        raise InvalidInput(
            f"{what} is '{text[:40]}'; write a number with at most {_DECIMALS} decimals, such as "
            "120 or 2.5."
        )
    return float(text) if "." in text else int(text)


_DIGITS_MAX = 15
_NUMBER_MAX = 10**12
_DECIMALS = 3
_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,3})?", re.ASCII)
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)
NUMBER = _NUMBER.pattern
"""A number with at most three decimals, as it is written."""


def _check_string(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{where} is {value!r}; it must be a text, perhaps in quotes.")
    return value


def _check_text(where: str, field: Field, value: object) -> str:
    text = _check_string(where, value)
    if field.choices:
        known = {choice.casefold(): choice for choice in field.choices}
        chosen = known.get(text.strip().casefold())
        if chosen is None:
            raise InvalidInput(
                f"{where} is '{text}'; it must be one of {', '.join(field.choices)}."
            )
        return chosen
    length_max = HTML_MAX if field.form is Form.HTML else TEXT_MAX
    check_text(where, text, required=field.required, length_max=length_max)
    return text


def _by(check: Callable[[str, str], None]) -> Callable[[str, Field, object], str]:
    """Return a field check that applies a rule of the domain to a text."""

    def checked(where: str, _field: Field, value: object) -> str:
        text = _check_string(where, value)
        check(where, text)
        return text

    return checked


def _naming(check: Callable[[str], object]) -> Callable[[str, str], None]:
    """Return a check that adds the value's place to the error message."""

    def named(where: str, text: str) -> None:
        try:
            check(text)
        except InvalidInput as error:
            raise InvalidInput(f"{where}: {error.message}") from error

    return named


def _check_day(where: str, _field: Field, value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()[:10]
    try:
        return date.fromisoformat(value if isinstance(value, str) else "").isoformat()
    except ValueError:
        raise InvalidInput(f"{where} is {value!r}; write a day like 2026-11-30.") from None


def _check_time(where: str, _field: Field, value: object) -> str:
    # YAML reads 18:30 without quotes as a number of minutes.
    text = f"{value // 60:02}:{value % 60:02}" if type(value) is int else value
    if not isinstance(text, str) or _TIME.fullmatch(text) is None:
        raise InvalidInput(f"{where} is {value!r}; write a time like 18:30.")
    return text


def _check_number(where: str, field: Field, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 10**_DIGITS_MAX:
        raise InvalidInput(f"{where} is {value!r}; it must be a whole number.")
    if field.minimum is not None and value < field.minimum:
        raise InvalidInput(f"{where} is {value}; it must be at least {field.minimum}.")
    if field.maximum is not None and value > field.maximum:
        raise InvalidInput(f"{where} is {value}; it must be at most {field.maximum}.")
    return value


def _check_decimal(where: str, _field: Field, value: object) -> int | float:
    if isinstance(value, str):  # files hold decimals as text
        value = parse_number(where, value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{where} is {value!r}; it must be a number.")
    if not abs(value) < _NUMBER_MAX or round(value, _DECIMALS) != value:
        raise InvalidInput(
            f"{where} is {value}; it must be a number with at most {_DECIMALS} decimals, below "
            f"{_NUMBER_MAX}."
        )
    return int(value) if value == int(value) else value


def _check_flag(where: str, _field: Field, value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"{where} is {value!r}; it must be true or false.")
    return value


def _check_urls(where: str, field: Field, value: object) -> list[str]:
    if not isinstance(value, list):
        raise InvalidInput(f"{where} is {value!r}; it must be a list of texts.")
    return [_check_url(where, field, part) for part in value]


def _check_texts(where: str, field: Field, value: object) -> list[str]:
    texts = value if isinstance(value, list) else [value]
    return [_check_text(where, field._replace(required=True), text) for text in texts]


def _check_items(where: str, field: Field, value: object) -> list[Document]:
    if not isinstance(value, list) or not all(isinstance(part, Mapping) for part in value):
        raise InvalidInput(f"{where} must be a list of items with keys.")
    return [
        normalise(f"item {place} in {where}", field.fields, part)
        for place, part in enumerate(value, start=1)
    ]


_check_url = _by(check_url)
_CHECKS: dict[Form, Callable[[str, Field, object], Any]] = {
    Form.LINE: _by(check_line),
    Form.TEXT: _check_text,
    Form.TEXTS: _check_texts,
    Form.HTML: _check_text,
    Form.ID: _by(_naming(check_id)),
    Form.SLUG: _by(_naming(check_slug)),
    Form.URL: _check_url,
    Form.URLS: _check_urls,
    Form.COUNTRY: _by(_naming(check_country_code)),
    Form.ACCOUNT: _by(_naming(account_type)),
    Form.DAY: _check_day,
    Form.TIME: _check_time,
    Form.CENTS: _check_number,
    Form.COUNT: _check_number,
    Form.NUMBER: _check_decimal,
    Form.FLAG: _check_flag,
    Form.ITEMS: _check_items,
}
