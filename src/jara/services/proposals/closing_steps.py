"""The steps of a close: each is a short transaction, and a kill between two of them loses nothing.

1. Stop the vote: one row, with a lease, so that one process closes it.
2. Prepare the leaves of the ballots that count, outside the log, in pieces that are drawn at
   random, and then the roll. Nothing of this is public. A close that was cut off here begins again
   with another draw: a stored order would tell how people voted.
3. Move the log's head over what is prepared, and append the leaf of the result. Now the vote is
   closed for everybody, and the leaves are read from where they were prepared.
4. Move leaves, ballots and roll to their tables, empty the box, queue the emails. A close that was
   cut off here goes on where it was.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from operator import itemgetter
from struct import Struct
from typing import NamedTuple, TypeAlias, TypeVar

from jara.domain.errors import Conflict, IllegalTransition, JaraError
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.publiclog import canonical
from jara.domain.publiclog.ballots import Ballot, count_ways, voter_token
from jara.domain.publiclog.leaves import proposal_close_leaf
from jara.domain.publiclog.merkle import Frontier, leaf_hash, tree_root
from jara.domain.voting.proposal import decide_proposal
from jara.domain.voting.tally import Choice, Tally
from jara.records.voting import Closing, PreparedLeaf, ProposalRecord
from jara.services.audit import require_operator
from jara.services.ballots import counting
from jara.services.ballots.casting import ballot_key
from jara.services.ballots.counting import BallotBox, electors_on_roll, lost_ballots
from jara.services.books.commitments import begin_commitment
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.proposals import vote_emails
from jara.services.proposals.lifecycle import record_change
from jara.store.unit_of_work import UnitOfWork

LEASE = timedelta(minutes=2)
"""How long a process has for one step; if it dies, another one goes on after this time."""
PIECE = 10_000
"""Ballots that are opened, and prepared, in one step."""
_ROWS_AT_ONCE = 2_500
"""Rows that are moved or deleted in one step."""
_CLAIMS_AT_ONCE = 500
"""Claims, or sealed ballots, that are deleted in one step; each claim has a seal."""
_MEMBERS_AT_ONCE = 100
"""Members whose emails are queued in one step."""
_DRAWN_BYTES = 16
_HASH_BYTES = 32
_NODE = Struct(">BQ32s")
_After: TypeAlias = tuple[Frontier, bytearray]

Item = TypeVar("Item")


class BeingClosed(Conflict):
    """Another process is closing the vote."""


class Prepared(NamedTuple):
    """What the process knows of a vote whose leaves and roll are prepared."""

    box: BallotBox
    dropped: list[str]  # the leaf hashes of ballots that do not count, in random order
    hashes: bytearray  # of the prepared leaves, in their order, one after the other
    tally: Tally
    ways: dict[str, int]  # how the payments were made that give the counted ballots
    roll_root: str  # of the electors
    changed: int  # ballots of accounts whose address an operator changed
    sharing: int  # ballots that share a card with another one
    off_roll: dict[str, int]  # members who are not on the roll, by reason
    lost: int  # payers who are not on it since an operator acted
    emails: int  # how many emails tell how it ended


class Lease:
    """A vote that this process alone closes; each step of it is a transaction."""

    def __init__(self, context: Context, closing: Closing) -> None:
        self.context = context
        self.closing = closing

    @property
    def proposal(self) -> str:
        """The id of the vote."""
        return self.closing.proposal

    @contextmanager
    def step(self) -> Iterator[UnitOfWork]:
        """Open a transaction, and renew the lease with it.

        Raises:
            IllegalTransition: another process took over, or the vote was withdrawn.
        """
        until = self.context.now() + LEASE
        with self.context.store.write() as work:
            stored = work.closings.get(self.proposal)
            if stored is None or stored.leased_until != self.closing.leased_until:
                raise IllegalTransition(
                    f"The close of '{self.proposal}' was taken over, or the vote withdrawn."
                )
            self.closing = stored._replace(leased_until=until)
            work.closings.put(self.closing)
            yield work
            self.closing = work.closings.get(self.proposal) or self.closing

    def repeat(self, act: Callable[[UnitOfWork], int]) -> None:
        """Repeat a step until it has nothing left to do."""
        done = 1
        while done:
            with self.step() as work:
                done = act(work)

    def release(self) -> None:
        """Let another process go on at once."""
        with suppress(JaraError), self.step() as work:
            work.closings.put(self.closing._replace(leased_until=self.context.now()))


def stop_vote(context: Context, text: str, *, unattended: bool) -> Lease:
    """Stop a vote whose end has passed, or go on with its close.

    Raises:
        IllegalTransition: it is not open.
        Conflict: it still accepts ballots, or another process closes it.
        Unavailable: its ballot key is lost.
    """
    now = context.now()
    with context.store.write() as work:
        record = work.proposals.find(text)
        proposal_id = record.proposal.id
        closing = work.closings.get(proposal_id)
        if closing is None:
            if record.closed_index is not None:
                raise IllegalTransition(
                    f"The vote on '{record.proposal.slug}' is closed already; "
                    f"`jara votes tally {record.proposal.slug}` shows its result."
                )
            decide_proposal(record.proposal, passed=False, now=now)  # raises before any change
            ballot_key(context, proposal_id)
            if not unattended:
                require_operator(context, work, "proposals.close")
            closing = Closing(proposal_id, now)
        elif closing.leased_until > now:
            raise BeingClosed(
                f"The vote on '{record.proposal.slug}' is being closed by another process. If "
                f"that one was ended, try again in {LEASE.seconds // 60} minutes."
            )
        closing = closing._replace(leased_until=now + LEASE)
        work.closings.put(closing)
    context.store.trim()
    return Lease(context, closing)


def prepare(lease: Lease) -> Prepared:
    """Prepare the leaves and the roll of a vote; what an earlier process prepared is discarded."""
    context, proposal_id = lease.context, lease.proposal
    lease.repeat(lambda work: work.closings.discard(proposal_id, _ROWS_AT_ONCE))
    with context.store.read() as work:
        record = work.proposals.find(proposal_id)
        box = counting.open_box(context, work, record, lost_ballots(context, work, record))
        hashes = [leaf_hash(canonical.encode(one.leaf(proposal_id))) for one in box.dropped]
    box = box._replace(places=array("q", _shuffled(context, box.places)))
    dropped = [one.hex() for one in _shuffled(context, hashes)]
    voters: set[bytes] = set()
    ways: list[PaymentWay] = []
    listed, yes = bytearray(), 0
    for start in range(0, len(box.places), PIECE):
        with context.store.read() as work:
            if work.closings.get(proposal_id) is None:
                raise IllegalTransition("The vote was withdrawn while it was closed.")
            places = box.places[start : start + PIECE]
            ballots = counting.open_ballots(context, work, proposal_id, places)
        leaves = [_leaf(proposal_id, place, one) for place, one in enumerate(ballots, start)]
        with lease.step() as work:
            work.closings.add_leaves(proposal_id, leaves)
        listed += b"".join(leaf.hash for leaf in leaves)
        voters |= {bytes.fromhex(one.voter) for one in ballots}
        ways += [one.way for one in ballots]
        yes += sum(one.choice == Choice.UP for one in ballots)
        del ballots, leaves
    with context.store.read() as work:
        changed = _count_changed(context, work, record, voters)
        off_roll = counting.count_off_roll(context, work, record)
        lost = counting.count_lost(context, work, record)
        emails = vote_emails.count_close_emails(
            work, record, vote_emails.recipients_of_close(context, work)
        )
        sharing = work.box.count_sharing(proposal_id, besides=box.lost)
        roll = _read_roll(context, work, record, voters)
    for start in range(0, len(roll), _ROWS_AT_ONCE):
        with lease.step() as work:
            tokens = [token.hex() for token in roll[start : start + _ROWS_AT_ONCE]]
            work.closings.add_roll(proposal_id, tokens)
    return Prepared(
        box=box,
        dropped=dropped,
        hashes=listed,
        tally=Tally(yes=yes, no=len(box.places) - yes, void=len(dropped), roll=len(roll)),
        ways=count_ways(ways),
        roll_root=tree_root(leaf_hash(token.hex().encode("ascii")) for token in roll).hex(),
        changed=changed,
        sharing=sharing,
        off_roll=off_roll,
        lost=lost,
        emails=emails,
    )


def append(lease: Lease, prepared: Prepared, *, unattended: bool) -> None:
    """Move the log's head over the prepared leaves, and close the vote."""
    context, proposal_id, tally = lease.context, lease.proposal, prepared.tally
    with context.store.read() as work:
        before = work.log.head()
    after = _append_all(before, prepared.hashes)  # takes long, so not while others wait
    with lease.step() as work:
        now = context.now()
        record = work.proposals.find(proposal_id)
        passed = record.proposal.rule.passes(tally)
        decided = record._replace(
            proposal=decide_proposal(record.proposal, passed=passed, now=now), roll_size=tally.roll
        )
        first_index = work.log.size()
        _append_leaves(work, prepared, before, after)
        work.ballots.drop(proposal_id, [one.voter for one in prepared.box.dropped])
        work.ballots.save_counts(proposal_id, tally.yes, tally.no, tally.void)
        leaf = work.log.append(
            proposal_close_leaf(
                proposal_id,
                tally,
                roll_root=prepared.roll_root,
                passed=passed,
                last_index=work.log.size() - 1,
                shared_cards=prepared.sharing,
                emails=prepared.emails,
                dropped=prepared.dropped,
                ways=prepared.ways,
                changed_addresses=prepared.changed,
                off_roll=prepared.off_roll,
                lost_votes=prepared.lost,
            )
        )
        closed = decided._replace(closed_index=leaf.index)
        work.proposals.put(closed)
        if passed:
            begin_commitment(
                context,
                work,
                Books(context, work),
                proposal_id=proposal_id,
                goal_cents=record.proposal.goal_cents,
                decided_at=now,
            )
        record_change(context, work, "proposals.close", record, closed, unattended=unattended)
        work.closings.put(lease.closing._replace(first_index=first_index))


def finish(lease: Lease) -> None:
    """Move leaves, ballots and roll to their tables, empty the box, and queue the emails."""
    context, proposal_id = lease.context, lease.proposal
    lease.repeat(lambda work: work.closings.move_ballots(lease.closing, _ROWS_AT_ONCE))
    lease.repeat(lambda work: work.closings.move_roll(lease.closing, _ROWS_AT_ONCE))
    lease.repeat(lambda work: work.box.empty_some(proposal_id, _CLAIMS_AT_ONCE))
    with context.store.read() as work:
        recipients = vote_emails.recipients_of_close(context, work)
    lease.repeat(lambda work: _tell_some(lease, work, recipients))
    lease.repeat(lambda work: work.closings.discard(proposal_id, _ROWS_AT_ONCE))
    with lease.step() as work:
        work.closings.forget(proposal_id)
        vote_emails.queue_vote_emails(context, work, work.proposals.find(proposal_id))


def _tell_some(lease: Lease, work: UnitOfWork, recipients: frozenset[str]) -> int:
    members = work.members.open_after(lease.closing.told, limit=_MEMBERS_AT_ONCE)
    record = work.proposals.find(lease.proposal)
    vote_emails.queue_close_emails(lease.context, work, record, members, recipients)
    if members:
        work.closings.put(lease.closing._replace(told=members[-1].id))
    return len(members)


def _append_leaves(work: UnitOfWork, prepared: Prepared, before: Frontier, after: _After) -> None:
    if work.log.head() != before:  # somebody else appended in the meantime
        after = _append_all(work.log.head(), prepared.hashes)
    frontier, nodes = after
    work.log.move_on(frontier, _NODE.iter_unpack(nodes))


def _append_all(frontier: Frontier, hashes: bytearray) -> _After:
    """Return the head after more leaves, and the new nodes, packed: there may be many."""
    nodes = bytearray()
    for at in range(0, len(hashes), _HASH_BYTES):
        frontier, new_nodes = frontier.append(bytes(hashes[at : at + _HASH_BYTES]))
        for node in new_nodes:
            nodes += _NODE.pack(*node)
    return frontier, nodes


def _leaf(proposal_id: str, place: int, ballot: Ballot) -> PreparedLeaf:
    body = canonical.encode(ballot.leaf(proposal_id))
    return PreparedLeaf(place, ballot.voter, ballot.choice, leaf_hash(body), body)


def _shuffled(context: Context, items: Sequence[Item]) -> list[Item]:
    """Return the items in a random order, which no earlier order predicts."""
    drawn = context.entropy.token(_DRAWN_BYTES * len(items))
    keys = [drawn[at : at + _DRAWN_BYTES] for at in range(0, len(drawn), _DRAWN_BYTES)]
    return [item for _, item in sorted(zip(keys, items, strict=True), key=itemgetter(0))]


def _count_changed(
    context: Context, work: UnitOfWork, record: ProposalRecord, voters: set[bytes]
) -> int:
    """Count the ballots of accounts whose address an operator changed since the opening."""
    proposal_id = record.proposal.id
    key = ballot_key(context, proposal_id)
    changes = work.address_changes.since(record.opened_at or context.now())
    members = {change.member_id for change in changes}
    tokens = (voter_token(key, proposal_id, one) for one in members)
    return sum(bytes.fromhex(token) in voters for token in tokens)


def _read_roll(
    context: Context, work: UnitOfWork, record: ProposalRecord, voters: set[bytes]
) -> list[bytes]:
    """Return the tokens of the electors and of those whose ballot counts, sorted."""
    proposal_id = record.proposal.id
    key = ballot_key(context, proposal_id)
    electors = electors_on_roll(context, work, record, voters)
    voters.update(bytes.fromhex(voter_token(key, proposal_id, one)) for one in electors)
    return sorted(voters)
