"""Counting a vote: its tally, its roll, its voters, and the ballots that are voided.

While the ballot key exists, voters are known by tokens, and afterwards by a list. A row that
names a member would reveal the ballot: database pages, write-ahead logs and system columns keep
the order in which rows were written, and the public log has the same order. So nothing is
written about a member who votes. `write_participants` writes the list, sorted and in one
transaction, when the key is destroyed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jara.domain.publiclog.ballots import Claim, claim_token, roll_root, voter_token
from jara.domain.publiclog.leaves import ballot_void_leaf
from jara.domain.voting.proposal import Proposal, ProposalStatus
from jara.domain.voting.tally import Tally
from jara.records.voting import ProposalRecord
from jara.services.ballots.casting import ballot_key, changemakers, claims_of
from jara.services.context import Context, PaymentEvent
from jara.store.unit_of_work import UnitOfWork

VOID_REASON = "no_contribution_left"
"""The only reason to void a ballot; it is written to the public log."""


class RollView(NamedTuple):
    """Who is on the roll of a vote.

    Args:
        final: whether the vote is closed; then voters are known by their tokens only.
        size: the number of electors.
        members: for an open vote, the ids of today's changemakers, sorted.
        voted: for an open vote, how many others stay on the roll because they voted.
        voters: for a closed vote, the tokens, sorted.
        root: for a closed vote, the Merkle root of the tokens.
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
    lapsed = _count_lapsed(context, work, proposal_id)
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
                root=roll_root(voters),
            )
        electors = work.electors.member_ids(context.now())
        lapsed = _count_lapsed(context, work, proposal_id)
        return RollView(
            final=False,
            size=len(electors) + lapsed,
            members=tuple(sorted(electors)),
            voted=lapsed,
        )


def follow_payment(context: Context, work: UnitOfWork, event: PaymentEvent) -> None:
    """Void ballots of a member who lost money of a payment, if no contribution is left."""
    key = event.payment.entry.member_key
    if event.is_less and key is not None:
        void_ballots(context, work, [key])


def void_ballots(context: Context, work: UnitOfWork, member_keys: Iterable[str]) -> list[int]:
    """In open votes, void the ballots of payers who have no valid payment left.

    A refund or a dispute voids in its own transaction, also for a member who has left. If
    the key of a vote is lost, its ballots stand: the vote can only be withdrawn. The money
    is booked anyway.

    Returns:
        The log indexes of the voids.
    """
    voting = work.proposals.all(ProposalStatus.OPEN)
    if not voting:
        return []
    unpaid = work.payments.without_contribution(member_keys)
    voids: list[int] = []
    for record in voting:
        if context.vault.ballot_key(record.proposal.id) is not None:
            voids += _void_in(context, work, record.proposal.id, unpaid)
    return voids


def void_lost_ballots(context: Context, work: UnitOfWork, proposal_id: str) -> list[int]:
    """Void, before a vote closes, every ballot that no longer counts."""
    unpaid = work.payments.without_contribution(work.electors.lapsed(context.now()))
    return _void_in(context, work, proposal_id, unpaid)


def _void_in(
    context: Context, work: UnitOfWork, proposal_id: str, member_keys: Iterable[str]
) -> list[int]:
    key = ballot_key(context, proposal_id)
    claims = [claim_token(key, Claim.PAYER, proposal_id, payer) for payer in member_keys]
    claimed = work.ballots.claimed(proposal_id, claims)
    voids: list[int] = []
    for voter in (voter for claim in claims for voter in claimed.get(claim, ())):
        ballot = work.ballots.get(proposal_id, voter)
        if ballot is None or work.ballots.is_void(proposal_id, voter):
            continue
        leaf = work.log.append(ballot_void_leaf(ballot.log_index, VOID_REASON))
        work.ballots.void(ballot, log_index=leaf.index)
        voids.append(leaf.index)
    return voids


def _count_lapsed(context: Context, work: UnitOfWork, proposal_id: str) -> int:
    """Count voters who are no longer changemakers but whose ballot stands.

    Without the key they are unknown; such a vote can only be withdrawn.
    """
    lapsed = work.electors.lapsed(context.now())
    key = context.vault.ballot_key(proposal_id) if lapsed else None
    if key is None:
        return 0
    claims = [claim_token(key, Claim.PAYER, proposal_id, payer) for payer in lapsed]
    return work.ballots.count_standing(proposal_id, claims)


def voted_on(context: Context, work: UnitOfWork, member_id: str) -> list[str]:
    """Return the ids of the proposals on which a member has voted, sorted."""
    proposals = []
    for proposal, is_listed in work.ballots.votes_to_search(member_id):
        key = None if is_listed else context.vault.ballot_key(proposal)
        if is_listed or (
            key is not None and work.ballots.get(proposal, voter_token(key, proposal, member_id))
        ):
            proposals.append(proposal)
    return proposals


def list_voted_on(context: Context, member_id: str) -> list[Proposal]:
    """Return the proposals on which a member has voted, without a transaction."""
    work = context.store.read_once()
    proposals = work.proposals.among(voted_on(context, work, member_id))
    return [record.proposal for record in proposals]


def ids_voted_on(context: Context, member_id: str) -> frozenset[str]:
    """Return the ids of the proposals on which a member has voted, without a transaction."""
    return frozenset(voted_on(context, context.store.read_once(), member_id))


def voters_among(
    context: Context, work: UnitOfWork, proposal: str, member_ids: frozenset[str]
) -> frozenset[str]:
    """Return which of these members have voted; nobody if the ballot key is lost."""
    key = context.vault.ballot_key(proposal)
    if key is None:
        return member_ids & work.ballots.participants(proposal)
    voters = {ballot.voter for ballot in work.ballots.ballots(proposal)}
    return frozenset(one for one in member_ids if voter_token(key, proposal, one) in voters)


def write_participants(context: Context, work: UnitOfWork, proposal: str) -> None:
    """Write who took part in a vote, in the transaction that destroys its key.

    Members who have left are not on the list. Nothing is written if the key is lost.
    """
    everybody = frozenset(member.id for member in work.members.all())
    voters = voters_among(context, work, proposal, everybody)
    if context.vault.ballot_key(proposal) is not None:
        work.ballots.write_participants(proposal, voters)


def move_old_lists(context: Context, work: UnitOfWork) -> int:
    """Turn lists of earlier versions into claims, and delete them; return how many rows.

    Until version 0.1, rows named the voters even while the vote's key existed.
    """
    rows = work.ballots.open_participations()
    for proposal, member_id in rows:
        key = context.vault.ballot_key(proposal)
        member = work.members.get(member_id)
        if key is None or member is None:
            continue
        voter = voter_token(key, proposal, member_id)
        claims = claims_of(key, proposal, member, work.pledges.get(member_id))
        if work.ballots.get(proposal, voter) is not None:
            work.ballots.add_claims(proposal, voter, claims.values())
    work.ballots.forget_open_participations()
    return len(rows)
