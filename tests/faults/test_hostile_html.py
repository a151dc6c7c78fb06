"""What is left of texts that carry scripts: allowed tags with harmless links.

The browser's journey `hostile-html` reads the same texts in Chromium.
"""

from __future__ import annotations

from html.parser import HTMLParser

from jara.files.html import TAGS, clean_html
from tests.faults.hostile_html import HOSTILE, KEPT
from tests.sizes import saw

ATTRIBUTES = {"a": {"href", "title", "rel"}, "img": {"src", "alt", "title"}}


class Look(HTMLParser):
    """Notes tags and links, as another parser than the cleaning one reads them."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what is not allowed."""
        if tag not in TAGS:
            self.wrong.append(tag)
        for name, value in attrs:
            if name not in ATTRIBUTES.get(tag, set()):
                self.wrong.append(f"{tag} {name}")
            text = value or ""
            is_path = text.startswith("/") and not text.startswith(("//", "/\\"))
            if name in {"href", "src"} and not (text.startswith("https://") or is_path):
                self.wrong.append(f"{tag} {name}={text}")


def test_nothing_that_could_run_is_left() -> None:
    """More than 300 texts; cleaned again they stay as they are."""
    left = clean_html(KEPT)
    for text in HOSTILE:
        cleaned = clean_html(KEPT + text + KEPT)
        look = Look()
        look.feed(cleaned)

        assert [] == look.wrong, text
        assert cleaned.startswith(left), text
        assert cleaned == clean_html(cleaned), text
    saw(texts=len(HOSTILE))


def test_there_are_enough_of_them() -> None:
    """Each once."""
    assert len(set(HOSTILE)) == len(HOSTILE) > 300
