"""Counting a vote: its tally, its roll, and the ballots that are voided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jara.domain.publiclog import ballots as box
from jara.domain.publiclog.leaves import ballot_void_leaf
from jara.domain.voting.proposal import ProposalStatus
from jara.domain.voting.tally import Tally
from jara.services.ballots.casting import ballot_key
from jara.services.ballots.electorate import changemakers
from jara.services.context import Context
from jara.services.ports.database import UnitOfWork
from jara.services.ports.voting import ProposalRecord

VOID_REASON = "no_contribution_left"
"""The only reason to void a ballot; it is written to the public log."""


@dataclass(frozen=True, slots=True)
class RollView:
    """Who is on the roll of a vote.

    Args:
        final: whether the vote is closed; then voters are known by their tokens only.
        size: the number of electors.
        members: of an open vote, the ids of today's changemakers, sorted.
        voted: of an open vote, how many others stay on the roll because they voted.
        voters: of a closed vote, the tokens, sorted.
        root: of a closed vote, the Merkle root of the tokens.
    """

    final: bool
    size: int
    members: tuple[str, ...] = ()
    voted: int = 0
    voters: tuple[str, ...] = ()
    root: str | None = None


def count_vote(context: Context, work: UnitOfWork, record: ProposalRecord) -> Tally:
    """Return the tally: the frozen one of a closed vote, today's of an open one.

    It reads maintained counts, so its cost does not grow with the number of ballots.
    """
    proposal_id = record.proposal.id
    yes, no, void = work.ballots.counts(proposal_id)
    if record.roll_size is not None:
        return Tally(yes=yes, no=no, void=void, roll=record.roll_size)
    electors = changemakers(work, context.now()).count
    lapsed = _count_lapsed(context, work, proposal_id, void=void)
    return Tally(yes=yes, no=no, void=void, roll=electors + lapsed)


def show_roll(context: Context, text: str) -> RollView:
    """Return who is on the roll of a vote."""
    with context.store.read() as work:
        record = work.proposals.find(text)
        proposal_id = record.proposal.id
        if record.is_final:
            voters = work.ballots.roll(proposal_id)
            return RollView(
                final=True,
                size=len(voters),
                voters=tuple(voters),
                root=box.roll_root(voters),
            )
        electors = work.electors.member_ids(context.now())
        void = work.ballots.counts(proposal_id)[2]
        lapsed = _count_lapsed(context, work, proposal_id, void=void)
        return RollView(
            final=False,
            size=len(electors) + lapsed,
            members=tuple(sorted(electors)),
            voted=lapsed,
        )


def void_ballots(context: Context, work: UnitOfWork, member_keys: Iterable[str]) -> list[int]:
    """Void the ballots in open votes of members who have no payment left that counts.

    Posting a refund or a dispute calls this in the same transaction. The ballot of a
    member who left stands. So do the ballots of a vote whose key is lost: it can only be
    withdrawn, and the money is booked anyway.

    Returns:
        The log indexes of the voids.
    """
    voting = work.proposals.all(ProposalStatus.OPEN)
    if not voting:
        return []
    unpaid: list[str] = []
    for key in sorted(set(member_keys)):
        member = work.members.by_key(key)
        if member is not None and work.pledges.account(member.id).first_paid_on is None:
            unpaid.append(member.id)
    voids: list[int] = []
    for record in voting:
        if context.vault.ballot_key(record.proposal.id) is not None:
            voids += _void_in(context, work, record.proposal.id, unpaid)
    return voids


def void_lost_ballots(context: Context, work: UnitOfWork, proposal_id: str) -> list[int]:
    """Void, before a vote closes, every ballot that no longer counts."""
    return _void_in(context, work, proposal_id, work.payments.lost_voters(proposal_id))


def _void_in(
    context: Context, work: UnitOfWork, proposal_id: str, member_ids: Iterable[str]
) -> list[int]:
    voids: list[int] = []
    for member_id in member_ids:
        if not work.ballots.has_voted(proposal_id, member_id):
            continue
        voter = box.voter_token(ballot_key(context, proposal_id), proposal_id, member_id)
        ballot = work.ballots.get(proposal_id, voter)
        if ballot is None or work.ballots.is_void(proposal_id, voter):
            continue
        leaf = work.log.append(ballot_void_leaf(ballot.log_index, VOID_REASON))
        work.ballots.void(ballot, log_index=leaf.index)
        voids.append(leaf.index)
    return voids


def _count_lapsed(context: Context, work: UnitOfWork, proposal_id: str, *, void: int) -> int:
    """Count voters who are no longer changemakers but whose ballot stands."""
    lapsed = work.electors.lapsed(proposal_id, context.now())
    if not void:
        return len(lapsed)
    key = context.vault.ballot_key(proposal_id)
    if key is None:
        # Without the key nobody knows whose ballots were voided. This estimate decides
        # nothing: a vote whose key is lost can only be withdrawn.
        return max(0, len(lapsed) - void)
    voided = set(work.ballots.voided_voters(proposal_id))
    tokens = (box.voter_token(key, proposal_id, one) for one in lapsed)
    return sum(token not in voided for token in tokens)
