"""A live organisation without cards: no page, email or legal text speaks of cards."""

import re
from pathlib import Path

import pytest

from jara.domain.email_kinds import KINDS
from jara.domain.language import ENGLISH, Language
from jara.domain.legal.versions import LegalText
from jara.files.shipped import read_legal_texts
from jara.languages import translated_languages
from jara.mail.rendering import render, sample_values
from jara.payments.no_cards import no_cards
from jara.reports.legal_page import view_legal
from jara.services.context import Rules
from jara.services.legal.reading import show_legal
from tests.harness import make_organisation
from tests.mail.emails_for_tests import IDENTITY, SITE

LANGUAGES = (ENGLISH, *translated_languages())
CARDS = re.compile(r"\b(?:cards?|stripe|cartes?)\b", re.IGNORECASE)


def _said(text: str) -> list[str]:
    """Return the words around each word of cards."""
    return [text[max(0, one.start() - 40) : one.end() + 40] for one in CARDS.finditer(text)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", LegalText)
def test_the_legal_texts_say_nothing_of_cards(
    place: Path, text: LegalText, language: Language
) -> None:
    """With cards they do; without them, what is about them is left out, and the rest is whole."""
    context = make_organisation(place, rules=Rules(legal_texts=read_legal_texts))
    page = show_legal(context, text)
    with_cards = view_legal(page, language, "stripe").markdown
    without = view_legal(page, language, no_cards().name).markdown

    assert _said(with_cards)
    assert _said(without) == []
    assert "{%" not in without
    assert with_cards.count("\n## ") == without.count("\n## ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", sorted(name for name, one in KINDS.items() if not one.is_by_card))
def test_no_email_speaks_of_cards(kind: str, language: Language) -> None:
    """Those that only payers by card get are the only ones that do."""
    values = sample_values(kind, organisation="Jara", site_url=SITE)
    email = render(kind, {**values, "language": language, "way": "bank transfer"}, IDENTITY)

    assert _said(f"{email.subject}\n{email.text}") == []
