"""The organisation's colour is readable wherever it is used."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.organisation import (
    DARK_PAGE,
    DARK_TEXT,
    PAGE,
    READABLE,
    WHITE,
    contrast,
    parse_colour,
    shades_of,
)

COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#123456", "#123456", 1.0)],
)
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    """The contrast matches the examples of the WCAG, in either order of the colours."""
    measured = (round(contrast(one, other), 2), round(contrast(other, one), 2))

    assert measured == (ratio, ratio)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("red", "'red' is not a colour like #1b5e4a"),
        ("#fff", "is not a colour"),
        ("#12345g", "is not a colour"),
        ("#ffb61e", "has a contrast of 1.7\\d:1 with white text"),
        ("#767676", "has a contrast of 4.0\\d:1 with the page"),
    ],
)
def test_a_colour_that_cannot_be_read_is_refused(text: str, says: str) -> None:
    """The message gives the measured ratio and the colour it was measured against."""
    with pytest.raises(InvalidInput, match=says):
        parse_colour(text)


@given(COLOURS)
def test_every_accepted_colour_has_shades_that_can_be_read(colour: str) -> None:
    """Shades are readable in light and dark, hovered or not, on a page and on a button."""
    try:
        accepted = parse_colour(colour.upper())
    except InvalidInput:
        assert min(contrast(colour, PAGE), contrast(colour, WHITE)) < READABLE
        return
    shades = shades_of(accepted)

    assert shades.light == colour
    assert all(
        contrast(shade, ground) >= READABLE
        for shade in (shades.light, shades.light_hover)
        for ground in (PAGE, WHITE)
    )
    assert all(
        contrast(shade, ground) >= READABLE
        for shade in (shades.dark, shades.dark_hover)
        for ground in (DARK_PAGE, DARK_TEXT)
    )
