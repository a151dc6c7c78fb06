"""Canonical JSON: one value, one sequence of bytes."""

from __future__ import annotations

import unicodedata
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.publiclog.canonical import DEPTH_MAX, INTEGER_MAX, NotCanonical, decode, encode

keys = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)
strings = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8
).map(lambda text: unicodedata.normalize("NFC", text))
values = st.recursive(
    strings | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
)


def nested(levels: int) -> object:
    """Return nested lists."""
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def test_keys_are_sorted_and_nothing_is_escaped_without_need() -> None:
    """The bytes are those of RFC 8785."""
    value = {"b": [True, -1, '\u20ac\n\x01"\\/\x7f'], "a_1": {}}

    assert '{"a_1":{},"b":[true,-1,"\u20ac\\n\\u0001\\"\\\\/\x7f"]}'.encode() == encode(value)


def test_words_of_an_enumeration_are_written_as_text() -> None:
    """An enumeration member is encoded as its text without conversion."""

    class Word(StrEnum):
        UP = "up"

    assert encode((Word.UP, "up")) == b'["up","up"]'
    assert encode(Word.UP) == b'"up"'


@given(values)
def test_what_is_written_is_read_back(value: object) -> None:
    """Law: decoding the encoded bytes gives the value, and its encoding is unique."""
    assert decode(encode(value)) == value
    assert encode(value) == encode(decode(encode(value)))


@given(st.binary(max_size=40))
def test_bytes_are_refused_or_are_the_values_own(data: bytes) -> None:
    """Law: accepted bytes encode to the same bytes again."""
    try:
        value = decode(data)
    except NotCanonical:
        return

    assert encode(value) == data


@pytest.mark.parametrize(
    "value",
    [
        None,
        1.0,
        float("nan"),
        b"bytes",
        {1},
        [None],
        {"a": 0.5},
        INTEGER_MAX + 1,
        -INTEGER_MAX - 1,
        "\0",
        ["e\u0301"],
        {"a": "\ud800"},
        {"A": 1},
        {"": 1},
        {"1a": 1},
        {"\u00e9": 1},
        {"a-b": 1},
        {1: 1},
        nested(DEPTH_MAX + 1),
    ],
)
def test_what_has_no_canonical_bytes_is_refused(value: object) -> None:
    """Floats, null, large integers, unusual keys and text in two spellings are refused."""
    with pytest.raises(NotCanonical):
        encode(value)


def test_the_limits_themselves_are_allowed() -> None:
    """The largest integers, the deepest nesting and an escaped backslash u0000 are canonical."""
    assert encode([INTEGER_MAX, -INTEGER_MAX]) == b"[9007199254740991,-9007199254740991]"
    assert encode(nested(DEPTH_MAX)) == b"[" * DEPTH_MAX + b"1" + b"]" * DEPTH_MAX
    assert decode(encode([r"\u0000", 1, {"a": True}])) == [r"\u0000", 1, {"a": True}]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b"\xef\xbb\xbf1",
        '{"a":1}'.encode("utf-16"),
        b' {"a":1}',
        b'{"a": 1}',
        b'{"b":1,"a":1}',
        b'{"a":1,"a":1}',
        b'{"a":1,"a":2}',
        b"1.0",
        b"1e2",
        b"-0",
        b"01",
        b"NaN",
        b"null",
        b'"\\u0041"',
        b'"\\/"',
        b'"\\u0000"',
        b'"\\ud800"',
        b'"e\xcc\x81"',
        b"9" * 5000,
        b"[" * 9999 + b"]" * 9999,
    ],
)
def test_other_spellings_are_refused(data: bytes) -> None:
    """Valid JSON that is not canonical is refused."""
    with pytest.raises(NotCanonical):
        decode(data)
