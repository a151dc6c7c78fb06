"""Counting a vote: its counts while it is open, its ballots at the close, its roll, its voters.

While a vote is open its ballots are sealed, and their counts are in memory only. Nothing is
written about a member who votes: a row that names one would reveal the ballot, since database
pages, write-ahead logs and system columns keep the order in which rows were written.
`write_participants` writes the list of voters, sorted and in one transaction, when the key is
destroyed.
"""

from array import array
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from jara.domain.checks.log import read_leaf
from jara.domain.control.effects import ACTS, Touch
from jara.domain.errors import Unavailable
from jara.domain.giving.changemaker import CARD_PERIOD, GRACE
from jara.domain.giving.member import Member
from jara.domain.publiclog import ballots
from jara.domain.publiclog.ballots import Ballot, Claim, box_token
from jara.domain.voting.proposal import ProposalStatus
from jara.domain.voting.tally import Choice, Tally
from jara.records.voting import ProposalRecord, SealedBallot
from jara.security.sealing import BallotSealer
from jara.services.ballots import casting
from jara.services.ballots.casting import Claims
from jara.services.context import Context, OpenCount
from jara.store.unit_of_work import UnitOfWork

_TAKING = sorted(
    action
    for action, act in ACTS.items()
    if Touch.VOTERS in act.touches and action != "members.share-card"
)
"""The acts that can take a vote."""
_COUNTS_KEPT = 32
"""For readers whose snapshots are older than the newest count: more than a process has threads."""


class BallotState(StrEnum):
    """What became of a member's ballot in one vote."""

    NONE = "none"
    SEALED = "sealed"
    """The vote is open."""
    COUNTED = "counted"
    DROPPED = "dropped"
    """No contribution of the member was left."""
    TOOK_PART = "took_part"
    """The key is destroyed: whether the ballot was counted is not known any more."""


class OffRoll(StrEnum):
    """Why a member is not on the roll of a vote."""

    PAYMENT = "payment"
    """Without a pledge that was paid lately."""
    ADDRESS = "address"
    """Paid, but the address is not confirmed."""
    NO_ADDRESS = "no_address"


class RollView(NamedTuple):
    """Who is on the roll of a vote."""

    final: bool  # whether the vote is closed; then voters are known by their tokens only
    size: int  # the number of electors
    members: tuple[str, ...] = ()  # for an open vote, the ids of today's changemakers, sorted
    voters: tuple[str, ...] = ()  # for a closed vote, the tokens, sorted
    root: str | None = None  # for a closed vote, the Merkle root of the tokens


class BallotBox(NamedTuple):
    """The ballots of a vote that closes, by what becomes of them."""

    places: Sequence[int]  # where the sealed ballots are that count
    dropped: list[Ballot]  # sealed ballots of members without a contribution
    lost: frozenset[str]  # the tokens of all ballots that do not count, as their claims name them


def count_vote(context: Context, work: UnitOfWork, record: ProposalRecord) -> Tally:
    """Return the tally: the result of a closed vote, today's counts of an open one.

    The counts of an open vote that shows its figures at the close are hidden.

    The roll of an open vote is today's changemakers, whoever has voted. The cost grows only with
    the ballots cast since this process last counted.
    """
    proposal_id = record.proposal.id
    if record.roll_size is not None:
        yes, no, void = work.ballots.counts(proposal_id)
        return Tally(yes=yes, no=no, void=void, roll=record.roll_size)
    held = casting.held_members(work, record)
    off = len(held & work.electors.member_ids(context.now())) if held else 0
    roll = casting.changemakers(work, context.now()).count - off
    if record.proposal.hides_figures:
        return Tally(yes=0, no=0, roll=roll, is_hidden=True)
    yes, no = count_open(context, work, proposal_id)
    return Tally(yes=yes, no=no, roll=roll)


def count_open(context: Context, work: UnitOfWork, proposal_id: str) -> tuple[int, int]:
    """Return how many ballots of an open vote say yes and no; zeros without its key.

    Read from committed data only: the counts are kept for the next call.
    """
    key = context.vault.ballot_key(proposal_id)
    if key is None:
        return 0, 0
    counts = context.open_counts
    with counts.lock:
        known = counts.by_proposal.setdefault(proposal_id, deque(maxlen=_COUNTS_KEPT))
        try:
            return _count_on(work, proposal_id, known, key)
        except Unavailable:  # the doctor reports that the key does not open the ballots
            return 0, 0


def count_open_votes(context: Context) -> None:
    """Count the open votes, so that the first visitor need not wait for it."""
    with context.store.read() as work:
        for record in work.proposals.all(ProposalStatus.OPEN):
            count_open(context, work, record.proposal.id)


def count_cast(work: UnitOfWork, proposal_id: str) -> int:
    """Return how many ballots an open vote has; no key is needed."""
    return len(work.box.tokens(proposal_id))


def has_key(context: Context, work: UnitOfWork, proposal_id: str) -> bool:
    """Return whether the key of an open vote exists and opens its ballots."""
    key = context.vault.ballot_key(proposal_id)
    if key is None:
        return False
    first = work.box.first(proposal_id)
    try:
        return first is None or bool(BallotSealer(key, proposal_id).open(first.box, first.sealed))
    except Unavailable:
        return False


def lost_ballots(context: Context, work: UnitOfWork, record: ProposalRecord) -> frozenset[str]:
    """Return the tokens of the ballots of a vote that closes which do not count.

    A ballot counts unless its member is no longer a changemaker, and has no payment left that
    gave the vote while this vote was open. Only here is that decided, for everybody at once.

    Raises:
        Unavailable: the key is lost.
    """
    proposal_id, opened_at = record.proposal.id, record.opened_at or context.now()
    key = casting.ballot_key(context, proposal_id)
    lapsed = work.electors.lapsed(context.now())
    unpaid = work.payments.without_contribution(lapsed, since=opened_at)
    claims = [ballots.claim_token(key, Claim.PAYER, proposal_id, payer) for payer in unpaid]
    claimed = work.box.claimed(proposal_id, claims).values()
    return frozenset(token for tokens in claimed for token in tokens)


def open_box(
    context: Context, work: UnitOfWork, record: ProposalRecord, lost: frozenset[str]
) -> BallotBox:
    """Tell which ballots of a vote that closes count; those that do stay sealed.

    Raises:
        Unavailable: the key is lost, or does not open the ballots.
    """
    proposal_id = record.proposal.id
    sealer = BallotSealer(casting.ballot_key(context, proposal_id), proposal_id)
    places = array("q")
    dropped: list[Ballot] = []
    for row in work.box.since(proposal_id):
        if row.box in lost:
            dropped.append(ballots.unpack_ballot(sealer.open(row.box, row.sealed)))
        else:
            places.append(row.place)
    return BallotBox(places, dropped, lost)


def open_ballots(
    context: Context, work: UnitOfWork, proposal_id: str, places: Sequence[int]
) -> list[Ballot]:
    """Open the sealed ballots at these places, in their order.

    Raises:
        Unavailable: the key is lost, or does not open the ballots.
    """
    sealer = BallotSealer(casting.ballot_key(context, proposal_id), proposal_id)
    rows = work.box.at(proposal_id, places)
    return [ballots.unpack_ballot(sealer.open(rows[at].box, rows[at].sealed)) for at in places]


def electors_on_roll(
    context: Context, work: UnitOfWork, record: ProposalRecord, voters: set[bytes]
) -> frozenset[str]:
    """Return the ids of the electors of a vote that closes, without those who vote twice.

    Members whose address an operator changed are on it by their ballot only.

    Somebody who voted, left, and joined again has the place of the earlier ballot: it is known by
    the address, or by a card that nobody shares. `voters` are the tokens of the ballots that count.
    """
    now, proposal = context.now(), record.proposal.id
    electors = work.electors.member_ids(now) - casting.held_members(work, record)
    key = casting.ballot_key(context, proposal)
    tokens = (ballots.voter_token(key, proposal, member.id) for member in work.members.all())
    if sum(bytes.fromhex(token) in voters for token in tokens) == len(voters):
        return electors  # nobody who voted has left
    theirs: dict[str, Claims] = {}
    for member in list(work.members.all()):
        if member.id in electors and member.joined_at >= (record.opened_at or now):
            cards = casting.cards_of(work, member, work.pledges.get(member.id), now)
            own = cards - work.pledges.shared_among(cards)
            theirs[member.id] = casting.claims_of(key, proposal, member, own)
    claims = [token for one in theirs.values() for token in one.tokens]
    claimed = work.box.claimed(proposal, claims)
    absent = {token for tokens in claimed.values() for token in tokens}
    for member in work.members.all():
        absent -= {
            ballots.voter_token(key, proposal, member.id),
            box_token(key, proposal, member.id),
        }
    of_departed = {claim for claim, tokens in claimed.items() if not absent.isdisjoint(tokens)}
    return electors - {
        member for member, one in theirs.items() if not of_departed.isdisjoint(one.tokens)
    }


def count_off_roll(context: Context, work: UnitOfWork, record: ProposalRecord) -> dict[str, int]:
    """Count the members who are not on the roll of a vote, by reason.

    Whoever pays, and lacks only an address, is a giver who cannot vote: without one, or with one
    that is not confirmed, by the member or after an operator changed it.
    """
    now, held = context.now(), casting.held_members(work, record)
    electors = work.electors.member_ids(now) - held
    left_out = electors | work.members.dead()
    off = {one.key: one for one in work.members.all() if one.is_open and one.id not in left_out}
    paid = work.electors.paid_until(off)
    counts: Counter[OffRoll] = Counter()
    for key, member in off.items():
        pays = key in paid and paid[key] >= now
        lacks = not member.may_vote or member.id in held
        counts[_reason(member, pays=pays and lacks)] += 1
    return {reason.value: counts[reason] for reason in OffRoll}


def count_lost(context: Context, work: UnitOfWork, record: ProposalRecord) -> int:
    """Count the payers who may not vote since an operator acted on their account or payment.

    Acts count as long before the opening as a payment gives the vote. While no vote is open, one
    operator does them alone: this number shows them.
    """
    now = context.now()
    since = (record.opened_at or now) - CARD_PERIOD - GRACE
    acts = (row for action in _TAKING for row in work.operations.audit(action=action))
    subjects = {row.subject for row in acts if row.at >= since}
    paid = work.electors.paid_until(subjects)
    lost = {key for key, until in paid.items() if until >= now}
    refunds = {
        one.index: one.member_key or "" for one in work.payments.by_source(subjects).values()
    }
    # What is left of a payment may give the vote as before.
    still = {one.index for one in work.payments.giving_votes(refunds.values()).values()}
    refunded = {member for index, member in refunds.items() if index not in still}
    lost.update(work.payments.without_contribution(refunded, since=now))
    lost |= work.payments.taken_since(context.zone.day_of(since))
    able = work.electors.member_ids(now)
    return len(lost - {one.key for one in work.members.all() if one.id in able} - {""})


def off_roll_of(work: UnitOfWork, record: ProposalRecord) -> dict[str, int]:
    """Return those counts as the leaf of a closed vote has them; none in leaves of 0.2.0."""
    if record.closed_index is None:
        return {}
    leaf = read_leaf(work.log.leaf(record.closed_index).body)
    return dict(leaf.get("off_roll", {}))


def _reason(member: Member, *, pays: bool) -> OffRoll:
    if not pays:
        return OffRoll.PAYMENT
    return OffRoll.ADDRESS if member.email else OffRoll.NO_ADDRESS


def show_roll(context: Context, text: str) -> RollView:
    """Return who is on the roll of a vote."""
    with context.store.read() as work:
        record = work.proposals.find(text)
        if record.is_final:
            voters = work.ballots.roll(record.proposal.id)
            return RollView(
                final=True, size=len(voters), voters=tuple(voters), root=ballots.roll_root(voters)
            )
        electors = work.electors.member_ids(context.now()) - casting.held_members(work, record)
        return RollView(final=False, size=len(electors), members=tuple(sorted(electors)))


def ballot_state(context: Context, work: UnitOfWork, proposal: str, member_id: str) -> BallotState:
    """Return what became of a member's ballot; without the key, only whether they took part."""
    key = context.vault.ballot_key(proposal)
    if key is None:
        took_part = proposal in work.ballots.participations(member_id)
        return BallotState.TOOK_PART if took_part else BallotState.NONE
    voter = ballots.voter_token(key, proposal, member_id)
    if work.ballots.is_dropped(proposal, voter):
        return BallotState.DROPPED
    if work.ballots.get(proposal, voter) is not None:
        return BallotState.COUNTED
    is_sealed = work.box.get(proposal, box_token(key, proposal, member_id)) is not None
    return BallotState.SEALED if is_sealed else BallotState.NONE


def voted_on(context: Context, work: UnitOfWork, member_id: str) -> list[str]:
    """Return the ids of the proposals on which a member has voted, sorted."""
    return [
        proposal
        for proposal, is_listed in work.ballots.votes_to_search(member_id)
        if is_listed or ballot_state(context, work, proposal, member_id) is not BallotState.NONE
    ]


def list_voted_on(context: Context, member_id: str) -> list[ProposalRecord]:
    """Return the proposals on which a member has voted, without a transaction."""
    work = context.store.read_once()
    return work.proposals.among(voted_on(context, work, member_id))


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
    boxes = work.box.tokens(proposal)
    voters = {ballot.voter for ballot in work.ballots.ballots(proposal)}
    voters.update(work.ballots.dropped(proposal))
    return frozenset(
        one
        for one in member_ids
        if box_token(key, proposal, one) in boxes
        or ballots.voter_token(key, proposal, one) in voters
    )


def write_participants(context: Context, work: UnitOfWork, proposal: str) -> None:
    """Write who took part in a vote, in the transaction that destroys its key.

    Members who have left are not on the list. Nothing is written if the key is lost.
    """
    everybody = frozenset(member.id for member in work.members.all())
    voters = voters_among(context, work, proposal, everybody)
    if context.vault.ballot_key(proposal) is not None:
        work.ballots.write_participants(proposal, voters)


def _count_on(
    work: UnitOfWork, proposal_id: str, known: deque[OpenCount], key: bytes
) -> tuple[int, int]:
    """Add the ballots cast since the newest known count that this snapshot contains."""
    count = None
    for earlier in reversed(known):
        rows = work.box.since(proposal_id, earlier.place)
        last = next(rows, None) if earlier.place else None
        if earlier.key == key and earlier.box == (last.box if last else ""):
            count = _add(earlier, proposal_id, rows)
            break
    if count is None:  # the first count of this process, or the database was replaced
        known.clear()
        count = _add(OpenCount(key, 0, "", 0, 0), proposal_id, work.box.since(proposal_id))
    if not known or count.place > known[-1].place:
        known.append(count)
    return count.yes, count.no


def _add(count: OpenCount, proposal_id: str, rows: Iterable[SealedBallot]) -> OpenCount:
    _key, place, box, yes, no = count
    sealer = BallotSealer(count.key, proposal_id)
    for row in rows:
        ballot = ballots.unpack_ballot(sealer.open(row.box, row.sealed))
        place, box = row.place, row.box
        yes += ballot.choice == Choice.UP
        no += ballot.choice == Choice.DOWN
    return OpenCount(count.key, place, box, yes, no)
