"""Drawings that load, run or grow: an allow list lets none of them through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.files.logo import keep_logo
from jara.files.svg_styles import clean_style

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'viewBox="0 0 240 80"{more}>{inside}</svg>'
)

LOADS = [
    "image-set('https://evil.example/x.png' 1x)",
    "-webkit-image-set(url(#a) 1x)",
    "image('https://evil.example/x.png')",
    "cross-fade(url(#a), 'https://evil.example')",
    "src('https://evil.example/x')",
    "url(https://evil.example/x)",
    "url('//evil.example/x')",
    "url( '#a' https://evil.example)",
    "url(#a) url(https://evil.example/x)",
    "URL(https://evil.example/x)",
    "url(data:image/svg+xml,x)",
    "url(/media/x.svg#a)",
    "url(other.svg#a)",
    "url(\t//evil.example)",
    "url(#a\n//evil.example)",
    "url(#a",
    "u\\72l(https://evil.example)",
    "url/**/(https://evil.example)",
    "element(#a)",
    "paint(evil)",
    "env(x)",
    "var(--x, url(https://evil.example))",
    "attr(href)",
    "expression(alert(1))",
    "calc(1px * 1)",
    "@import 'https://evil.example/x.css'",
    "https://evil.example/x",
    "'https://evil.example/x'",
    "red;background:url(https://evil.example)",
    "red}*{background:url(https://evil.example)}",
    "javascript:alert(1)",
    "<script>",
]
STYLES = [
    "@font-face{font-family:x;src:url(https://evil.example/x.woff)}",
    "@font-face{font-family:x;src:'https://evil.example/x.woff'}",
    "@FONT-FACE{font-family:x}",
    "@import 'https://evil.example/x.css';",
    "@import url(#a);",
    "@namespace x url(https://evil.example);",
    "@media all{.a{fill:red}}",
    "@charset 'utf-7';",
    "@\\69mport 'https://evil.example'",
    ".a{background:url(#a)}",
    ".a{background-image:image-set('https://evil.example/x' 1x)}",
    ".a{cursor:url(#a)}",
    ".a{filter:url(#a)}",
    ".a{content:url(https://evil.example)}",
    ".a{behavior:url(#a)}",
    ".a{-moz-binding:url(#a)}",
    ".a{--x:url(https://evil.example)}",
    ".a{list-style:'https://evil.example'}",
    ".a{fill:red",
    ".a{fill}",
    ".a{fill:red}}",
    "{fill:red}",
    "fill:red",
    ".a[href^='https://evil.example']{fill:red}",
    "*{fill:red}",
    ".a:hover{fill:red}",
    ".a::before{fill:red}",
    ".a .b{fill:red}",
    "/* .a{fill:red}",
    "<!-- .a{fill:red} -->",
]
ELEMENTS = [
    "<script>x</script>",
    "<foreignObject/>",
    "<image href='#a'/>",
    "<a href='#a'/>",
    "<animate attributeName='href' to='javascript:alert(1)'/>",
    "<set attributeName='href' to='x'/>",
    "<animateTransform/>",
    "<filter/>",
    "<feImage href='#a'/>",
    "<pattern/>",
    "<marker/>",
    "<iframe/>",
    "<switch/>",
    "<view/>",
    "<handler/>",
    "<font/>",
    "<font-face-uri href='https://evil.example'/>",
    "<cursor/>",
    "<textPath href='#a'/>",
    "<use href='https://evil.example#a'/>",
    "<use href='data:image/svg+xml,x'/>",
    "<use href='#'/>",
    "<use href='#a b'/>",
    "<use href='&#9;//evil.example#a'/>",
    "<use xlink:href='x.svg#a'/>",
    "<linearGradient href='x.svg#a'/>",
    "<linearGradient id='g' href='#h'/><linearGradient id='h' href='#g'/>",
]
DROPPED = {
    "onload": "alert(1)",
    "onclick": "alert(1)",
    "ONLOAD": "alert(1)",
    "formaction": "https://evil.example",
    "src": "https://evil.example",
    "background": "https://evil.example",
    "filter": "url(https://evil.example)",
    "cursor": "url(https://evil.example)",
    "marker-end": "url(https://evil.example)",
    "data-x": "https://evil.example",
    "xml:base": "https://evil.example/",
    "xlink:show": "embed",
    "requiredFeatures": "x",
    "systemLanguage": "en",
    "externalResourcesRequired": "true",
    "tabindex": "1",
    "to": "x",
    "begin": "click",
}


def drawing(inside: str, more: str = "") -> bytes:
    """Return an SVG drawing."""
    return SVG.format(inside=inside, more=more).encode()


def attribute(value: str) -> str:
    """Write a value of an attribute."""
    return value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def hostile() -> Iterator[str]:
    """Yield every drawing that must be refused."""
    yield from ELEMENTS
    for text in STYLES:
        yield f"<style>{text.replace('<', '&lt;')}</style>"
    for value in LOADS:
        yield f'<rect fill="{attribute(value)}" width="1" height="1"/>'
        yield f'<rect clip-path="{attribute(value)}"/>'
        yield f'<rect style="fill:{attribute(value)}"/>'
        yield f"<style>.a{{fill:{value.replace('<', '&lt;')}}}</style>"


@pytest.mark.parametrize("inside", list(hostile()))
def test_what_could_load_or_run_is_refused(tmp_path: Path, inside: str) -> None:
    """Whatever way of CSS or SVG it uses, it is refused, or left out as an unknown property."""
    try:
        logo = keep_logo(drawing(f"<g id='a'/>{inside}"), "logo.svg", tmp_path)
    except InvalidInput:
        assert list(tmp_path.iterdir()) == []
        return
    kept = (tmp_path / logo.path[7:]).read_text()
    assert re.search(r"\.a\{(fill:red)?\}|style=\"fill:red\"", kept), kept
    assert "(" not in kept


@pytest.mark.parametrize("value", LOADS)
def test_what_could_load_is_refused_in_attributes(tmp_path: Path, value: str) -> None:
    """An attribute has one value, so nothing of it is left out."""
    with pytest.raises(InvalidInput):
        keep_logo(drawing(f'<rect fill="{attribute(value)}"/>'), "logo.svg", tmp_path)


@pytest.mark.parametrize(("name", "value"), DROPPED.items())
def test_attributes_that_drawings_do_not_need_are_left_out(
    tmp_path: Path, name: str, value: str
) -> None:
    """On every element, the root too."""
    text = f' {name}="{value}"'
    logo = keep_logo(drawing(f"<rect{text} width='1'/>", more=text), "logo.svg", tmp_path)

    kept = (tmp_path / logo.path[7:]).read_text()
    assert f'{name.rpartition(":")[2]}="' not in kept


def nested(levels: int, name: str = "use href='#{}'") -> str:
    """Return drawings that each show the one before ten times."""
    shown = "<g id='n0'><path d='M0 0h9v9z'/></g>"
    for level in range(1, levels):
        inner = f"<{name.format(f'n{level - 1}')}/>" * 10
        shown += f"<g id='n{level}'>{inner}</g>"
    return shown


@pytest.mark.parametrize(
    "inside",
    [
        nested(9),
        nested(9, "rect mask='url(#{})'"),
        nested(9, "rect style='mask:url(#{})'"),
        nested(9, "rect clip-path='url( &quot;#{}&quot; )'"),
        nested(9, "rect fill='url(#{})'"),
        "<g id='a'><use href='#a'/></g>",
        "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
        "<mask id='a'><rect mask='url(#a)'/></mask><rect mask='url(#a)'/>",
        "<style>.m{mask:url(#a)}</style><mask id='a'><rect class='m'/></mask>",
        "<style>rect{mask:url(#a)}</style><mask id='a'><rect/></mask>",
        "<style>#r{mask:url(#a)}</style><mask id='a'><rect id='r'/></mask>",
        f"<g id='a'><path d='M0 0{'h9' * 50_000}'/></g>" + "<use href='#a'/>" * 20,
        "<g id='a'><path d='M0 0h9'/></g><g id='a'><use href='#a'/></g>",
    ],
)
def test_a_drawing_that_grows_is_refused(tmp_path: Path, inside: str) -> None:
    """Its size counts with all that it shows again, and it never shows itself."""
    with pytest.raises(InvalidInput, match=r"grows to|shows itself"):
        keep_logo(drawing(inside), "logo.svg", tmp_path)


def test_a_usual_export_of_an_editor_is_kept(tmp_path: Path) -> None:
    """Classes, gradients, masks, text and transformations of a drawing program."""
    inside = """<title>Jara</title><defs><style>
      /* made by an editor */ .cls-1, .cls-2 { fill: #e73; stroke:rgb(1, 2,3); opacity:.5 }
      .cls-3{clip-path:url(#clip);font-family:'Source Sans', sans-serif;font-size:12px;}
    </style><linearGradient id="g" x1="0%" y1="0" x2="1e2" y2="-.5" gradientUnits="userSpaceOnUse"
      gradientTransform="matrix(1 0 0 -1 0 5.5)"><stop offset="0" stop-color="#fff"/>
      <stop offset="1" style="stop-color:rgba(0,0,0,.5);stop-opacity:1"/></linearGradient>
    <linearGradient id="h" xlink:href="#g"/>
    <clipPath id="clip"><rect width="240" height="80" rx="4"/></clipPath>
    <symbol id="s" viewBox="0 0 9 9"><path fill-rule="evenodd"
      d="M.5,1-2 3e-1A1 1 0 01 5 5z"/></symbol>
    </defs><g class="cls-1 cls-2" transform="translate(1, -2) rotate(45 1 1) scale(.5)">
    <polygon points="1,2 3,4 5.5,-6"/><use xlink:href="#s" x="1" y="2" width="9" height="9"/></g>
    <text class="cls-3" x="1" y="2" text-anchor="middle" fill="url(#h)">J\u00e0ra &amp;
    <tspan dx="1">co</tspan></text>
    <circle cx="1" cy="2" r="3" fill="none" stroke="currentColor" stroke-width="2"
      stroke-dasharray="1 2"/>"""
    logo = keep_logo(drawing(inside, ' width="240" height="80" id="root"'), "logo.svg", tmp_path)

    kept = (tmp_path / logo.path[7:]).read_text()
    for part in ("cls-1", 'fill="url(#h)"', "clip-path:url(#clip)", 'href="#g"', "rotate(45 1 1)"):
        assert part in kept
    assert "made by" not in kept
    assert fromstring(kept).tag == "{http://www.w3.org/2000/svg}svg"


@given(st.text(alphabet="url(#a)'\"/:;{}@\\ \t\nimportsec-.*,<>0%", max_size=30))
def test_no_style_names_another_file(text: str) -> None:
    """Whatever is let through has no address in it."""
    try:
        kept = clean_style(text, "logo.svg").text
    except InvalidInput:
        return
    assert "@" not in kept
    assert "\\" not in kept
    assert "//" not in kept
    assert kept.count("(") == kept.count("(#") == kept.count("url(#")
