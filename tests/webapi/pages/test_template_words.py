"""Page templates contain no text; texts come from the catalogues of each language."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara_webapi.pages import templates
from jara_webapi.pages.templates import SLOT
from tests.languages.catalogues import LANGUAGES, ROOT, catalogues

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


PAGES = ROOT / "webapi" / "jara_webapi" / "pages"
_USE = re.compile(r'(?:\bt|_text|texts)\(\s*"([a-z-]+)",\s*f?"((?:[^"{]|\{[^}]*\})+)"(\s*~)?')


def uses() -> Iterator[tuple[str, str]]:
    """Return the catalogue and key of each text; computed keys are patterns."""
    for path in sorted([*PAGES.glob("*.py"), *PAGES.glob("templates/*.html")]):
        for catalogue, key, more in _USE.findall(path.read_text("utf-8")):
            pattern = re.sub(r"\\\{.*?\\\}", r"[\\w ]+", re.escape(key))
            yield catalogue, pattern + (r"[\w -]+" if more else "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_is_there_and_simple(language: str) -> None:
    """The server supports only names and plurals of one and other in texts."""
    for catalogue, key in sorted(set(uses())):
        texts = json.loads((catalogues(language) / f"{catalogue}.json").read_text("utf-8"))
        found = [text for name, text in texts.items() if re.fullmatch(key, name)]

        assert found, (catalogue, key)
        assert [text for text in found if "{" in SLOT.sub("", text)] == []


def test_the_build_passes_on_the_servers_texts() -> None:
    """The build writes every catalogue that the server uses."""
    script = (ROOT / "webui" / "scripts" / "prerender.mjs").read_text("utf-8")
    written = re.search(r"SERVER_CATALOGUES = \[(.*?)\]", script, re.DOTALL)

    assert written
    assert {catalogue for catalogue, _ in uses()} == set(re.findall(r'"([\w-]+)"', written[1]))
