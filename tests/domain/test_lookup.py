"""Look-up by whole name or unique beginning; an ambiguous one names the candidates."""

from __future__ import annotations

import pytest

from jara.domain.errors import Conflict, NotFound
from jara.domain.lookup import beginning_with, choose_one, fold

WELLS = ["wells", "wells-2", "Wells for Enugu", *(f"roof-{n}" for n in range(7))]


def find(text: str) -> str:
    """Find one of the wells."""
    return choose_one(
        text,
        beginning_with(text, WELLS, lambda name: (name,)),
        kinds="projects",
        label=str,
        missing="There is none.",
        names=lambda name: (name,),
    )


@pytest.mark.parametrize(
    ("text", "name"), [("wells", "wells"), ("WELLS ", "wells"), ("wells f", "Wells for Enugu")]
)
def test_a_name_or_a_unique_beginning_is_found(text: str, name: str) -> None:
    """Case does not matter; a whole name wins over a longer name that starts with it."""
    assert find(text) == name


@pytest.mark.parametrize("text", ["", "x", " "])
def test_what_is_not_there_is_not_found(text: str) -> None:
    """Unknown names and an empty text are not found."""
    with pytest.raises(NotFound, match=r"There is none\."):
        find(text)


def test_several_candidates_are_named() -> None:
    """The message names at most five candidates."""
    with pytest.raises(Conflict, match=r"'wel': Wells for Enugu, wells, wells-2\. Write more"):
        find("wel")
    with pytest.raises(Conflict, match=r"roof-4, …\. Write more of it") as refused:
        find("roof")
    assert "roof-5" not in str(refused.value)


def test_the_same_whole_name_twice_is_ambiguous() -> None:
    """Items of the same name are distinguished by their labels."""
    with pytest.raises(Conflict, match="'a': 1, 2"):
        choose_one(
            "a",
            [1, 2],
            kinds="things",
            label=str,
            missing="",
            names=lambda one: ("a", f"{one}"),
        )


def test_names_are_compared_without_case_and_spaces() -> None:
    """Case and spaces do not matter when names are compared."""
    assert fold("  ỌLÁ  ṣadé ") == fold("Ọlá Ṣadé")
