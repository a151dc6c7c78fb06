"""Casting and counting ballots.

One transaction: right to vote, participation, ballot, leaf. No row, log line or audit row
joins a member with a choice or a place in the log (trust §2).
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from jara.domain.errors import AlreadyVoted, NotFound, Unavailable
from jara.domain.giving.contribution import has_qualifying
from jara.domain.publiclog import ballots as box
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import ballot_leaf, ballot_void_leaf
from jara.domain.voting.ballot import Choice, require_may_cast
from jara.domain.voting.proposal import ProposalStatus
from jara.domain.voting.tally import Tally
from jara.services.ballots.electorate import changemakers
from jara.services.ballots.electors import contributions_of, require_elector
from jara.services.context import Context
from jara.services.organisation import require_own_secrets
from jara.services.ports.database import UnitOfWork
from jara.services.ports.voting import BallotRecord, ProposalRecord
from jara.services.publiclog.receipts import (
    ProvenLeaf,
    Receipt,
    append_proven,
    find_proven,
    make_receipt,
)

VOID_REASON = "no_contribution_left"
"""The one reason for which a ballot is voided (trust §3); it stands in the public log."""


@dataclass(frozen=True, slots=True)
class RollView:
    """Who is on the roll of a vote.

    Args:
        final: whether the vote is closed; then the voters are known by their tokens.
        size: how many there are.
        members: of an open vote the ids of today's changemakers, sorted.
        voted: of an open vote how many others stay on it because they voted.
        voters: of a closed vote the tokens, sorted.
        root: of a closed vote the Merkle root of the tokens.
    """

    final: bool
    size: int
    members: tuple[str, ...] = ()
    voted: int = 0
    voters: tuple[str, ...] = ()
    root: str | None = None


def cast_ballot(
    context: Context, text: str, member_id: str, choice: Choice, *, nonce: bytes | None = None
) -> Receipt:
    """Count a member's vote and return the receipt; it is final.

    The same nonce with the same choice again gives the same receipt, so that a lost
    answer costs nothing.

    Args:
        context: where.
        text: the proposal's id or slug.
        member_id: whose vote it is.
        choice: yes or no.
        nonce: 16 random bytes by which the voter knows the ballot; drawn when absent.

    Raises:
        AlreadyVoted: the member's ballot is counted.
        VotingClosed: the proposal takes no ballots now.
        NotAChangemaker: the member may not vote; the message names the day.
        NotFound: there is no such proposal or member.
    """
    drawn = draw_nonce(context) if nonce is None else nonce
    with context.store.write() as work:
        record = work.proposals.find(text)
        if not record.proposal.is_public:
            raise NotFound(f"There is no proposal '{text}'.")
        ballot = cast_within(context, work, record, member_id, choice, nonce=drawn)
    return make_receipt(context, ballot, drawn)


def draw_nonce(context: Context) -> bytes:
    """Draw the nonce of a voter who brought none."""
    return context.entropy.token(box.NONCE_BYTES)


def cast_within(
    context: Context,
    work: UnitOfWork,
    record: ProposalRecord,
    member_id: str,
    choice: Choice,
    *,
    nonce: bytes,
) -> ProvenLeaf:
    """Count a member's vote inside a transaction; see `cast_ballot`."""
    require_own_secrets(context, work)
    proposal = record.proposal
    member = work.members.get(member_id)
    if member is None or not member.is_open:
        raise NotFound(f"There is no member '{member_id}'.")
    mark = box.nonce_hash(proposal.id, nonce)
    if work.ballots.has_voted(proposal.id, member.id):
        ballot = _same_ballot(context, work, proposal.id, member.id, choice, mark)
        if ballot is not None:
            return find_proven(work, ballot.log_index)
        raise AlreadyVoted(f"Your vote on '{proposal.title}' is counted; a vote is final.")
    require_may_cast(proposal, has_voted=False, now=context.now())
    require_elector(work, member, context.now())
    voter = box.voter_token(ballot_key(context, proposal.id), proposal.id, member.id)
    proven = append_proven(work, ballot_leaf(proposal.id, voter, choice.value, mark))
    ballot = BallotRecord(proposal.id, voter, choice, proven.leaf.index)
    work.ballots.add(ballot, member_id=member.id)
    return proven


def void_ballots(context: Context, work: UnitOfWork, member_keys: Iterable[str]) -> list[int]:
    """Void what members cast in open votes who have no qualifying contribution left.

    Posting calls this for a refund or a dispute, in the same transaction. A ballot of
    somebody who left stands (trust §3), and so do those of a vote whose key is lost: it
    can only be withdrawn, and money is booked all the same.

    Returns:
        The log indexes of the voids.
    """
    voting = work.proposals.all(ProposalStatus.OPEN)
    if not voting:
        return []
    lost: list[str] = []
    for key in sorted(set(member_keys)):
        member = work.members.by_key(key)
        if member is not None and not has_qualifying(contributions_of(work, key)):
            lost.append(member.id)
    voids: list[int] = []
    for record in voting:
        if context.vault.ballot_key(record.proposal.id) is not None:
            voids += _void_in(context, work, record.proposal.id, lost)
    return voids


def void_lost_ballots(context: Context, work: UnitOfWork, proposal_id: str) -> list[int]:
    """Void, before a vote closes, every ballot that must not count any more."""
    return _void_in(context, work, proposal_id, work.payments.lost_voters(proposal_id))


def count_vote(context: Context, work: UnitOfWork, record: ProposalRecord) -> Tally:
    """Return the counts: of a closed vote as they were frozen, of another as of now.

    Ballots and changemakers are counted as they come and go, so this costs the same
    however many there are.
    """
    proposal_id = record.proposal.id
    yes, no, void = work.ballots.counts(proposal_id)
    if record.roll_size is not None:
        return Tally(yes=yes, no=no, void=void, roll=record.roll_size)
    electors = changemakers(work, context.now()).count
    staying = _staying(context, work, proposal_id, void=void)
    return Tally(yes=yes, no=no, void=void, roll=electors + staying)


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
        staying = _staying(context, work, proposal_id, void=void)
        return RollView(
            final=False,
            size=len(electors) + staying,
            members=tuple(sorted(electors)),
            voted=staying,
        )


def ballot_key(context: Context, proposal_id: str) -> bytes:
    """Return the key of a vote.

    Raises:
        Unavailable: it is lost, or was destroyed.
    """
    key = context.vault.ballot_key(proposal_id)
    if key is None:
        raise Unavailable(
            f"The ballot key of '{proposal_id}' is lost; the vote can only be withdrawn."
        )
    return key


def _same_ballot(
    context: Context,
    work: UnitOfWork,
    proposal_id: str,
    member_id: str,
    choice: Choice,
    mark: str,
) -> BallotRecord | None:
    """Return the member's ballot when it is the one that is cast again."""
    key = context.vault.ballot_key(proposal_id)
    if key is None:
        return None
    ballot = work.ballots.get(proposal_id, box.voter_token(key, proposal_id, member_id))
    if ballot is None:
        return None
    kept = canonical.decode(work.log.leaf(ballot.log_index).body)
    expected = ballot_leaf(proposal_id, ballot.voter, choice.value, mark)
    same = hmac.compare_digest(canonical.encode(kept), canonical.encode(expected))
    return ballot if same else None


def _void_in(
    context: Context, work: UnitOfWork, proposal_id: str, lost: Iterable[str]
) -> list[int]:
    voids: list[int] = []
    for member_id in lost:
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


def _staying(context: Context, work: UnitOfWork, proposal_id: str, *, void: int) -> int:
    """Count who is on the roll only because their ballot stands."""
    lapsed = work.electors.lapsed(proposal_id, context.now())
    if not void:
        return len(lapsed)
    key = context.vault.ballot_key(proposal_id)
    if key is None:
        # Whose ballots were voided can no longer be told; nobody's count is decided by it,
        # since a vote whose key is lost can only be withdrawn.
        return max(0, len(lapsed) - void)
    voided = set(work.ballots.voided_voters(proposal_id))
    tokens = (box.voter_token(key, proposal_id, one) for one in lapsed)
    return sum(token not in voided for token in tokens)
