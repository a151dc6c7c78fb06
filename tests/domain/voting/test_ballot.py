"""The choices of a vote."""

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.voting.tally import Choice, parse_choice


@pytest.mark.parametrize(
    ("text", "expected"),
    [("upvote", Choice.UP), ("downvote", Choice.DOWN), ("up", Choice.UP), ("down", Choice.DOWN)],
)
def test_choice_has_two_spellings(text: str, expected: Choice) -> None:
    """The API says upvote (spec §3), the public log says up."""
    assert expected is parse_choice(text)


@pytest.mark.parametrize("text", ["", "yes", "Upvote", "upvote ", "upvotevote"])
def test_any_other_choice_is_refused(text: str) -> None:
    """An unknown choice is an error."""
    with pytest.raises(InvalidInput, match=r"use up or down \(upvote or downvote\)"):
        parse_choice(text)


@pytest.mark.parametrize("choice", Choice)
def test_choice_survives_the_wire(choice: Choice) -> None:
    """A choice reads back from its API spelling."""
    assert choice is parse_choice(choice.wire)
