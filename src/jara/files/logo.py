"""Logos: SVG that can neither run nor load anything, or re-encoded PNG."""

from __future__ import annotations

import hashlib
import re
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from PIL import Image

from jara.domain.errors import InvalidInput
from jara.domain.organisation import Logo
from jara.files.media import Media, keep_media, read_media
from jara.files.svg_drawing import SVG, read_drawing

LOGO_BYTES_MAX = 256 << 10
EDGE_MIN, EDGE_MAX = 32, 2048
WIDEST, TALLEST = 8.0, 0.5
"""Limits of width to height, so that a logo fits into the header of a phone."""

_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*", re.ASCII)


def keep_logo(data: bytes, name: str, folder: Path) -> Logo:
    """Check a logo, make it harmless, and store it in the media folder.

    Raises:
        InvalidInput: it is neither SVG nor PNG, is too large, too wide or too tall, or contains
            something that a drawing does not need.
        Unavailable: the folder cannot be written.
    """
    if len(data) > LOGO_BYTES_MAX:
        raise InvalidInput(f"{name} has {len(data)} bytes; a logo has at most 256 KiB.")
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        media = read_media(data, name)
        width, height = Image.open(BytesIO(media.data)).size
    else:
        root = read_drawing(data, name)
        width, height = _size_of(root, name)
        media = _media(root)
    _require_shape(width, height, name)
    keep_media(media, folder)
    return Logo(media.path, width, height)


def _size_of(root: Element, name: str) -> tuple[int, int]:
    """Return the size on the page, from the viewBox or else from width and height."""
    box = re.split(r"[\s,]+", root.get("viewBox", "").strip())
    try:
        if len(box) == 4:  # noqa: PLR2004 - left, top, width, height
            width, height = float(box[2]), float(box[3])
        else:
            sides = [_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
            width, height = (float(side[1]) if side else 0.0 for side in sides)
    except ValueError:
        width = height = 0.0
    if not (0 < width < 1e6 and 0 < height < 1e6):  # noqa: PLR2004 - any drawing's box
        raise InvalidInput(f"{name} does not say its size; it needs a viewBox.")
    return max(1, round(width * 200 / height)), 200


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


def _media(root: Element) -> Media:
    for element in root.iter():
        element.tag = element.tag.removeprefix(SVG)  # else every tag is written with a prefix
    root.set("xmlns", SVG.strip("{}"))
    data = tostring(root, encoding="utf-8")
    return Media(f"{hashlib.sha256(data).hexdigest()}.svg", data, is_image=True)
