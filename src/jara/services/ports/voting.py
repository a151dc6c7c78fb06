"""Ports of the votes: proposals, ballots, rolls, and who took part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from jara.domain.voting.ballot import Choice
from jara.domain.voting.proposal import DECIDED, Proposal, ProposalStatus


class ProposalRecord(NamedTuple):
    """A proposal and what the log says of it."""

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
    """One accepted ballot; the voter is a token, never a member."""

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
        """Return the proposal with that id, slug, or unique beginning of either.

        Raises:
            NotFound: none fits.
            Conflict: several do.
        """
        ...

    def put(self, record: ProposalRecord) -> None:
        """Store a proposal as it is now."""
        ...

    def all(self, *statuses: ProposalStatus) -> list[ProposalRecord]:
        """Return the proposals in these states, or all.

        Open ones come first, the one that ends soonest first, then the others, newest first.
        """
        ...

    def next_end(self, now: datetime) -> datetime | None:
        """Return when the next of the open votes ends; None where none will."""
        ...


class BallotRepository(Protocol):
    """Ballots, and who took part: never together while the ballot key exists.

    Until the key is destroyed, only the voter's token says that somebody has voted. The list
    of who took part is written once, sorted, when the key is destroyed.
    """

    def participations(self, member_id: str) -> list[str]:
        """Return the proposals whose list of participants names a member, sorted."""
        ...

    def votes_to_search(self, member_id: str) -> list[tuple[str, bool]]:
        """Return the votes that may know a member, sorted, with whether their list names them.

        A vote whose ballot key exists has no list; its ballots are searched for the member's token.
        """
        ...

    def participants(self, proposal: str) -> set[str]:
        """Return the ids on the list of participants; empty while the ballot key exists."""
        ...

    def write_participants(self, proposal: str, member_ids: Iterable[str]) -> None:
        """Write the list of participants, sorted, and delete the vote's claims."""
        ...

    def add(self, ballot: BallotRecord, *, claims: Iterable[str]) -> None:
        """Store a ballot with its claims, and count it.

        Raises:
            AlreadyVoted: the voter has a ballot.
        """
        ...

    def claimed(self, proposal: str, claims: Iterable[str]) -> dict[str, list[str]]:
        """Return the voters of each claim that has any, sorted."""
        ...

    def add_claims(self, proposal: str, voter: str, claims: Iterable[str]) -> None:
        """Store the claims of a ballot."""
        ...

    def open_participations(self) -> list[tuple[str, str]]:
        """Return proposal and member of the lists that an earlier version left, sorted."""
        ...

    def forget_open_participations(self) -> None:
        """Delete the lists that an earlier version left."""
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
        """Void a ballot; it stays listed and is no longer counted."""
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
        """Return the tokens of the ballots that were voided, sorted."""
        ...

    def freeze_roll(self, proposal: str, voters: Iterable[str]) -> None:
        """Store the roll of a closed vote."""
        ...

    def roll(self, proposal: str) -> list[str]:
        """Return the roll of a closed vote, sorted."""
        ...
