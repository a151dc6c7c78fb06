"""Ballots."""

from __future__ import annotations

import pytest

from jara.domain.errors import AlreadyVoted, InvalidInput, VotingClosed
from jara.domain.voting.ballot import Ballot, Choice, parse_choice, require_may_cast
from tests.domain.voting.voting_builders import END, NOON, a_proposal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("upvote", Choice.UP),
        ("downvote", Choice.DOWN),
        ("up", Choice.UP),
        ("down", Choice.DOWN),
    ],
)
def test_choice_has_two_spellings(text: str, expected: Choice) -> None:
    """The website says upvote, the log says up (spec §3, trust §2)."""
    assert expected is parse_choice(text)


@pytest.mark.parametrize("text", ["", "yes", "Upvote", "upvote ", "upvotevote"])
def test_any_other_choice_is_refused(text: str) -> None:
    """A vote that is not clear is not counted."""
    with pytest.raises(InvalidInput, match="it is upvote or downvote"):
        parse_choice(text)


@pytest.mark.parametrize("choice", Choice)
def test_choice_survives_the_wire(choice: Choice) -> None:
    """What is sent is what is read."""
    assert choice is parse_choice(choice.wire)


@pytest.mark.parametrize("field", ["voter", "nonce_hash"])
@pytest.mark.parametrize("digits", ["", "0" * 63, "0" * 65, "A" * 64, "g" * 64])
def test_ballot_names_its_voter_by_a_code(field: str, digits: str) -> None:
    """A ballot holds two hashes in lower-case hexadecimal, and no member."""
    hashes = {"voter": "0" * 64, "nonce_hash": "1" * 64, field: digits}

    with pytest.raises(InvalidInput, match="hexadecimal"):
        Ballot(
            index=7,
            proposal_id="prop_01",
            voter=hashes["voter"],
            choice=Choice.UP,
            nonce_hash=hashes["nonce_hash"],
        )


def test_first_ballot_in_time_may_be_cast() -> None:
    """A member who has not voted may vote while the proposal is open."""
    require_may_cast(a_proposal(), has_voted=False, now=NOON)


def test_second_ballot_is_refused_even_after_the_end() -> None:
    """A vote is final, and its voter is told that it counts."""
    with pytest.raises(AlreadyVoted, match="a vote is final"):
        require_may_cast(a_proposal(), has_voted=True, now=END)


def test_late_ballot_is_refused() -> None:
    """After the end no ballot is taken, whether or not closing has run."""
    with pytest.raises(VotingClosed, match="is over"):
        require_may_cast(a_proposal(), has_voted=False, now=END)
