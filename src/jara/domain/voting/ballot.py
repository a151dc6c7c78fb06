"""One elector's answer, which is final."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from jara.domain.errors import AlreadyVoted, InvalidInput
from jara.domain.voting.proposal import Proposal, require_taking_ballots

_HASH_DIGITS = frozenset("0123456789abcdef")
_HASH_LENGTH = 64


class Choice(StrEnum):
    """Yes or no, in the words of the public log (trust §2)."""

    UP = "up"
    DOWN = "down"

    @property
    def wire(self) -> str:
        """The word of the website's calls: ``upvote`` or ``downvote`` (spec §3)."""
        return f"{self}vote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """A counted answer; it names a voter's code and never a member (trust §2).

    Args:
        index: its place in the public log.
        proposal_id: what it is about.
        voter: the voter's code, 64 hexadecimal digits.
        choice: yes or no.
        nonce_hash: what the voter's own random number becomes, 64 hexadecimal digits.
        voided: whether a later leaf of the log takes it out of the count.
    """

    index: int
    proposal_id: str
    voter: str
    choice: Choice
    nonce_hash: str
    voided: bool = False

    def __post_init__(self) -> None:
        for what, digits in (("voter", self.voter), ("nonce hash", self.nonce_hash)):
            if len(digits) != _HASH_LENGTH or not _HASH_DIGITS.issuperset(digits):
                raise InvalidInput(
                    f"The {what} of ballot {self.index} is not {_HASH_LENGTH} hexadecimal digits."
                )


def parse_choice(text: str) -> Choice:
    """Read ``upvote`` or ``downvote``, or ``up`` or ``down`` as in the log.

    Raises:
        InvalidInput: anything else.
    """
    for choice in Choice:
        if text in {choice.value, choice.wire}:
            return choice
    raise InvalidInput(f"'{text[:20]}' is no vote; it is upvote or downvote.")


def require_may_cast(proposal: Proposal, *, has_voted: bool, now: datetime) -> None:
    """Refuse a second ballot, and one outside the time of the vote.

    Who has voted is told so even after the end. Whether the member is a changemaker is
    asked beside this.

    Raises:
        AlreadyVoted: the member's ballot stands, or was voided.
        VotingClosed: the proposal takes no ballots now.
    """
    if has_voted:
        raise AlreadyVoted(f"Your vote on '{proposal.title}' is counted; a vote is final.")
    require_taking_ballots(proposal, now)
