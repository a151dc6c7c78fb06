"""Drawings in SVG: what may be in one, and how large it is with all that it shows again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from jara.domain.errors import InvalidInput
from jara.files.svg_styles import (
    NAME,
    PROPERTIES,
    Style,
    clean_declarations,
    clean_style,
    merge_references,
    references_in,
)

DEPTH_MAX = 64
"""How deep elements may be nested, shown ones too; drawings need a few levels."""
GROWN_BYTES_MAX = 1 << 20
"""The size of a drawing with everything counted as often as it is shown."""

SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_ELEMENTS = frozenset(
    """
    svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop
    clipPath mask style title desc use symbol text tspan
    """.split()  # noqa: SIM905 - names read better than quoted ones
)
_DROPPED = frozenset({"metadata"})
_ATTRIBUTES = PROPERTIES | frozenset(
    """
    id class version viewBox preserveAspectRatio x y x1 y1 x2 y2 cx cy fx fy fr r rx ry dx dy width
    height points d pathLength gradientTransform gradientUnits spreadMethod offset clipPathUnits
    maskUnits maskContentUnits rotate textLength lengthAdjust
    """.split()  # noqa: SIM905 - names read better than quoted ones
)
_TARGET = re.compile(f"#({NAME})", re.ASCII)


def read_drawing(data: bytes, name: str) -> Element:
    """Return a drawing with only what the allow lists name.

    Raises:
        InvalidInput: it is no SVG, has something that could run or load, or grows too large.
    """
    try:
        root: Element = fromstring(data, forbid_dtd=False)
    except DefusedXmlException:
        raise InvalidInput(f"{name} defines entities; export it as plain SVG.") from None
    except (ParseError, ValueError):
        raise InvalidInput(f"{name} is neither SVG nor PNG.") from None
    if root.tag != f"{SVG}svg":
        raise InvalidInput(f"{name} is neither SVG nor PNG.")
    drawing = _Drawing(name)
    drawing.clean(root)
    drawing.require_size(root)
    return root


class _Drawing:
    """One drawing while it is read."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._styles: list[Style] = []
        self._shown: dict[int, tuple[str, ...]] = {}

    def clean(self, element: Element, depth: int = 1) -> None:
        """Drop what editors add; refuse elements and values that a drawing does not need."""
        self._require_depth(depth)
        kind = element.tag.removeprefix(SVG)
        if kind not in _ELEMENTS:
            raise InvalidInput(
                f"{self._name} has a <{kind}>, which a logo may not have; use plain shapes."
            )
        self._clean_attributes(element)
        if kind == "style":
            style = clean_style("".join(element.itertext()), self._name)
            self._styles.append(style)
            element[:], element.text = [], style.text
        for child in list(element):
            tag = child.tag
            if not isinstance(tag, str) or not tag.startswith(SVG) or tag[len(SVG) :] in _DROPPED:
                element.remove(child)
            else:
                self.clean(child, depth + 1)

    def _clean_attributes(self, element: Element) -> None:
        shown: list[str] = []
        for key, value in list(element.attrib.items()):
            del element.attrib[key]
            if key in {"href", _LINK}:
                target = _TARGET.fullmatch(value)
                if target is None:
                    raise InvalidInput(
                        f"{self._name} links to '{value[:60]}'; a logo stands alone."
                    )
                shown.append(target[1])
                element.set("href", value)
            elif key == "style":
                text, ids = clean_declarations(value, f"{self._name} has in 'style'")
                shown += ids
                element.set(key, text)
            elif key in _ATTRIBUTES:
                found = references_in(value)
                if found is None:
                    raise InvalidInput(
                        f"{self._name} has '{value[:60]}' in '{key}'; a logo has plain values and "
                        "loads nothing."
                    )
                shown += found
                element.set(key, value)
        self._shown[id(element)] = tuple(shown)

    def require_size(self, root: Element) -> None:
        """Refuse a drawing that shows itself, or that grows by showing parts many times."""
        by_id: defaultdict[str, list[Element]] = defaultdict(list)
        for element in root.iter():
            by_id[element.get("id", "")].append(element)
        by_style = merge_references(self._styles)
        sizes: dict[int, int | None] = {}

        def size_of(element: Element, depth: int) -> int:
            known = sizes.get(id(element), 0)
            if known is None:
                raise InvalidInput(f"{self._name} has a part that shows itself.")
            if known:
                return known
            self._require_depth(depth)
            sizes[id(element)] = None  # until it is known
            size = len(element.tag) + sum(map(len, element.attrib.values()))
            size += len(element.text or "") + sum(size_of(child, depth + 1) for child in element)
            for target in (*self._shown[id(element)], *_styled(element, by_style)):
                size += sum(size_of(one, depth + 1) for one in by_id.get(target, ()))
            sizes[id(element)] = size
            return size

        size = size_of(root, 1)
        if size > GROWN_BYTES_MAX:
            raise InvalidInput(
                f"{self._name} grows to {size} bytes when it is drawn; at most "
                f"{GROWN_BYTES_MAX} are allowed."
            )

    def _require_depth(self, depth: int) -> None:
        if depth > DEPTH_MAX:
            raise InvalidInput(
                f"{self._name} is nested more than {DEPTH_MAX} levels deep; flatten it."
            )


def _styled(element: Element, by_style: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the ids that the style sheets let an element draw with."""
    if not by_style:
        return
    names = [f".{one}" for one in element.get("class", "").split()]
    for selector in (element.tag.removeprefix(SVG), f"#{element.get('id')}", *names):
        yield from by_style.get(selector, ())
