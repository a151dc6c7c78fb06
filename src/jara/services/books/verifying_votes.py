"""Checks of ballots and votes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jara.domain.checks import votes as check_votes
from jara.domain.checks.books import Finding
from jara.domain.checks.log import paired, read_leaf
from jara.domain.checks.votes import StoredVote
from jara.domain.errors import NotFound
from jara.domain.publiclog.leaves import LeafType
from jara.records.voting import ProposalRecord
from jara.services.books.verifying_scope import Scope
from jara.store.unit_of_work import UnitOfWork

_VOTE_CHANGES = (
    LeafType.PROPOSAL_OPEN,
    LeafType.PROPOSAL_WITHDRAW,
    LeafType.PROPOSAL_CLOSE,
)


def ballot_columns(scope: Scope) -> Iterator[Finding]:
    """Compare ballots and voids with their leaves."""
    inspection, start = scope.work.inspection, scope.start
    ballots = ((row.index, row) for row in inspection.ballots(start))
    yield from check_votes.check_ballot_columns(paired(_leaves(scope, LeafType.BALLOT), ballots))
    yield from check_votes.check_void_columns(
        paired(_leaves(scope, LeafType.BALLOT_VOID), inspection.voids(start))
    )


def votes(scope: Scope) -> Iterator[Finding]:
    """Check openings, rolls, counts and results, except of votes that ended before the point."""
    work = scope.work
    records = work.proposals.all()
    logged = (leaf.index for kind in _VOTE_CHANGES for leaf in work.log.leaves_of(kind))
    kept = (
        index
        for record in records
        for index in (record.opened_index, record.closed_index)
        if index is not None
    )
    yield from check_votes.check_vote_leaves(logged, kept)
    for record in records:
        if record.closed_index is None or record.closed_index >= scope.start:
            yield from check_votes.check_vote(stored_vote(work, record))


def stored_vote(work: UnitOfWork, record: ProposalRecord) -> StoredVote:
    """Return all stored data about a vote, for `check_vote`."""
    proposal = record.proposal
    return StoredVote(
        proposal=proposal,
        opened_index=record.opened_index,
        closed_index=record.closed_index,
        roll_size=record.roll_size,
        opening=_leaf_at(work, record.opened_index),
        ending=_leaf_at(work, record.closed_index),
        ballots=tuple(work.inspection.ballots_of(proposal.id)),
        roll=tuple(work.ballots.roll(proposal.id)),
        kept=work.ballots.counts(proposal.id),
        participants=len(work.ballots.participants(proposal.id)),
        key_destroyed=record.key_destroyed_at is not None,
    )


def _leaves(scope: Scope, kind: LeafType) -> Iterator[tuple[int, dict[str, Any]]]:
    leaves = scope.work.log.leaves_of(kind, scope.start)
    return ((leaf.index, read_leaf(leaf.body)) for leaf in leaves)


def _leaf_at(work: UnitOfWork, index: int | None) -> dict[str, Any]:
    try:
        return {} if index is None else read_leaf(work.log.leaf(index).body)
    except NotFound:
        return {}
