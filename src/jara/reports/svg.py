"""SVG elements for charts: integer coordinates, in the product's colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

THREADS = 100
PITCH = 7
WIDTH = THREADS * PITCH

INK = "#13153a"
QUIET = "#44476a"
INDIGO = "#232c84"
SEA = "#0c767d"
HIBISCUS = "#c4195a"
CLAY = "#b0481f"
MARIGOLD = "#ffb61e"
PALM = "#0a5740"
DANGER = "#b0121f"
BARE = "#ddd8ca"
LINE = "#e6dfd0"
SPLIT_COLOURS = (INDIGO, SEA, HIBISCUS, CLAY)

FONT = "'Source Sans 3','Segoe UI','Noto Sans',Arial,'Libertinus Serif',sans-serif"
BAR_HEIGHT = 34


def draw_threads(places: Iterable[int], top: int, colour: str, *, height: int = BAR_HEIGHT) -> str:
    """Draw vertical threads, one for each place, as one path."""
    width = PITCH - 1
    path = "".join(f"M{p * PITCH} {top}h{width}v{height}h-{width}z" for p in places)
    return f'<path class="threads" fill="{colour}" d="{path}"/>' if path else ""


def draw_box(x: int, y: int, width: int, height: int, colour: str) -> str:
    """Draw a filled box with an outline; nothing if it has no height."""
    if height <= 0:
        return ""
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}" '
        f'stroke="{INK}" stroke-width="1"/>'
    )


def draw_legend(top: int, entries: Sequence[tuple[str, str]], step: int) -> str:
    """Write coloured squares with their words, side by side."""
    return "".join(
        draw_box(place * step + 1, top - 11, 12, 12, colour)
        + draw_text(place * step + 20, top, words)
        for place, (colour, words) in enumerate(entries)
    )


def draw_text(x: int, y: int, text: str, *, anchor: str = "start", weight: int = 400) -> str:
    """Write text at a point; bold text is ink, other text quiet."""
    colour = INK if weight > 400 else QUIET  # noqa: PLR2004 - 400 is regular
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def round_up_cents(least_cents: int, steps: Sequence[int]) -> int:
    """Return the first of step × $1, $10, $100, ... that is not less."""
    unit = 100
    while True:
        for step in steps:
            if step * unit >= least_cents:
                return step * unit
        unit *= 10


def shorten(text: str, limit: int = 60) -> str:
    """Shorten a name to fit beside its bar."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def frame(title: str, description: str, height: int, parts: Iterable[str]) -> str:
    """Wrap elements in a picture with a title and a description."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="{FONT}" font-size="15"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{''.join(parts)}</svg>"
    )
