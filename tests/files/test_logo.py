"""Logos are drawings without scripts or external resources, in a suitable shape."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from jara.domain.errors import InvalidInput
from jara.files.logo import LOGO_BYTES_MAX, keep_logo

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"{more}>{inside}</svg>'


def svg(inside: str = "<path d='M0 0h9v9z'/>", more: str = "") -> bytes:
    """Return an SVG drawing."""
    return SVG.format(inside=inside, more=more).encode()


def png(width: int, height: int) -> bytes:
    """Return a PNG image."""
    out = BytesIO()
    Image.new("RGBA", (width, height), "#7a1f3d").save(out, "PNG")
    return out.getvalue()


def test_a_drawing_is_kept_by_its_hash(tmp_path: Path) -> None:
    """The size comes from the viewBox, and the same drawing has the same address."""
    logo = keep_logo(svg(), "logo.svg", tmp_path)

    assert (logo.width, logo.height) == (600, 200)
    assert logo == keep_logo(svg(), "again.svg", tmp_path)
    assert svg("<path d='M0 0h9v9z'/>").split(b" ")[0] in (tmp_path / logo.path[7:]).read_bytes()


def test_a_picture_is_drawn_anew(tmp_path: Path) -> None:
    """A PNG keeps its pixels and nothing else."""
    logo = keep_logo(png(300, 100), "logo.png", tmp_path)

    assert (logo.width, logo.height, logo.path[-4:]) == (300, 100, ".png")


def test_what_editors_add_is_left_out(tmp_path: Path) -> None:
    """Editors' metadata, comments and event handlers are removed."""
    drawing = svg(
        "<!-- made by hand --><metadata>me</metadata><x:view xmlns:x='urn:editor' id='v'/>"
        "<defs><path id='a' d='M0 0h9v9z' onclick='steal()' x:y='1' xmlns:x='urn:editor'/></defs>"
        "<use xlink:href='#a' xmlns:xlink='http://www.w3.org/1999/xlink'/><style>.a{fill:red}</style>"
        "<rect fill='url(#b)' width='9' height='9'/>"
    )

    logo = keep_logo(drawing, "logo.svg", tmp_path)

    kept = (tmp_path / logo.path[7:]).read_text()
    assert all(word not in kept for word in ("hand", "metadata", "editor", "onclick", "ns0"))
    assert '<use href="#a" />' in kept
    assert 'fill="url(#b)"' in kept


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"GIF89a", "neither SVG nor PNG"),
        (b"<html/>", "neither SVG nor PNG"),
        (b"\xff\xfe\x00", "neither SVG nor PNG"),
        (b"\x89PNG\r\n\x1a\nbroken", "damaged"),
        (b" " * (LOGO_BYTES_MAX + 1), "at most 256 KiB"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]>' + svg("<title>&a;</title>"), "defines entities"),
        (svg("<script>steal()</script>"), "a <script>"),
        (svg("<g><foreignObject/></g>"), "a <foreignObject>"),
        (svg("<image href='https://x.example/p.png'/>"), "an? <image>"),
        (svg("<use href='https://x.example/p.svg#a'/>"), "links to 'https://x.example"),
        (svg("<use href='data:image/svg+xml,x'/>"), "links to 'data:"),
        (svg("<style>@import 'x.css'</style>"), "a style that loads"),
        (svg("<style>.a{fill:u\\72l(x)}</style>"), "a style that loads"),
        (svg("<rect style='fill:url( \"//x.example\")'/>"), "in 'style'"),
        (svg("<rect fill='url(//x.example)'/>"), "in 'fill'"),
    ],
)
def test_what_could_run_or_load_is_refused(tmp_path: Path, data: bytes, says: str) -> None:
    """Scripts, embedded pages and external addresses are refused, and nothing is stored."""
    with pytest.raises(InvalidInput, match=says):
        keep_logo(data, "logo.svg", tmp_path)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (png(31, 31), "each side of a logo has 32 to 2048"),
        (png(400, 40), "at most 8 times as wide"),
        (png(40, 100), "at most twice as high"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "needs a viewBox"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 a b"/>', "needs a viewBox"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 nan"/>', "needs a viewBox"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" width="5em" height="9"/>', "needs a viewBox"),
    ],
)
def test_a_shape_that_does_not_fit_is_refused(tmp_path: Path, data: bytes, says: str) -> None:
    """The header has a fixed height, so extreme shapes are refused."""
    with pytest.raises(InvalidInput, match=says):
        keep_logo(data, "logo", tmp_path)


def test_a_drawing_may_state_its_size_in_pixels(tmp_path: Path) -> None:
    """Without a viewBox, width and height are used."""
    data = b'<svg xmlns="http://www.w3.org/2000/svg" width="64px" height="32"/>'

    logo = keep_logo(data, "logo.svg", tmp_path)

    assert (logo.width, logo.height) == (400, 200)


def test_a_drawing_that_is_nested_without_end_is_refused(tmp_path: Path) -> None:
    """The error is a message, not Python's recursion limit."""
    inner = b"<g>" * 20_000 + b"</g>" * 20_000
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">' + inner + b"</svg>"

    with pytest.raises(InvalidInput, match="nested more than 64 levels deep"):
        keep_logo(drawing, "deep.svg", tmp_path)
