"""Proposals and ballots."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from jara.domain.voting.proposal import DECIDED, Proposal
from jara.domain.voting.tally import Choice


class ProposalRecord(NamedTuple):
    """A proposal and its state in the log."""

    proposal: Proposal
    created_at: datetime
    opened_at: datetime | None = None
    opened_index: int | None = None
    decided_at: datetime | None = None
    closed_index: int | None = None
    roll_size: int | None = None
    key_destroyed_at: datetime | None = None

    @property
    def is_final(self) -> bool:
        """Whether the vote is closed and its roll frozen."""
        return self.proposal.status in DECIDED


class SealedBallot(NamedTuple):
    """A ballot of an open vote; only the key of the vote opens it.

    Args:
        proposal: the id of the proposal.
        place: its number in the vote, from 1 on.
        box: the token of its member.
        sealed: the encrypted ballot, of constant length.
    """

    proposal: str
    place: int
    box: str
    sealed: bytes


class BallotRecord(NamedTuple):
    """A ballot in the public log; the voter is a token, never a member."""

    proposal: str
    voter: str
    choice: Choice
    log_index: int
