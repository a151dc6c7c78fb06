"""Sanitised texts with scripts have only allowed tags with harmless links.

The browser's journey `hostile-html` reads the same texts in Chromium.
"""

from html.parser import HTMLParser

from jara.files.html import TAGS, clean_html
from tests.faults.hostile_html import HOSTILE, KEPT
from tests.sizes import saw

ATTRIBUTES = {"a": {"href", "title", "rel"}, "img": {"src", "alt", "title"}}


class Look(HTMLParser):
    """A parser, independent of the sanitiser's, that collects what is not allowed."""

    def __init__(self) -> None:
        """Start with empty collections."""
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag or attribute that is not allowed."""
        if tag not in TAGS:
            self.wrong.append(tag)
        for name, value in attrs:
            if name not in ATTRIBUTES.get(tag, set()):
                self.wrong.append(f"{tag} {name}")
            text = value or ""
            is_path = text.startswith("/") and not text.startswith(("//", "/\\"))
            if name in {"href", "src"} and not (text.startswith("https://") or is_path):
                self.wrong.append(f"{tag} {name}={text}")


def test_scripts_are_removed_from_html() -> None:
    """More than 300 texts are harmless, and a second pass changes nothing."""
    left = clean_html(KEPT)
    for text in HOSTILE:
        cleaned = clean_html(KEPT + text + KEPT)
        look = Look()
        look.feed(cleaned)

        assert look.wrong == [], text
        assert cleaned.startswith(left), text
        assert clean_html(cleaned) == cleaned, text
    saw(texts=len(HOSTILE))


def test_there_are_enough_of_them() -> None:
    """The texts are many and unique."""
    assert len(set(HOSTILE)) == len(HOSTILE) > 300
