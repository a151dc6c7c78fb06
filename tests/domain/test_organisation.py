"""The organisation: its name, its addresses and a colour that can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain import organisation
from jara.domain.errors import InvalidInput
from jara.domain.organisation import Identity, Logo, contrast


@pytest.mark.parametrize(
    "name", ["Jara", "Fundación Ñandú", "أهل الخير", "善意の会", "क्‍षमा", "A" * 60]
)
def test_a_name_can_be_in_any_script(name: str) -> None:
    """A name has up to sixty printable characters, with the joiners that some scripts need."""
    parsed = organisation.parse_words(f"  {name} ", "name", 60)

    assert name == parsed


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("\u200d", "is empty"),
        ("A" * 61, "has 61 characters; it has at most 60"),
        ("Two\nlines", "U\\+000A"),
        ("Two\u2028lines", "U\\+2028"),
        ("gnp.\u202eexe", "U\\+202E"),
        ("left\u200fright", "U\\+200F"),
        ("no\u200bspace", "U\\+200B"),
        ("bell\x07", "U\\+0007"),
        ("private\ue000", "U\\+E000"),
    ],
)
def test_a_name_that_cannot_be_printed_is_refused(name: str, says: str) -> None:
    """Line breaks and direction marks could deceive readers; the message names the character."""
    with pytest.raises(InvalidInput, match=says):
        organisation.parse_words(name, "name", 60)


@pytest.mark.parametrize(
    ("identity", "letterhead", "imprint"),
    [
        (Identity("Jara"), "Jara", ""),
        (Identity("Jara", address="1 Main Street"), "Jara, 1 Main Street", ""),
        (Identity("Sankofa", has_own_words=True), "Sankofa", ""),
        (
            Identity("Sankofa", address="1 Main Street", has_own_words=True),
            "Sankofa, 1 Main Street",
            "Sankofa, 1 Main Street",
        ),
        (
            Identity("Sankofa", "Baobab Inc.", "1 Main Street", has_own_words=True),
            "Baobab Inc., 1 Main Street",
            "Baobab Inc., 1 Main Street",
        ),
        (
            Identity("Sankofa", "Baobab Inc.", "Baobab Inc., 1 Main Street", has_own_words=True),
            "Baobab Inc., 1 Main Street",
            "Baobab Inc., 1 Main Street",
        ),
        (
            Identity("Sankofa", "Baobab Inc.", "Sankofa, 1 Main Street", has_own_words=True),
            "Sankofa, 1 Main Street",
            "Sankofa, 1 Main Street",
        ),
    ],
)
def test_the_letterhead_says_each_thing_once(
    identity: Identity, letterhead: str, imprint: str
) -> None:
    """Letterhead: legal name and address; imprint: only if the organisation wrote its own."""
    shown = (identity.letterhead, identity.imprint)

    assert shown == (letterhead, imprint)


def test_a_logo_is_kept_as_one_word() -> None:
    """The size is stored with the path, so that a page can reserve space for the picture."""
    logo = Logo("/media/ab.svg", 240, 80)

    assert (logo.text(), Logo.parse(logo.text())) == ("/media/ab.svg#240x80", logo)
    assert (logo.is_png, Logo("/media/ab.png", 24, 8).is_png) == (False, True)


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
        organisation.parse_colour(text)


@given(COLOURS)
def test_every_accepted_colour_has_shades_that_can_be_read(colour: str) -> None:
    """Shades are readable in light and dark, hovered or not, on a page and on a button."""
    try:
        accepted = organisation.parse_colour(colour.upper())
    except InvalidInput:
        assert (
            min(contrast(colour, organisation.PAGE), contrast(colour, organisation.WHITE))
            < organisation.READABLE
        )
        return
    shades = organisation.shades_of(accepted)

    assert shades.light == colour
    assert all(
        contrast(shade, ground) >= organisation.READABLE
        for shade in (shades.light, shades.light_hover)
        for ground in (organisation.PAGE, organisation.WHITE)
    )
    assert all(
        contrast(shade, ground) >= organisation.READABLE
        for shade in (shades.dark, shades.dark_hover)
        for ground in (organisation.DARK_PAGE, organisation.DARK_TEXT)
    )
