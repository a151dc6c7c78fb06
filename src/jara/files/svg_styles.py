"""The values and styles that a drawing may have: an allow list, rewritten from what it read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from jara.domain.errors import InvalidInput

PROPERTIES = frozenset(
    """
    fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
    stroke-miterlimit stroke-dasharray stroke-dashoffset stop-color stop-opacity color opacity
    clip-path clip-rule mask display visibility paint-order shape-rendering vector-effect
    font-family font-size font-style font-weight font-variant font-stretch letter-spacing
    word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift
    mix-blend-mode isolation transform transform-origin
    """.split()  # noqa: SIM905 - names read better than quoted ones
)
"""Properties that draw, as attributes or in styles; none of them loads anything but `url()`."""

NAME = r"[A-Za-z_][\w.:-]*"
"""The id of an element."""

_REFERENCE = rf"url\(\s*(?:#({NAME})|'#({NAME})'|\"#({NAME})\")\s*\)"
_FUNCTION = (
    r"(?:rgba?|hsla?|matrix|translate|scale|rotate|skewX|skewY)\((?:[\s\d.,%+-]|[eE]|deg)*+\)"
)
_QUOTED = r"'[\w\s-]*+'|\"[\w\s-]*+\""
_PLAIN = r"[\w\s.,#%+-]"
_VALUE = re.compile(rf"(?:{_REFERENCE}|{_FUNCTION}|{_QUOTED}|{_PLAIN})*+", re.ASCII)
_ID_IN_VALUE = re.compile(rf"{_REFERENCE}", re.ASCII)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"\s*([^{}]*)\{([^{}]*)\}")
_SELECTOR = re.compile(r"[.#]?[A-Za-z_][\w-]*", re.ASCII)


class Style(NamedTuple):
    """A cleaned style sheet, and the ids that each of its selectors draws with."""

    text: str
    references: Mapping[str, tuple[str, ...]]


def references_in(value: str) -> tuple[str, ...] | None:
    """Return the ids that a value draws with; None if the value is not plain."""
    if _VALUE.fullmatch(value) is None:
        return None
    return tuple(match[match.lastindex or 0] for match in _ID_IN_VALUE.finditer(value))


def clean_declarations(text: str, what: str) -> tuple[str, tuple[str, ...]]:
    """Return declarations without unknown properties, and the ids that they draw with.

    Raises:
        InvalidInput: a known property has a value that is not plain.
    """
    kept: list[str] = []
    ids: list[str] = []
    for declaration in filter(None, map(str.strip, text.split(";"))):
        name, colon, value = (part.strip() for part in declaration.partition(":"))
        if not colon:
            raise InvalidInput(f"{what}: '{declaration[:60]}'; use plain values.")
        if name not in PROPERTIES:
            continue
        found = references_in(value)
        if found is None:
            raise InvalidInput(f"{what}: '{declaration[:60]}'; use plain values.")
        kept.append(f"{name}:{value}")
        ids += found
    return ";".join(kept), tuple(ids)


def clean_style(text: str, name: str) -> Style:
    """Return a style sheet of plain rules: classes, ids or elements, and known properties.

    Raises:
        InvalidInput: it has anything else, such as a rule that begins with ``@``.
    """
    what = f"{name} has a style that loads something, or is not plain"
    rest, rules = _COMMENT.sub(" ", text), []
    references: dict[str, tuple[str, ...]] = {}
    at = 0
    while rest[at:].strip():
        rule = _RULE.match(rest, at)
        if rule is None:
            raise InvalidInput(f"{what}: '{rest[at:].strip()[:60]}'; use plain classes.")
        selectors = [part.strip() for part in rule[1].split(",")]
        if not all(map(_SELECTOR.fullmatch, selectors)):
            raise InvalidInput(f"{what}: '{rule[1].strip()[:60]}'; use plain classes.")
        declarations, ids = clean_declarations(rule[2], what)
        rules.append(f"{','.join(selectors)}{{{declarations}}}")
        for selector in selectors:
            references[selector] = (*references.get(selector, ()), *ids)
        at = rule.end()
    return Style("".join(rules), references)


def merge_references(styles: Iterable[Style]) -> dict[str, tuple[str, ...]]:
    """Return the ids that each selector draws with in several style sheets."""
    merged: dict[str, tuple[str, ...]] = {}
    for style in styles:
        for selector, ids in style.references.items():
            merged[selector] = (*merged.get(selector, ()), *ids)
    return merged
