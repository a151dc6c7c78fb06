"""The organisation's colour: its contrast, and the shades derived from it."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb, rgb_to_hls
from typing import NamedTuple

from jara.domain.errors import InvalidInput

READABLE = 4.5
"""The minimum contrast of text (WCAG 2.2, 1.4.3)."""

PAGE, WHITE = "#f7f2e8", "#ffffff"
"""The darkest background of the light pages, and the text on a button."""
DARK_PAGE, DARK_TEXT = "#181b3f", "#13153a"
"""The brightest background of the dark pages, and the text on a button there."""

_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)
_STEP = 0.01


class Shades(NamedTuple):
    """The colours derived from one.

    Args:
        light: the colour itself.
        light_hover: the same on hover.
        dark: lighter, for the dark pages.
        dark_hover: the same on hover.
    """

    light: str
    light_hover: str
    dark: str
    dark_hover: str


def parse_colour(text: str) -> str:
    """Parse a colour that is readable for links and buttons.

    Raises:
        InvalidInput: it is not in the form ``#rrggbb``, or its contrast is too low.
    """
    colour = text.strip().lower()
    if _COLOUR.fullmatch(colour) is None:
        raise InvalidInput(f"'{text}' is not a colour like #1b5e4a.")
    for other, where in ((WHITE, "white text"), (PAGE, "the page")):
        ratio = contrast(colour, other)
        if ratio < READABLE:
            shown = int(ratio * 100) / 100  # never rounded up to the limit
            raise InvalidInput(
                f"The colour {colour} has a contrast of {shown:.2f}:1 with {where} ({other}); "
                f"at least {READABLE}:1 can be read (WCAG 2.2). Choose a darker one."
            )
    return colour


def shades_of(colour: str) -> Shades:
    """Return the shades of a colour, with the same hue and with readable contrast."""
    hue, lightness, saturation = rgb_to_hls(*(value / 255 for value in _channels(colour)))

    def shade(share: float) -> str:
        channels = hls_to_rgb(hue, min(1.0, share), saturation)
        return "#" + "".join(f"{round(value * 255):02x}" for value in channels)

    bright = lightness
    while min(contrast(shade(bright), ground) for ground in (DARK_PAGE, DARK_TEXT)) < READABLE:
        bright += _STEP
    return Shades(colour, shade(lightness * 0.75), shade(bright), shade(bright + 0.1))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(value / 255) for value in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004 - of the definition


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
