"""Casting a ballot.

One transaction checks the right to vote and adds the participation, the ballot and its
leaf in the public log. No row, log line or audit row links a member to a choice or to a
place in the log.
"""

from __future__ import annotations

import hmac

from jara.domain.errors import AlreadyVoted, NotFound, Unavailable
from jara.domain.publiclog import ballots as box
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import ballot_leaf
from jara.domain.voting.ballot import Choice
from jara.domain.voting.proposal import require_taking_ballots
from jara.services.ballots.electorate import require_elector
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
from jara.services.rate_limits import Limit, Limits, acquire_in_memory


def vote(
    context: Context,
    limits: Limits,
    proposal: str,
    member_id: str,
    choice: Choice,
    *,
    nonce: bytes | None = None,
) -> Receipt:
    """Cast a member's vote on the website, within the rate limit; return the receipt.

    Several votes may share a transaction. A refused vote uses up the limit too. The
    proposal is named by its full id or slug, so that nothing else can be voted on.

    Raises:
        TooManyRequests: the member tries too often.
        JaraError: the vote is refused; see `cast_ballot`.
    """
    acquire_in_memory(context, limits, Limit.VOTE_MEMBER, member_id)
    drawn = draw_nonce(context) if nonce is None else nonce

    def cast(work: UnitOfWork) -> ProvenLeaf:
        record = work.proposals.named(proposal)
        if record is None or not record.proposal.is_public:
            raise NotFound(f"There is no proposal '{proposal}'.")
        return cast_within(context, work, record, member_id, choice, nonce=drawn)

    return make_receipt(context, context.store.write_grouped(cast), drawn)


def cast_ballot(
    context: Context, text: str, member_id: str, choice: Choice, *, nonce: bytes | None = None
) -> Receipt:
    """Cast a member's vote and return the receipt. A vote is final.

    The same nonce with the same choice returns the same receipt, so a client may retry.

    Args:
        context: the application's context.
        text: the proposal's id or slug.
        member_id: the voter.
        choice: yes or no.
        nonce: 16 random bytes by which the voter recognises the ballot; drawn if absent.

    Raises:
        AlreadyVoted: the member has voted.
        VotingClosed: the proposal takes no ballots now.
        NotAChangemaker: the member may not vote; the message says from when they may.
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
    """Draw the nonce for a voter who sent none."""
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
    """Cast a member's vote inside a transaction; see `cast_ballot`."""
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
    require_taking_ballots(proposal, context.now())
    require_elector(work, member.id, context.now())
    voter = box.voter_token(ballot_key(context, proposal.id), proposal.id, member.id)
    proven = append_proven(work, ballot_leaf(proposal.id, voter, choice.value, mark))
    ballot = BallotRecord(proposal.id, voter, choice, proven.leaf.index)
    work.ballots.add(ballot, member_id=member.id)
    return proven


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
    """Return the member's ballot if this request repeats it."""
    key = context.vault.ballot_key(proposal_id)
    if key is None:
        return None
    ballot = work.ballots.get(proposal_id, box.voter_token(key, proposal_id, member_id))
    if ballot is None:
        return None
    stored = canonical.decode(work.log.leaf(ballot.log_index).body)
    expected = ballot_leaf(proposal_id, ballot.voter, choice.value, mark)
    same = hmac.compare_digest(canonical.encode(stored), canonical.encode(expected))
    return ballot if same else None
