"""The text and the first picture of a document's HTML, for emails."""

from html.parser import HTMLParser
from typing import NamedTuple

_BREAKS = frozenset({"p", "br", "li", "ul", "ol", "h1", "h2", "h3", "h4", "blockquote", "div"})
_BULLET = "• "


class Excerpt(NamedTuple):
    """The beginning of a text."""

    paragraphs: tuple[str, ...]  # plain texts, each on one line
    picture: str  # the address of its first picture; empty without one
    is_whole: bool  # whether it is all of the text


def excerpt(html: str, *, characters: int) -> Excerpt:
    """Return whole paragraphs up to a length; a first one that is longer ends at a word."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    paragraphs = [" ".join(part.split()) for part in reader.parts]
    paragraphs = [text for text in paragraphs if text not in {"", _BULLET.strip()}]
    kept: list[str] = []
    for text in paragraphs:
        if sum(map(len, kept)) + len(text) > characters:
            break
        kept.append(text)
    is_whole = len(kept) == len(paragraphs)
    if paragraphs and not kept:
        kept = [f"{paragraphs[0][:characters].rpartition(' ')[0]} …"]
    return Excerpt(tuple(kept), reader.picture, is_whole)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts = [""]
        self.picture = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.picture = self.picture or dict(attrs).get("src") or ""
        if tag == "li":
            self.parts.append(_BULLET)
        elif tag in _BREAKS and self.parts[-1] != _BULLET:
            self.parts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.parts.append("")

    def handle_data(self, data: str) -> None:
        self.parts[-1] += data
