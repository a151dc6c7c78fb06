"""Squares of the cloth as preview images.

A member's own square is shared by its code, ``/?square=3-1-2``, which identifies the drawing, not
the member.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

from jara.files.preview_image import Preview
from jara_webapi.calls.requests import Request
from jara_webapi.pages.site_files import SiteFile, page_file, share_image
from jara_webapi.pages.templates import Texts

NOTE = ".squares.json"
QUERY = "square"
KIND = "squares"
_TURNS = ("0", "1", "2", "3")
_SLOT = "{{square}}"


class Squares:
    """The drawings of all squares."""

    def __init__(self, note: Mapping[str, Any] | None) -> None:
        """Use the note of the build; without it there are no squares."""
        self._cloth: str = note["cloth"] if note else ""
        self._squares: Mapping[str, str] = note["squares"] if note else {}

    def square(self, code: str) -> str | None:
        """Return the drawing of a square, 100 wide; None if there is no such square."""
        name, _, turns = code.rpartition("-")
        if name not in self._squares or turns not in _TURNS:
            return None
        return f'<g transform="rotate({int(turns) * 90} 50 50)">{self._squares[name]}</g>'

    def draw(self, code: str) -> str | None:
        """Return a cloth with a square in it; None if there is no such square."""
        square = self.square(code)
        return None if square is None else self._cloth.replace(_SLOT, square)

    def preview(self, code: str, texts: Texts) -> Preview | None:
        """Return the preview image of a shared square; None if there is no such square."""
        drawing = self.draw(code)
        if drawing is None:
            return None
        title, words = texts("sharing", "square"), texts("sharing", "square.words")
        return Preview(title, words, drawing, texts.organisation)

    def shared(self, req: Request, page: SiteFile, texts: Texts, site: str) -> SiteFile:
        """Return the home page with a square as its preview image, if the address names one."""
        code = req.get_param(QUERY) or ""
        if req.path != "/" or self.draw(code) is None:
            return page
        choice = texts.choice.replace("?", "&")
        values = {
            "og:title": texts("sharing", "square"),
            "og:description": texts("sharing", "square.text"),
            "og:url": f"{site}/?{QUERY}={code}{choice}",
        }
        image = f"/previews/{KIND}/{code}.png{texts.choice}"
        data = page.data.replace(share_image(texts.language).encode(), image.encode())
        for name, value in values.items():
            data = _with_meta(data, name, value)
        return page_file(data, page.content_type)


def _with_meta(data: bytes, name: str, value: str) -> bytes:
    """Return a page with another value in one of its Open Graph elements."""
    before, mark, rest = data.partition(f'<meta property="{name}" content="'.encode())
    if not mark:
        return data
    return before + mark + escape(value).encode() + rest[rest.index(b'"') :]
