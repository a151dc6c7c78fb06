"""Ports of the votes: proposals, ballots, rolls and participants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from jara.domain.voting.ballot import Choice
from jara.domain.voting.proposal import DECIDED, Proposal, ProposalStatus


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


class BallotRecord(NamedTuple):
    """An accepted ballot; the voter is a token, never a member."""

    proposal: str
    voter: str
    choice: Choice
    log_index: int


class ProposalRepository(Protocol):
    """Proposals in every state."""

    def get(self, proposal_id: str) -> ProposalRecord | None:
        """Return a proposal by its id."""
        ...

    def among(self, proposal_ids: Sequence[str]) -> list[ProposalRecord]:
        """Return the proposals with these ids, by id."""
        ...

    def named(self, name: str) -> ProposalRecord | None:
        """Return the proposal with exactly that id or slug."""
        ...

    def find(self, text: str) -> ProposalRecord:
        """Return the proposal with that id, slug, or unique prefix of either.

        Raises:
            NotFound: no proposal matches.
            Conflict: several proposals match.
        """
        ...

    def put(self, record: ProposalRecord) -> None:
        """Add or update a proposal."""
        ...

    def all(self, *statuses: ProposalStatus) -> list[ProposalRecord]:
        """Return the proposals in these states, or all.

        Open proposals come first, soonest end first; then the others, newest first.
        """
        ...

    def next_end(self, now: datetime) -> datetime | None:
        """Return when the next open vote ends; None if there is none."""
        ...


class BallotRepository(Protocol):
    """Ballots and participants: never stored together while the ballot key exists.

    Until the key is destroyed, only the voter's token shows that a member has voted. The list
    of participants is written once, sorted, when the key is destroyed.
    """

    def participations(self, member_id: str) -> list[str]:
        """Return the proposals that list a member as a participant, sorted."""
        ...

    def votes_to_search(self, member_id: str) -> list[tuple[str, bool]]:
        """Return the votes a member may have taken part in, sorted, and whether a list names them.

        While the ballot key exists there is no list; search the ballots for the member's token.
        """
        ...

    def participants(self, proposal: str) -> set[str]:
        """Return the ids of the participants; empty while the ballot key exists."""
        ...

    def write_participants(self, proposal: str, member_ids: Iterable[str]) -> None:
        """Write the list of participants, sorted, and delete the vote's claims."""
        ...

    def add(self, ballot: BallotRecord, *, claims: Iterable[str]) -> None:
        """Store a ballot with its claims, and count it.

        Raises:
            AlreadyVoted: the voter already has a ballot.
        """
        ...

    def claimed(self, proposal: str, claims: Iterable[str]) -> dict[str, list[str]]:
        """Return the sorted voters of each claim that has voters."""
        ...

    def add_claims(self, proposal: str, voter: str, claims: Iterable[str]) -> None:
        """Store the claims of a ballot."""
        ...

    def open_participations(self) -> list[tuple[str, str]]:
        """Return proposal and member from the lists of an earlier version, sorted."""
        ...

    def forget_open_participations(self) -> None:
        """Delete the lists of an earlier version."""
        ...

    def count_standing(self, proposal: str, claims: Iterable[str]) -> int:
        """Return how many counted ballots have one of these claims."""
        ...

    def count_sharing(self, proposal: str) -> int:
        """Return how many counted ballots share a claim with another counted ballot."""
        ...

    def get(self, proposal: str, voter: str) -> BallotRecord | None:
        """Return the ballot of a voter token."""
        ...

    def void(self, ballot: BallotRecord, *, log_index: int) -> None:
        """Void a ballot; it stays listed but is no longer counted."""
        ...

    def is_void(self, proposal: str, voter: str) -> bool:
        """Return whether a ballot was voided."""
        ...

    def counts(self, proposal: str) -> tuple[int, int, int]:
        """Return the maintained counts: yes, no, void."""
        ...

    def recount(self, proposal: str) -> tuple[int, int, int]:
        """Return yes, no, void recounted from the ballots."""
        ...

    def ballots(self, proposal: str) -> Iterator[BallotRecord]:
        """Return the ballots of a proposal in log order."""
        ...

    def unvoided_voters(self, proposal: str) -> list[str]:
        """Return the tokens of the ballots that count, sorted."""
        ...

    def voided_voters(self, proposal: str) -> list[str]:
        """Return the tokens of the voided ballots, sorted."""
        ...

    def freeze_roll(self, proposal: str, voters: Iterable[str]) -> None:
        """Store the roll of a closed vote."""
        ...

    def roll(self, proposal: str) -> list[str]:
        """Return the roll of a closed vote, sorted."""
        ...
