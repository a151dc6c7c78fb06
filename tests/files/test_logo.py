"""Logos are drawings without scripts or external resources, in a suitable shape."""

from io import BytesIO

import pytest
from PIL import Image

from jara.domain.errors import InvalidInput
from jara.files.logo import LOGO_BYTES_MAX, read_logo

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"{more}>{inside}</svg>'


BOMB = "<g id='a0'><path d='M0 0h9v9z'/></g>" + "".join(
    f"<g id='a{level}'>" + f"<use href='#a{level - 1}'/>" * 10 + "</g>" for level in range(1, 10)
)
"""A drawing that shows 10^9 shapes."""


def svg(inside: str = "<path d='M0 0h9v9z'/>", more: str = "") -> bytes:
    """Return an SVG drawing."""
    return SVG.format(inside=inside, more=more).encode()


def png(width: int, height: int) -> bytes:
    """Return a PNG image."""
    out = BytesIO()
    Image.new("RGBA", (width, height), "#7a1f3d").save(out, "PNG")
    return out.getvalue()


def test_an_svg_is_drawn_as_png() -> None:
    """It is 400 pixels high, and the same drawing has the same address."""
    logo, media = read_logo(svg(), "logo.svg")

    assert (logo.width, logo.height, logo.path[-4:]) == (1200, 400, ".png")
    assert logo == read_logo(svg(), "again.svg")[0]
    with Image.open(BytesIO(media.data)) as drawn:
        assert drawn.getchannel("A").getextrema() == (0, 255)


def test_a_picture_is_drawn_anew() -> None:
    """A PNG keeps its pixels and nothing else."""
    logo, _ = read_logo(png(300, 100), "logo.png")

    assert (logo.width, logo.height, logo.path[-4:]) == (300, 100, ".png")


def test_editor_metadata_does_not_change_a_logo() -> None:
    """A DOCTYPE, metadata and elements of an editor are not drawn."""
    drawing = b"<!DOCTYPE svg>" + svg(
        "<!-- made by hand --><metadata>me</metadata><x:view xmlns:x='urn:editor' id='v'/>"
        "<defs><path id='a' d='M0 0h9v9z' onclick='steal()'/></defs>"
        "<use xlink:href='#a' xmlns:xlink='http://www.w3.org/1999/xlink'/>"
    )

    assert read_logo(drawing, "logo.svg") == read_logo(svg(), "logo.svg")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"GIF89a", "neither SVG nor PNG"),
        (b"<html/>", "neither SVG nor PNG"),
        (b"\xff\xfe\x00", "neither SVG nor PNG"),
        (b"\x89PNG\r\n\x1a\nbroken", "damaged"),
        (b" " * (LOGO_BYTES_MAX + 1), "at most 256 KiB"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]>' + svg("<title>&a;</title>"), "defines entities"),
        (svg("<script>steal()</script>"), "runs a script"),
        (svg("<g><foreignObject/></g>"), "contains a page"),
        (svg("<image href='https://x.example/p.png'/>"), "contains a picture"),
        (svg("<filter id='f'><feImage href='#a'/></filter>"), "contains a picture"),
        (svg("<text y='9'>Jara</text>"), "convert it to paths"),
        (svg("<use href='https://x.example/p.svg#a'/>"), "refers to 'https://x.example"),
        (svg("<use href='/etc/passwd#a'/>"), "refers to '/etc/passwd"),
        (svg("<use href='data:image/svg+xml,x'/>"), "refers to 'data:"),
        (svg("<style>@import 'x.css'</style>"), "loads something in a style"),
        (svg("<rect style='fill:url( \"//x.example\")'/>"), "loads something in 'style'"),
        (svg("<rect fill='url(//x.example)'/>"), "loads something in 'fill'"),
        (svg("<g>" * 20_000 + "</g>" * 20_000), "cannot be drawn"),
        (svg(BOMB), "cannot be drawn"),
    ],
)
def test_logos_with_scripts_or_links_are_refused(data: bytes, says: str) -> None:
    """Scripts, embedded pages and external addresses are refused."""
    with pytest.raises(InvalidInput, match=says):
        read_logo(data, "logo.svg")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (png(31, 31), "each side of a logo has 32 to 2048"),
        (png(400, 40), "at most 8 times as wide"),
        (png(40, 100), "at most twice as high"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 1"/>', "times as wide"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 9999999"/>', "twice as high"),
    ],
)
def test_a_shape_that_does_not_fit_is_refused(data: bytes, says: str) -> None:
    """The header has a fixed height, so extreme shapes are refused."""
    with pytest.raises(InvalidInput, match=says):
        read_logo(data, "logo")
