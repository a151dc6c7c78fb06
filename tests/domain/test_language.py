"""A language is a code; the texts define which languages are available."""

from __future__ import annotations

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, parse_language


@pytest.mark.parametrize("text", ["en", "fr", "swa"])
def test_a_code_of_small_letters_is_a_language(text: str) -> None:
    """A language without texts is accepted too."""
    assert parse_language(text) == text


@pytest.mark.parametrize("text", ["", "f", "FR", "fr-CA", "fr\n", "../x", "français", "french"])
def test_anything_else_is_refused(text: str) -> None:
    """A language code becomes part of file names, so only lower-case letters are valid."""
    with pytest.raises(InvalidInput, match="not a code such as en or fr"):
        parse_language(text)


def test_english_is_a_language() -> None:
    """The default language passes the same check."""
    assert parse_language("en") == ENGLISH
