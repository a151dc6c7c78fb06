"""Proposals and ballots."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from jara.domain.content.translations import texts_in
from jara.domain.language import Language
from jara.domain.voting.proposal import DECIDED, Proposal, ProposalStatus
from jara.domain.voting.tally import Choice


class ProposalRecord(NamedTuple):
    """A proposal and its state in the log.

    ``languages`` has its language and its translations (``jara.domain.content.translations``);
    the log has the hash of the original text only.
    """

    proposal: Proposal
    created_at: datetime
    opened_index: int | None = None
    closed_index: int | None = None
    roll_size: int | None = None
    key_destroyed_at: datetime | None = None
    languages: Mapping[str, Any] = MappingProxyType({})

    @property
    def opened_at(self) -> datetime | None:
        """UTC instant of opening."""
        return self.proposal.opened_at

    @property
    def decided_at(self) -> datetime | None:
        """UTC instant of closing or of withdrawing."""
        return self.proposal.decided_at

    @property
    def is_removed_sample(self) -> bool:
        """Whether it is sample content that was removed; only the public log still has it."""
        return self.proposal.is_sample and self.proposal.status is ProposalStatus.WITHDRAWN

    @property
    def is_listed(self) -> bool:
        """Whether the site's lists, feeds and map show it."""
        return self.proposal.is_public and not self.is_removed_sample

    def title_in(self, language: Language) -> str:
        """Return the title as a reader of a language sees it."""
        return str(texts_in(self.languages, language).get("title", self.proposal.title))

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
