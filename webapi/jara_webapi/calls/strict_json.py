"""Parses JSON strictly: refuses anything that two parsers could read differently.

These are duplicate keys, NaN and Infinity, integers beyond 2^53, lone surrogates, U+0000,
unbounded nesting, and anything that is not UTF-8. Pydantic checks the fields afterwards.
"""

import json
import math
from collections.abc import Iterator
from typing import Any, NoReturn

from jara.domain.errors import JaraError

BODY_BYTES_MAX = 64 * 1024
DEPTH_MAX = 20
INTEGER_MAX = 2**53
_DIGITS_MAX = 17


class MalformedJson(JaraError):
    """The text is not JSON that we accept."""

    code = "invalid_json"


def read_json(raw: bytes) -> Any:  # noqa: ANN401 - JSON may be anything
    """Parse a text.

    Raises:
        MalformedJson: it is not JSON, or is ambiguous.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise MalformedJson("The body is not UTF-8 text.") from None
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_number,
            parse_constant=_refuse_constant,
        )
    except RecursionError:
        raise MalformedJson(
            "The JSON is nested more than {depth} levels deep.", depth=DEPTH_MAX
        ) from None
    except json.JSONDecodeError as error:
        raise MalformedJson(
            "The body is not valid JSON (line {line}, column {column}).",
            line=str(error.lineno),
            column=str(error.colno),
        ) from None
    _check(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise MalformedJson("The JSON has a duplicate key.")
    return document


def _integer(digits: str) -> int:
    # Length first: parsing a number of a hundred thousand digits is slow.
    if len(digits) > _DIGITS_MAX or abs(int(digits)) > INTEGER_MAX:
        raise MalformedJson("The JSON has an integer beyond 2^53.")
    return int(digits)


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise MalformedJson("The JSON has a number that is too large.")
    return number


def _refuse_constant(word: str) -> NoReturn:
    raise MalformedJson("The JSON holds {word}, which is not a number.", word=word)


def _check(value: object) -> None:
    level: list[object] = [value]
    for _ in range(DEPTH_MAX + 1):
        if not level:
            return
        level = [child for parent in level for child in _children(parent)]
    raise MalformedJson("The JSON is nested more than {depth} levels deep.", depth=DEPTH_MAX)


def _children(value: object) -> Iterator[object]:
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, dict):
        for key in value:
            _check_text(key)
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _check_text(text: str) -> None:
    if "\0" in text:
        raise MalformedJson("The JSON holds the character U+0000.")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise MalformedJson("The JSON contains a lone surrogate.")
