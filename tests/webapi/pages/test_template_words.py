"""Page templates contain no text; texts come from the catalogues of each language."""

import re
from pathlib import Path

import pytest

from jara_webapi.pages import templates

FOLDER = Path(templates.__file__).parent / "templates"
NOT_TEXT = (
    r"(?s)\{#.*?#\}",
    r"(?s)\{\{.*?\}\}",
    r"(?s)\{%.*?%\}",
    r"(?s)<(style|script)\b.*?</\1>",
)
SPOKEN = r'\b(?:alt|title|aria-label|placeholder)="([^"]*)"'


def texts_of(template: str) -> list[str]:
    """Return the visible or spoken text of a template without its values."""
    for pattern in NOT_TEXT:
        template = re.sub(pattern, " ", template)
    seen = [*re.findall(SPOKEN, template), *re.split(r"<[^>]*>", template)]
    return [text.strip() for text in seen if re.search(r"[^\W\d_]{2}", text)]


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_no_text_stands_in_a_template(path: Path) -> None:
    """A text in a template would be English on every page."""
    assert texts_of(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("cents", "said"),
    [(59, "0\xa0$\xa0US versé"), (199, "1\xa0$\xa0US versé"), (200, "2\xa0$\xa0US versés")],
)
def test_a_text_agrees_with_its_amount(cents: int, said: str) -> None:
    """French takes the singular below two."""
    text = "{paid, plural, one {# versé} other {# versés}}"
    french = templates.Texts({"plain": {"paid": text}}, language="fr")

    assert french("plain", "paid", paid=french.words.dollars(cents)) == said


@pytest.mark.parametrize(
    ("language", "said"), [("en", "1,333 of 2026"), ("fr", "1\xa0333 of 2026")]
)
def test_a_number_in_a_text_is_grouped(language: str, said: str) -> None:
    """A year, which is not a number of things, is given as text."""
    texts = templates.Texts({"plain": {"yes": "{yes} of {year}"}}, language=language)

    assert texts("plain", "yes", yes=1333, year="2026") == said


def test_texts_are_found() -> None:
    """The check finds text in elements and in attributes that are read aloud."""
    found = texts_of('<p title="Two words" class="x">{{ t("a", "b") }} Three</p>{# no #}')

    assert found == ["Two words", "Three"]
