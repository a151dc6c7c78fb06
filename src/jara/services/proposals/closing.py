"""Closing votes: freezes the roll, logs the result and commits the money."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from operator import itemgetter
from typing import NamedTuple, TypeVar

from jara.domain.errors import Conflict, IllegalTransition, Unavailable
from jara.domain.publiclog import canonical
from jara.domain.publiclog.ballots import count_ways, roll_root, voter_token
from jara.domain.publiclog.leaves import proposal_close_leaf
from jara.domain.publiclog.merkle import leaf_hash
from jara.domain.voting.proposal import ProposalStatus, decide_proposal
from jara.domain.voting.tally import Choice, ElectoralRoll, Tally, make_roll
from jara.records.voting import BallotRecord, ProposalRecord
from jara.services.audit import require_operator
from jara.services.ballots.casting import ballot_key
from jara.services.ballots.counting import (
    BallotBox,
    count_off_roll,
    electors_on_roll,
    open_box,
    write_participants,
)
from jara.services.books.commitments import begin_commitment
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.organisation import REWRITES_DUE
from jara.services.proposals.lifecycle import record_change
from jara.services.proposals.vote_emails import queue_close_emails, queue_vote_emails
from jara.services.publiclog.offering import try_to_offer
from jara.services.publiclog.proofs import add_checkpoint, publish_checkpoints
from jara.store.unit_of_work import UnitOfWork

KEY_LIFETIME = timedelta(days=14)
"""How long a ballot key is kept after the vote, for questions about the roll."""


_DRAWN_BYTES = 16

Item = TypeVar("Item")


class ClosedVote(NamedTuple):
    """A vote with its result."""

    record: ProposalRecord
    tally: Tally
    passed: bool


def close_vote(context: Context, text: str) -> ClosedVote:
    """Close one vote whose end has passed.

    Raises:
        IllegalTransition: it is not open.
        Conflict: it still accepts ballots.
        Unavailable: its ballot key is lost; it can only be withdrawn.
    """
    closed = _close_alone(context, text)
    try_to_offer(context)
    return closed


def _close_alone(context: Context, text: str, *, unattended: bool = False) -> ClosedVote:
    with context.store.write() as work:
        closed = _close(context, work, work.proposals.find(text), unattended=unattended)
    # Only committed leaves are signed. The result stands even if signing or writing the checkpoint
    # file fails: the daily run completes it and reports the error.
    with suppress(Conflict, Unavailable):
        with context.store.write() as work:
            add_checkpoint(context, work)
        publish_checkpoints(context)
    return closed


def close_due_votes(context: Context, *, unattended: bool = False) -> list[ClosedVote]:
    """Close every vote whose end has passed, each in its own transaction.

    ``unattended`` closes without an operator: the time of the end and the result follow from the
    public log, and nobody can choose them.

    Raises:
        Unavailable: a ballot key is lost; the other votes are closed anyway.
    """
    with context.store.read() as work:
        due = [
            record.proposal.id
            for record in work.proposals.all(ProposalStatus.OPEN)
            if record.proposal.ends_at <= context.now()
        ]
    closed: list[ClosedVote] = []
    failures: list[Unavailable] = []
    for proposal_id in due:
        try:
            closed.append(_close_alone(context, proposal_id, unattended=unattended))
        except IllegalTransition:
            continue  # another process has closed it
        except Unavailable as error:
            failures.append(error)
    if closed:
        try_to_offer(context)  # once for all votes, because a witness may be slow
    if failures:
        raise failures[0]
    return closed


def destroy_due_keys(context: Context) -> list[str]:
    """Destroy the keys of votes closed at least 14 days ago; return their proposals.

    A key that outlived an interrupted run is destroyed too.
    """
    with context.store.read() as work:
        ended = [record for record in work.proposals.all() if record.closed_index is not None]
    due = [
        record.proposal.id
        for record in ended
        if (
            record.decided_at is not None
            and record.key_destroyed_at is None
            and record.decided_at + KEY_LIFETIME <= context.now()
        )
        or (
            record.key_destroyed_at is not None
            and context.vault.ballot_key(record.proposal.id) is not None
        )
    ]
    for proposal_id in due:
        destroy_ballot_key(context, proposal_id)
    return due


def destroy_ballot_key(context: Context, text: str) -> ProposalRecord:
    """Destroy the ballot key of a closed vote: nobody can then link voters to ballots.

    The list of participants is written in the same transaction, because it needs the key. The
    daily run then rewrites the database.

    Raises:
        Conflict: the vote is not closed, so its roll still needs the key.
    """
    with context.store.write() as work:
        record = work.proposals.find(text)
        if record.closed_index is None:
            raise Conflict(
                f"The vote on '{record.proposal.slug}' has not ended; its key is needed to close "
                "it."
            )
        if record.key_destroyed_at is None:
            if record.decided_at is None or record.decided_at + KEY_LIFETIME > context.now():
                require_operator(context, work, "votes.destroy-early")
            updated = record._replace(key_destroyed_at=context.now())
            write_participants(context, work, record.proposal.id)
            work.proposals.put(updated)
            work.meta.count_up(REWRITES_DUE)
            record_change(context, work, "votes.seal", record, updated)
            record = updated
    # After a crash before this line the next run destroys the key.
    context.vault.destroy_ballot_key(record.proposal.id)
    return record


def _close(
    context: Context, work: UnitOfWork, record: ProposalRecord, *, unattended: bool
) -> ClosedVote:
    now = context.now()
    proposal_id = record.proposal.id
    if record.closed_index is not None:
        raise IllegalTransition(
            f"The vote on '{record.proposal.slug}' is closed already; "
            f"`jara votes tally {record.proposal.slug}` shows its result."
        )
    decide_proposal(record.proposal, passed=False, now=now)  # raises before any change
    box = open_box(context, work, record)
    ballots, dropped = _list_ballots(context, work, proposal_id, box)
    roll = _freeze_roll(context, work, record, ballots)
    tally = _save_counts(work, proposal_id, roll)
    passed = record.proposal.rule.passes(tally)
    decided = record._replace(
        proposal=decide_proposal(record.proposal, passed=passed, now=now),
        roll_size=len(roll),
    )
    emails = queue_close_emails(context, work, decided)
    leaf = work.log.append(
        proposal_close_leaf(
            proposal_id,
            roll_size=len(roll),
            roll_root=roll_root(roll.electors),
            yes=tally.yes,
            no=tally.no,
            void=tally.void,
            passed=passed,
            last_index=work.log.size() - 1,
            shared_cards=work.box.count_sharing(proposal_id),
            emails=emails,
            dropped=dropped,
            ways=count_ways(ballot.way for ballot in box.counted),
            changed_addresses=_count_changed(context, work, record, ballots),
            off_roll=count_off_roll(context, work, record),
        )
    )
    work.box.empty(proposal_id)
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
    queue_vote_emails(context, work, closed)
    return ClosedVote(closed, tally, passed)


def _list_ballots(
    context: Context, work: UnitOfWork, proposal_id: str, box: BallotBox
) -> tuple[list[BallotRecord], list[str]]:
    """List the ballots that count in the log, in random order.

    Returns:
        All ballots that count, and the leaf hashes of those that do not, in random order.
    """
    listed = []
    for ballot in _shuffled(context, box.counted):
        leaf = work.log.append(ballot.leaf(proposal_id))
        listed.append(BallotRecord(proposal_id, ballot.voter, Choice(ballot.choice), leaf.index))
    work.ballots.add(listed)
    dropped = [one.voter for one in box.dropped] + [one.voter for one in box.listed_dropped]
    work.ballots.drop(proposal_id, dropped)
    work.box.forget_claims(proposal_id, box.lost_claims)
    hashes = [leaf_hash(canonical.encode(ballot.leaf(proposal_id))) for ballot in box.dropped]
    hashes += [work.log.leaf(ballot.log_index).hash for ballot in box.listed_dropped]
    return [*box.listed, *listed], [one.hex() for one in _shuffled(context, hashes)]


def _shuffled(context: Context, items: Sequence[Item]) -> list[Item]:
    """Return the items in a random order, which no earlier order predicts."""
    drawn = context.entropy.token(_DRAWN_BYTES * len(items))
    keys = [drawn[at : at + _DRAWN_BYTES] for at in range(0, len(drawn), _DRAWN_BYTES)]
    return [item for _, item in sorted(zip(keys, items, strict=True), key=itemgetter(0))]


def _save_counts(work: UnitOfWork, proposal_id: str, roll: ElectoralRoll) -> Tally:
    yes, no, void = work.ballots.recount(proposal_id)
    work.ballots.save_counts(proposal_id, yes, no, void)
    return Tally(yes=yes, no=no, void=void, roll=len(roll))


def _count_changed(
    context: Context, work: UnitOfWork, record: ProposalRecord, ballots: Iterable[BallotRecord]
) -> int:
    """Count the ballots of accounts whose address an operator changed since the opening."""
    proposal_id, voters = record.proposal.id, {ballot.voter for ballot in ballots}
    key = ballot_key(context, proposal_id)
    changes = work.address_changes.since(record.opened_at or context.now())
    members = {change.member_id for change in changes}
    return sum(voter_token(key, proposal_id, one) in voters for one in members)


def _freeze_roll(
    context: Context, work: UnitOfWork, record: ProposalRecord, ballots: Iterable[BallotRecord]
) -> ElectoralRoll:
    proposal_id = record.proposal.id
    key = ballot_key(context, proposal_id)
    voters = [ballot.voter for ballot in ballots]
    electors = electors_on_roll(context, work, record, voters)
    roll = make_roll(
        proposal_id,
        changemakers=(voter_token(key, proposal_id, one) for one in electors),
        voted=voters,
    )
    work.ballots.freeze_roll(proposal_id, roll.electors)
    return roll
