"""Page templates contain no text; texts come from the catalogues of each language."""

from __future__ import annotations

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


def test_texts_are_found() -> None:
    """The check finds text in elements and in attributes that are read aloud."""
    found = texts_of('<p title="Two words" class="x">{{ t("a", "b") }} Three</p>{# no #}')

    assert found == ["Two words", "Three"]
