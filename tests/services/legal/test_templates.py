"""Legal texts are templates of values and choices."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from jara.domain.errors import InvalidInput
from jara.domain.legal.places import PLACES
from jara.domain.legal.versions import LegalText
from jara.files.shipped import read_legal_texts
from jara.services.legal.reading import check_places, fill_places, places_of

CHOICE = (
    "A{% if province and refund_days %} {{ province }} {{ refund_days }}"
    "{% elif province %} {{ province }}{% else %}.{% endif %}"
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
        ({"province": "{{ x }}", "refund_days": "{% y %}"}, "A {{ x }} {% y %}"),
    ],
)
def test_the_first_complete_alternative_is_shown(values: dict[str, str], expected: str) -> None:
    """A value is never read as a place."""
    assert fill_places(CHOICE, values, "?") == expected


def test_a_value_without_other_words_has_a_sentence() -> None:
    """Own texts need no choices; what is missing is said."""
    assert (
        fill_places("Law: {{ province }}.", {}, "(not published yet)")
        == "Law: (not published yet)."
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{{ postal_adress }}", "{{ postal_adress }} is not a place"),
        ("{% if town %}x{% endif %}", "{{ town }} is not a place"),
        ("{{ Province }}", "{{ Province }} is not a place"),
        ("\n{% if province %} x", "Line 2 of the text: Unexpected end"),
        ("{% endif %}", "unknown tag 'endif'"),
        ("{{ province.__class__ }}", "only values"),
        ("{{ province * 9 }}", "only values"),
        ("{% for one in province %}x{% endfor %}", "only values"),
        ("{{ province | upper }}", "only values"),
        ("{if province, refund_days}x{end}", "write {% if province and refund_days %}."),
        ("{else if province}", "write {% elif province %}."),
        ("{province}", "{province} is the form of Jara 0.2; write {{ province }}."),
    ],
)
def test_a_text_with_anything_else_is_refused(text: str, named: str) -> None:
    """The message names the place or the line, and shows the form of today."""
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
    """A place that no text uses would be asked for in vain; own texts of 0.2.0 have the share."""
    used = frozenset().union(*(places_of(text) for _, text in SHIPPED))

    assert used | {"threshold"} == PLACES.keys()
