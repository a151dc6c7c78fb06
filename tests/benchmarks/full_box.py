"""A vote with many sealed ballots, stored without the payments that give the votes."""

from datetime import UTC, datetime
from secrets import token_bytes, token_hex

from jara.bootstrap import Application
from jara.domain.email_kinds import EmailChoice
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.publiclog.ballots import Ballot, Claim, box_token, claim_token, voter_token
from jara.security.sealing import IV_BYTES, BallotSealer
from jara.services.ballots.casting import ballot_key
from jara.services.context import Context
from jara.store.sql.codecs import instant_text
from jara.store.unit_of_work import UnitOfWork
from tests.faults.fault_world import put_to_vote

DROPPED_EVERY = 50
"""One in so many voters has no contribution left at the close."""


def fill_box(application: Application, ends: str, ballots: int) -> str:
    """Open a vote that ends at an instant, and add members who have voted; return its id."""
    context = application.context
    proposal = put_to_vote(application, "full", ends=ends)
    with application.database.transaction(write=True) as sql:
        work = UnitOfWork(sql)
        for number in range(ballots):
            member = _add_voter(context, work, proposal, number)
            if number % DROPPED_EVERY:
                sql.append(
                    "INSERT INTO electors (member_id, dollars, votes_until, member_key) "
                    "VALUES (:id, :dollars, :until, :key)",
                    (member.id, 10, instant_text(datetime.max.replace(tzinfo=UTC)), member.key),
                )
            else:
                sql.append("INSERT INTO lapsed_members (member_key) VALUES (:key)", (member.key,))
    return proposal


def seal_vote(key: bytes, proposal: str, member_id: str, number: int) -> tuple[str, bytes]:
    """Return the box token of a member, and their sealed ballot: two of three say yes."""
    token = box_token(key, proposal, member_id)
    voter = voter_token(key, proposal, member_id)
    ballot = Ballot(voter, token_hex(32), "up" if number % 3 else "down", PaymentWay.CARD)
    return token, BallotSealer(key, proposal).seal(token, ballot.pack(), iv=token_bytes(IV_BYTES))


def claim_tokens(key: bytes, proposal: str, payer: str, address: str, card: str) -> list[str]:
    """Return the tokens of a ballot's claims."""
    claims = {Claim.PAYER: payer, Claim.ADDRESS: address, Claim.CARD: card}
    return [claim_token(key, claim, proposal, value) for claim, value in claims.items()]


def _add_voter(context: Context, work: UnitOfWork, proposal: str, number: int) -> Member:
    key = ballot_key(context, proposal)
    member = Member(
        id=context.new_id(),
        key=context.new_key("m_"),
        firstname="Voter",
        lastname=str(number),
        email=f"voter.{number}@example.net",
        country="Canada",
        email_choice=EmailChoice.NOTHING,
        joined_at=context.now(),
    )
    work.members.add(member, password_hash=None)
    token, sealed = seal_vote(key, proposal, member.id, number)
    claims = claim_tokens(key, proposal, member.key, member.email, f"card-{number}")
    work.box.add(proposal, token, sealed, claims=claims)
    return member
