"""Casting a ballot, and the right to do so.

One transaction checks the right to vote and adds the sealed ballot and its claims. The public
log lists ballots only when the vote closes, and no row, log line or audit row names a member who
votes; see `jara.services.ballots.counting`.
"""

import hmac
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from jara.domain.checks.log import read_leaf
from jara.domain.errors import (
    AlreadyVoted,
    CardVoted,
    NotAChangemaker,
    NotFound,
    Unavailable,
    VotingClosed,
)
from jara.domain.giving.changemaker import ADDRESS_HOLD, Changemakers, require_changemaker
from jara.domain.giving.member import Member, email_key
from jara.domain.giving.pledge import Pledge
from jara.domain.publiclog import ballots as box
from jara.domain.publiclog.ballots import Ballot
from jara.domain.publiclog.leaves import Leaf
from jara.domain.texts import tr
from jara.domain.voting.proposal import Proposal, require_taking_ballots
from jara.domain.voting.tally import Choice
from jara.records.access import AddressChange, Agreement
from jara.records.voting import ProposalRecord
from jara.security.sealing import IV_BYTES, BallotSealer
from jara.services.context import Context
from jara.services.organisation import read_identity, require_own_secrets
from jara.services.publiclog.receipts import Receipt, make_receipt, require_promise_key
from jara.services.rate_limits import Limit, Limits, acquire_in_memory
from jara.store.unit_of_work import UnitOfWork


class CastBallot(NamedTuple):
    """The leaf of a ballot, which the log has or will have, and its proposal."""

    proposal: Proposal
    leaf: Leaf


class Claims(NamedTuple):
    """The tokens that allow one ballot each; those of the cards by fingerprint."""

    payer: str
    address: str
    cards: Mapping[str, str]

    @property
    def tokens(self) -> tuple[str, ...]:
        """All tokens."""
        return (self.payer, self.address, *self.cards.values())


def changemakers(work: UnitOfWork, now: datetime) -> Changemakers:
    """Return how many changemakers there are, from maintained counts."""
    count, dollars = work.electors.figures(now)
    return Changemakers(count=count, monthly_cents=dollars * 100)


def require_elector(work: UnitOfWork, member_id: str, now: datetime) -> Pledge | None:
    """Return the pledge of a member who may vote now.

    Raises:
        NotAChangemaker: the message says from when or how the member may vote.
    """
    account = work.pledges.account(member_id, now=now)
    require_changemaker(
        account.pledge,
        account.first_paid_on,
        now=now,
        zone=work.zone,
        paid_until=account.paid_until,
        waits_for=account.waits_for,
    )
    return account.pledge


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
    own_nonce = draw_nonce(context) if nonce is None else nonce

    def cast(work: UnitOfWork) -> CastBallot:
        record = work.proposals.named(proposal)
        if record is None or not record.proposal.is_public:
            raise NotFound("There is no proposal '{proposal}'.", proposal=proposal)
        return cast_within(context, work, record, member_id, choice, nonce=own_nonce)

    return make_receipt(context, *context.store.write_grouped(cast), own_nonce)


def cast_ballot(
    context: Context, text: str, member_id: str, choice: Choice, *, nonce: bytes | None = None
) -> Receipt:
    """Cast a member's vote and return the receipt. A vote is final.

    The same nonce with the same choice returns the same receipt, so a client may retry. `text` is
    the proposal's id or slug. `nonce` is 16 random bytes by which the voter recognises the ballot;
    drawn if absent.

    Raises:
        AlreadyVoted: the member, or an earlier account with the address, has voted.
        CardVoted: another member with the same card has voted.
        VotingClosed: the proposal takes no ballots now.
        NotAChangemaker: the member may not vote; the message says from when they may.
        NotFound: there is no such proposal or member.
    """
    own_nonce = draw_nonce(context) if nonce is None else nonce
    with context.store.write() as work:
        record = work.proposals.find(text)
        if not record.proposal.is_public:
            raise NotFound("There is no proposal '{proposal}'.", proposal=text)
        cast = cast_within(context, work, record, member_id, choice, nonce=own_nonce)
    return make_receipt(context, *cast, own_nonce)


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
) -> CastBallot:
    """Cast a member's vote inside a transaction; see `cast_ballot`."""
    require_own_secrets(context, work)
    require_promise_key(context, work)  # no vote without a receipt
    context.vault.log_signer().require_ready(work.log)  # nor in a log that nobody can sign any more
    proposal = record.proposal
    member = work.members.get(member_id)
    if member is None or not member.is_open:
        raise NotFound("There is no member '{member}'.", member=member_id)
    mark = box.nonce_hash(proposal.id, nonce)
    key = context.vault.ballot_key(proposal.id)
    earlier = _earlier_leaf(work, key, proposal, member.id)
    if earlier is not None:
        if earlier["choice"] == choice and hmac.compare_digest(earlier["nonce_hash"], mark):
            return CastBallot(proposal, earlier)
        raise AlreadyVoted(
            "Your vote on '{title}' is counted; a vote is final.", title=proposal.title
        )
    require_taking_ballots(proposal, context.now())
    if work.closings.get(proposal.id) is not None:  # another host's clock is ahead
        raise VotingClosed("The vote on '{title}' is over.", title=proposal.title)
    pledge = require_elector(work, member.id, context.now())
    if member.id in held_members(work, record):
        raise NotAChangemaker(
            "An operator changed the email address of your account. You can vote here once you "
            "have followed the link in the email to the old address, or a second operator has "
            "confirmed the change."
        )
    key = _require_key(key, proposal.id)
    cards = cards_of(work, member, pledge, context.now())
    claims = claims_of(key, proposal.id, member, cards)
    _require_free(context, work, proposal, claims)
    voter = box.voter_token(key, proposal.id, member.id)
    way = work.payments.giving_votes([member.key])[member.key].way
    ballot = Ballot(voter, mark, choice.value, way)
    _seal(context, work, key, proposal.id, member.id, ballot, claims.tokens)
    return CastBallot(proposal, ballot.leaf(proposal.id))


def _seal(
    context: Context,
    work: UnitOfWork,
    key: bytes,
    proposal: str,
    member_id: str,
    ballot: Ballot,
    claims: Iterable[str],
) -> None:
    """Put a ballot into the box.

    Raises:
        Unavailable: the ballots in the box have another key.
    """
    sealer = BallotSealer(key, proposal)
    first = work.box.first(proposal)
    if first is not None:
        sealer.open(first.box, first.sealed)
    token = box.box_token(key, proposal, member_id)
    sealed = sealer.seal(token, ballot.pack(), iv=context.entropy.token(IV_BYTES))
    work.box.add(proposal, token, sealed, claims=claims)


def ballot_key(context: Context, proposal_id: str) -> bytes:
    """Return the key of a vote.

    Raises:
        Unavailable: it is lost, or was destroyed.
    """
    return _require_key(context.vault.ballot_key(proposal_id), proposal_id)


def _require_key(key: bytes | None, proposal_id: str) -> bytes:
    if key is None:
        raise Unavailable(
            "The ballot key of '{proposal}' is lost; the vote can only be withdrawn.",
            proposal=proposal_id,
        )
    return key


def _earlier_leaf(
    work: UnitOfWork, key: bytes | None, proposal: Proposal, member_id: str
) -> Leaf | None:
    """Return the leaf of the member's ballot, if they have voted.

    Raises:
        AlreadyVoted: the member has voted, but without the vote's key the ballot is unknown; or
            it was dropped at the close.
    """
    if key is None:
        if proposal.id in work.ballots.participations(member_id):
            raise AlreadyVoted("Your vote on this proposal is counted; a vote is final.")
        return None
    token = box.box_token(key, proposal.id, member_id)
    stored = work.box.get(proposal.id, token)
    if stored is not None:
        ballot = box.unpack_ballot(BallotSealer(key, proposal.id).open(token, stored.sealed))
        return ballot.leaf(proposal.id)
    voter = box.voter_token(key, proposal.id, member_id)
    listed = work.ballots.get(proposal.id, voter)
    if listed is not None:
        return read_leaf(work.log.leaf(listed.log_index).body)
    if work.ballots.is_dropped(proposal.id, voter):
        raise AlreadyVoted(
            "Your vote on '{title}' was not counted: no contribution of yours was left when it "
            "closed.",
            title=proposal.title,
        )
    return None


def _require_free(context: Context, work: UnitOfWork, proposal: Proposal, claims: Claims) -> None:
    """Refuse a second ballot of one address, or of one card that is not shared.

    Raises:
        AlreadyVoted: an earlier account with this address has voted.
        CardVoted: another member with this card has voted.
    """
    taken = work.box.claimed(proposal.id, claims.tokens)
    if not taken:
        return
    contact = read_identity(context, work).contact
    if claims.address in taken or claims.payer in taken:
        raise AlreadyVoted(
            "A vote with your email address is already counted on '{title}'.{ask}",
            title=proposal.title,
            ask=tr(" If that is wrong, write to {contact}.", contact=contact) if contact else "",
        )
    cards = [card for card, token in claims.cards.items() if token in taken]
    if not work.pledges.shared_among(cards).issuperset(cards):
        raise CardVoted(
            "A vote paid with the same card or account is already counted on '{title}'. Each has "
            "one vote. If your family shares it, ask us to allow that{at}."
            if context.takes_cards
            else "A vote paid from the same account is already counted on '{title}'. Each has "
            "one vote. If your family shares it, ask us to allow that{at}.",
            title=proposal.title,
            at=tr(": {contact}", contact=contact) if contact else "",
        )


def held_members(work: UnitOfWork, record: ProposalRecord) -> frozenset[str]:
    """Return the ids of the members who may not vote here, because their address was changed."""
    changes = [*_changes_about(work, record), *work.address_changes.first_addresses()]
    return frozenset(one.member_id for one in changes if one.state is Agreement.WAITING)


def earlier_addresses(work: UnitOfWork, record: ProposalRecord) -> dict[str, dict[str, str]]:
    """Return the old addresses that hear of a vote too, each with a mark, by the member's id.

    A second operator's signature does not end it; the old address's own agreement does.
    """
    addresses: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for change in _changes_about(work, record):
        if change.state is not Agreement.OWNER and change.email:
            addresses[change.member_id][change.email] = change.code_hash
    return addresses


def _changes_about(work: UnitOfWork, record: ProposalRecord) -> list[AddressChange]:
    """Return the changes at most 14 days before a vote opened, or later."""
    if record.opened_at is None:
        return []
    return work.address_changes.since(record.opened_at - ADDRESS_HOLD)


def cards_of(
    work: UnitOfWork, member: Member, pledge: Pledge | None, now: datetime
) -> frozenset[str]:
    """Return the fingerprints of the cards and accounts whose payments give a member the vote.

    For a payment whose card is not known, that of the pledge.
    """
    of_pledge = None if pledge is None else pledge.card_fingerprint
    cards = [card or of_pledge for card in work.electors.cards_of(member.key, now)]
    return frozenset(card for card in cards if card is not None)


def claims_of(key: bytes, proposal: str, member: Member, cards: Iterable[str]) -> Claims:
    """Return the tokens of a member's payer key, address, and cards.

    Somebody without a card has a card token that nobody else has: else the number of rows would
    tell in a backup which ballots are of members who pay otherwise.
    """

    def token(claim: box.Claim, value: str) -> str:
        return box.claim_token(key, claim, proposal, value)

    return Claims(
        token(box.Claim.PAYER, member.key),
        token(box.Claim.ADDRESS, email_key(member.email)),
        {card: token(box.Claim.CARD, card) for card in sorted(cards) or [f"none:{member.key}"]},
    )
