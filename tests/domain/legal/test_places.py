"""The places of legal texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from jara.domain.errors import InvalidInput
from jara.domain.legal.places import PLACES, check_places, fill_places, places_of
from jara.domain.legal.versions import LegalText
from jara.files.shipped import read_legal_texts

CHOICE = (
    "A{if province, refund_days} {province} {refund_days}{else if province} {province}{else}.{end}"
)
SHIPPED = [
    (f"{text} {language}", words)
    for text in LegalText
    for language, words in read_legal_texts(text).items()
]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"province": "Ontario", "refund_days": "30"}, "A Ontario 30"),
        ({"province": "Ontario"}, "A Ontario"),
        ({"refund_days": "30"}, "A."),
        ({"province": ""}, "A."),
        ({"province": "{refund_days}", "refund_days": "{else}"}, "A {refund_days} {else}"),
    ],
)
def test_the_first_part_whose_values_are_there_is_shown(
    values: dict[str, str], expected: str
) -> None:
    """A value is never read as a place."""
    assert fill_places(CHOICE, values, "?") == expected


def test_a_value_without_other_words_has_a_sentence() -> None:
    """Own texts need no choices; what is missing is said."""
    assert fill_places("Law: {province}.", {}, "(not published yet)") == "Law: (not published yet)."


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{postal_adress}", "{postal_adress} is no place"),
        ("{if town}x{end}", "{town} is no place"),
        ("{Province}", "{Province} is no place"),
        ("{if province} x", "{if province} has no {end}"),
        ("{end}", "{end} is not expected"),
        ("{if province}{if refund_days}x{end}{end}", "{if refund_days} is not expected"),
        ("{if province}x{else}y{else}z{end}", "{else} is not expected"),
    ],
)
def test_a_text_with_a_wrong_place_is_refused_by_name(text: str, named: str) -> None:
    """The message names the place, and those that there are."""
    with pytest.raises(InvalidInput) as refused:
        check_places(text)

    assert named in refused.value.message


@pytest.mark.parametrize(("name", "text"), SHIPPED)
@given(known=some.sets(some.sampled_from(sorted(PLACES))))
def test_shipped_texts_never_show_a_blank(name: str, text: str, known: set[str]) -> None:
    """Whatever is missing that may be missing, the text has other words for it."""
    check_places(text)
    always = {place for place, one in PLACES.items() if not one.remedy} | {"backup_days"}
    values = {place: f"<{place}>" for place in always | known}
    filled = fill_places(text, values, "BLANK")

    assert "BLANK" not in filled
    assert not {"{", "}"} & set(filled)
    assert "  " not in filled.replace("\n  ", "\n"), name


def test_every_place_is_used_by_a_shipped_text() -> None:
    """A place that no text uses would be asked for in vain."""
    assert frozenset().union(*(places_of(text) for _, text in SHIPPED)) == PLACES.keys()
