"""Proposals and ballots."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from jara.domain.content.kinds import PROPOSAL
from jara.domain.content.translations import texts_in, translate
from jara.domain.language import Language
from jara.domain.voting.proposal import DECIDED, Proposal, ProposalStatus
from jara.domain.voting.tally import Choice


class ProposalRecord(NamedTuple):
    """A proposal and its state in the log."""

    proposal: Proposal  # the proposal in its own language
    created_at: datetime  # UTC instant of the draft
    opened_index: int | None = None  # log index of the opening
    closed_index: int | None = None  # log index of the close or the withdrawal
    roll_size: int | None = None  # the size of the frozen roll
    key_destroyed_at: datetime | None = None  # when its ballot key was destroyed
    languages: Mapping[str, Any] = MappingProxyType({})
    """Its language and its translations (``jara.domain.content.translations``)."""
    opened_with: Mapping[str, Any] = MappingProxyType({})
    """The translations that changed after the opening, as they were then: the canonical text in
    each language."""

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

    def text_in(self, language: str) -> Proposal:
        """Return the proposal with the texts that a reader of a language gets."""
        texts = texts_in(self.languages, Language(language))
        return replace(
            self.proposal, text=translate(PROPOSAL.fields, dict(self.proposal.text), texts)
        )

    def title_in(self, language: Language) -> str:
        """Return the title as a reader of a language sees it."""
        return str(texts_in(self.languages, language).get("title", self.proposal.title))

    @property
    def is_final(self) -> bool:
        """Whether the vote is closed and its roll frozen."""
        return self.proposal.status in DECIDED


class SealedBallot(NamedTuple):
    """A ballot of an open vote; only the key of the vote opens it."""

    proposal: str  # the id of the proposal
    place: int  # its number in the vote, from 1 on
    box: str  # the token of its member
    sealed: bytes  # the encrypted ballot, of constant length


class BallotRecord(NamedTuple):
    """A ballot in the public log; the voter is a token, never a member."""

    proposal: str
    voter: str
    choice: Choice
    log_index: int


class Closing(NamedTuple):
    """A vote that is being closed."""

    proposal: str  # the vote
    leased_until: datetime  # until when one process works on it
    first_index: int | None = None  # the log index of its first ballot; None until the log has them
    ballots_moved: int = 0  # how many of its prepared leaves are in `ballots`
    roll_moved: str = ""  # the last token of its prepared roll that is in `rolls`
    told: str = ""  # the id of the last member for whom the email about the result is queued


class PreparedLeaf(NamedTuple):
    """A leaf for a ballot that counts, with its place among them."""

    place: int
    voter: str
    choice: str
    hash: bytes
    body: bytes
