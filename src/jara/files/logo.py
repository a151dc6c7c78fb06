"""Logos: PNG, re-encoded from its pixels, or drawn from an SVG that loads nothing."""

import re
from collections.abc import Iterator
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from PIL import Image

from jara.domain.errors import InvalidInput, Unavailable
from jara.domain.organisation import Logo
from jara.files.media import Media, read_media
from jara.files.preview_program import draw_svg

LOGO_BYTES_MAX = 256 << 10
EDGE_MIN, EDGE_MAX = 32, 2048
WIDEST, TALLEST = 8.0, 0.5
"""Limits of width to height, so that a logo fits into the header of a phone."""
DRAWN_HEIGHT = 400
"""The height in pixels of a logo that was an SVG: twice the largest at which it is shown."""

_PNG = b"\x89PNG\r\n\x1a\n"
_SVG = "{http://www.w3.org/2000/svg}"
_REFUSED = {
    "script": "runs a script; remove it",
    "foreignObject": "contains a page; use plain shapes",
    "image": "contains a picture; use plain shapes",
    "feImage": "contains a picture; use plain shapes",
    "text": "has text, which looks different with other fonts; convert it to paths",
}
_LOADS = re.compile(r"@import|url\(\s*[\"']?\s*(?![\s\"'#])", re.IGNORECASE)


def read_logo(data: bytes, name: str) -> tuple[Logo, Media]:
    """Check a logo, draw it if it is an SVG, and return it with the PNG to store.

    Raises:
        InvalidInput: it is neither SVG nor PNG, is too large, too wide or too tall, or an SVG
            that has a script, loads something, or cannot be drawn.
    """
    if len(data) > LOGO_BYTES_MAX:
        raise InvalidInput(f"{name} has {len(data)} bytes; a logo has at most 256 KiB.")
    media = read_media(data if data.startswith(_PNG) else _draw(data, name), name)
    width, height = Image.open(BytesIO(media.data)).size
    _require_shape(width, height, name)
    return Logo(media.path, width, height), media


def _draw(data: bytes, name: str) -> bytes:
    try:
        root: Element = fromstring(data, forbid_dtd=False)
        text = data.decode()
    except DefusedXmlException:
        raise InvalidInput(f"{name} defines entities; export it as plain SVG.") from None
    except (ParseError, ValueError):
        raise InvalidInput(f"{name} is neither SVG nor PNG.") from None
    if root.tag != f"{_SVG}svg":
        raise InvalidInput(f"{name} is neither SVG nor PNG.")
    for fault in _faults_in(root):
        raise InvalidInput(f"{name} {fault}.")
    try:
        return draw_svg(text, width=EDGE_MAX, height=DRAWN_HEIGHT)
    except Unavailable:
        raise InvalidInput(
            f"{name} cannot be drawn, or takes too long; simplify it, or export it as PNG."
        ) from None


def _faults_in(root: Element) -> Iterator[str]:
    """Yield what a drawing has that runs, loads something, or depends on this machine."""
    for element in root.iter():
        kind = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if kind in _REFUSED:
            yield _REFUSED[kind]
        for key, value in element.attrib.items():
            if key.rpartition("}")[2] == "href" and not value.startswith("#"):
                yield f"refers to '{value[:60]}'; a logo stands alone"
            elif _LOADS.search(value):
                yield f"loads something in '{key}'; a logo stands alone"
        if kind == "style" and _LOADS.search("".join(element.itertext())):
            yield "loads something in a style; a logo stands alone"


def _require_shape(width: int, height: int, name: str) -> None:
    if not TALLEST <= width / height <= WIDEST:
        raise InvalidInput(
            f"{name} is {width} by {height}; a logo is at most {WIDEST:.0f} times as wide as it "
            "is high, and at most twice as high as it is wide."
        )
    if not (min(width, height) >= EDGE_MIN and max(width, height) <= EDGE_MAX):
        raise InvalidInput(
            f"{name} is {width} by {height} pixels; each side of a logo has {EDGE_MIN} to "
            f"{EDGE_MAX}."
        )
