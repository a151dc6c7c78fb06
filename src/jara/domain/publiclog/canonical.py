"""Canonical JSON: each value has exactly one encoding, so it can be hashed.

A strict subset of RFC 8785: UTF-8, snake_case ASCII keys in sorted order, no
white space, strings in NFC without U+0000 and lone surrogates, integers below 2^53 in
size, booleans, arrays and objects. No floats, no null, at most 20 levels of nesting.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import ClassVar

from jara.domain.errors import InvalidInput

INTEGER_MAX = 2**53 - 1
"""The largest integer that every JSON parser reads exactly (RFC 8785 §3.2.2.3)."""

DEPTH_MAX = 20
"""Maximum nesting of arrays and objects."""

_KEY = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_ENCODER = json.JSONEncoder(
    ensure_ascii=False,
    check_circular=False,  # the depth limit catches cycles
    allow_nan=False,
    sort_keys=True,
    separators=(",", ":"),
)


class NotCanonical(InvalidInput):
    """A value or its bytes are not canonical JSON."""

    code: ClassVar[str] = "not_canonical"


def encode(value: object) -> bytes:
    """Return the canonical bytes of a value.

    Raises:
        NotCanonical: the value contains something that canonical JSON cannot encode.
    """
    _check_shape(value, 0)
    text = _ENCODER.encode(value)
    # A fast path: nearly every leaf is plain ASCII.
    if not text.isascii() or "\\u0000" in text:
        for string in _strings(value):
            _check_string(string)
    return text.encode("utf-8")


def decode(data: bytes) -> object:
    """Decode canonical bytes; reject bytes that would be encoded differently.

    Raises:
        NotCanonical: the bytes are not JSON, or not the canonical encoding of their value.
    """
    try:
        value: object = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NotCanonical(f"These bytes are not JSON in UTF-8: {error}.") from None
    if encode(value) != data:
        raise NotCanonical(
            "These bytes are JSON, but not canonical: keys must be sorted and unique, "
            "without white space or needless escapes."
        )
    return value


def _check_shape(value: object, depth: int) -> None:
    """Reject types, sizes and keys that canonical JSON does not allow."""
    if type(value) is int:
        if not -INTEGER_MAX <= value <= INTEGER_MAX:
            raise NotCanonical(f"{value} is beyond 2^53, where JSON readers lose digits.")
    elif isinstance(value, (list, tuple)):
        _check_items(value, depth)
    elif isinstance(value, dict):
        for key in value:
            if not _is_key(key):
                raise NotCanonical(f"{key!r} is not a key; keys are ASCII snake_case.")
        _check_items(value.values(), depth)
    elif not isinstance(value, (bool, str)):
        raise NotCanonical(f"{value!r} is not a canonical JSON value.")


def _check_items(items: Iterable[object], depth: int) -> None:
    if depth >= DEPTH_MAX:
        raise NotCanonical(f"The value is nested deeper than {DEPTH_MAX} levels.")
    for item in items:
        if type(item) is str:  # strings are checked in the encoded text
            continue
        if type(item) is int and -INTEGER_MAX <= item <= INTEGER_MAX:
            continue
        if type(item) is list:
            _check_items(item, depth + 1)
        else:
            _check_shape(item, depth + 1)


@lru_cache(maxsize=256)
def _is_key(key: object) -> bool:
    return isinstance(key, str) and _KEY.fullmatch(key) is not None


def _strings(value: object) -> Iterator[str]:
    """Yield every string of a value except its keys, which are ASCII already."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _strings(item)


def _check_string(text: str) -> None:
    if "\0" in text:
        raise NotCanonical(f"{text!r} contains U+0000.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise NotCanonical(f"{text!r} contains a lone surrogate.")
    if not unicodedata.is_normalized("NFC", text):
        raise NotCanonical(f"{text!r} is not in Unicode's normal form C.")
