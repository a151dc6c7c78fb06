"""Who has voted, known by tokens while the ballot key exists and by a list afterwards.

A row that names a member would reveal the ballot: database pages, write-ahead logs and system
columns keep the order in which rows were written, and the public log has the same order. So
nothing is written about a member who votes. `write_participants` writes the list, sorted and in
one transaction, when the key is destroyed.
"""

from __future__ import annotations

from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge
from jara.domain.publiclog.ballots import Claim, claim_token, voter_token
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


def voted_on(context: Context, work: UnitOfWork, member_id: str) -> list[str]:
    """Return the ids of the proposals on which a member has voted, sorted."""
    found = []
    for proposal, is_listed in work.ballots.votes_to_search(member_id):
        key = None if is_listed else context.vault.ballot_key(proposal)
        if is_listed or (
            key is not None and work.ballots.get(proposal, voter_token(key, proposal, member_id))
        ):
            found.append(proposal)
    return found


def voters_among(
    context: Context, work: UnitOfWork, proposal: str, member_ids: frozenset[str]
) -> frozenset[str]:
    """Return which of these members have voted; nobody if the ballot key is lost."""
    key = context.vault.ballot_key(proposal)
    if key is None:
        return member_ids & work.ballots.participants(proposal)
    voters = {ballot.voter for ballot in work.ballots.ballots(proposal)}
    return frozenset(one for one in member_ids if voter_token(key, proposal, one) in voters)


def claims_of(key: bytes, proposal: str, member: Member, pledge: Pledge | None) -> dict[Claim, str]:
    """Return the tokens of a member's payer key, address and card."""
    values = {Claim.PAYER: member.key, Claim.ADDRESS: member.email.strip().casefold()}
    if pledge is not None and pledge.card_fingerprint is not None:
        values[Claim.CARD] = pledge.card_fingerprint
    return {claim: claim_token(key, claim, proposal, value) for claim, value in values.items()}


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
