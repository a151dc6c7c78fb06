"""Texts that an organisation without cards shows say nothing of cards, in any language."""

import json
import re

import pytest

from jara.domain.language import ENGLISH
from jara.languages import translated_languages
from tests.languages.catalogues import catalogues

CARDS = re.compile(r"\b(?:cards?|cartes?|stripe)\b", re.IGNORECASE)


def _speaking(language: str) -> set[str]:
    return {
        f"{file.name} {key}"
        for file in catalogues(language).glob("*.json")
        for key, text in json.loads(file.read_text("utf-8")).items()
        if CARDS.search(text)
    }


@pytest.mark.parametrize("language", translated_languages())
def test_a_text_speaks_of_cards_in_each_language_or_in_none(language: str) -> None:
    """The website's test finds them in English where no card is taken, and so in the others."""
    assert _speaking(language) == _speaking(ENGLISH)
