"""Reading people from rows of other programs' files, and refusing bad values."""

from __future__ import annotations

import pytest

from jara.domain.countries import Countries, find_country
from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import Newcomer, parse_newcomer, split_name

COUNTRIES = Countries(lambda: {"Ghana": "GH", "Côte d'Ivoire": "CI"})


def parse(default: str | None = "Ghana", **values: str) -> Newcomer:
    """Parse a row about Ama Mensah with some other values."""
    row = {"email": "ama@example.org", "firstname": "Ama", "lastname": "Mensah", **values}
    return parse_newcomer(
        row, find=lambda text: find_country(text, COUNTRIES), default_country=default
    )


def refusal(default: str | None = "Ghana", **values: str) -> str:
    """Return the message that refuses a row."""
    with pytest.raises(InvalidInput) as refused:
        parse(default, **values)
    return refused.value.message


def test_every_field_is_read() -> None:
    """Addresses are lower-cased and trimmed; countries may have any spelling."""
    expected = Newcomer(
        firstname="Ama",
        lastname="Mensah",
        email="ama@example.org",
        country="Côte d'Ivoire",
        notifications=True,
    )

    assert (
        parse(email=" AMA@Example.org ", country="cote d’ivoire", notifications="Yes") == expected
    )


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        ("Ama Serwaa Mensah", ("Ama Serwaa", "Mensah")),
        ("Mensah, Ama", ("Ama", "Mensah")),
        ("阿玛 门萨", ("阿玛", "门萨")),
        ("أما منساه", ("أما", "منساه")),
        ("Ama Mensah,", ("Ama", "Mensah,")),
        (", Ama Mensah", (", Ama", "Mensah")),
    ],
)
def test_a_whole_name_is_split(whole: str, expected: tuple[str, str]) -> None:
    """The name is split at the last blank, or at a comma between two parts."""
    assert split_name(whole) == expected


def test_one_column_may_hold_the_whole_name() -> None:
    """One column may hold the whole name if the other is empty."""
    for values in (
        {"firstname": "Ama Mensah", "lastname": ""},
        {"firstname": "", "lastname": "Ama Mensah"},
        {"firstname": "", "lastname": "", "name": "Ama Mensah"},
    ):
        found = parse(**values)

        assert (found.firstname, found.lastname) == ("Ama", "Mensah")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"email": "ama at home"}, "'ama at home' is not an email address"),
        ({"email": ""}, "email address is empty"),
        ({"firstname": "", "lastname": "", "name": "Ama"}, "The name 'Ama' is one word"),
        ({"firstname": "", "lastname": ""}, "There is no first name. There is no last name."),
        ({"lastname": "www.casino.example"}, "'www.casino.example': The last name looks like"),
        ({"country": "Atlantis"}, "'Atlantis' is not in the list of countries"),
        ({"notifications": "maybe"}, "'maybe' is neither yes nor no"),
    ],
)
def test_a_refusal_has_the_value_and_the_rule(values: dict[str, str], message: str) -> None:
    """The refusal gives the value and the rule, so that the row can be corrected."""
    assert message in refusal(**values)


def test_a_missing_country_has_an_option() -> None:
    """A missing country is refused, and the message names the option that sets it."""
    assert "--country" in refusal(None, country=" ")


def test_a_refusal_has_every_wrong_value() -> None:
    """One refusal lists every wrong value of a row."""
    found = refusal(email="x", country="Atlantis")

    assert "'x'" in found
    assert "'Atlantis'" in found


def test_no_is_said_in_many_ways() -> None:
    """An empty cell means no."""
    assert [parse(notifications=word).notifications for word in ("", "No", "0")] == [False] * 3
