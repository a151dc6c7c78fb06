"""Closing votes: freezes the roll, logs the result and commits the money."""

from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from jara.domain.errors import Conflict, IllegalTransition, Unavailable
from jara.domain.voting.proposal import ProposalStatus
from jara.domain.voting.tally import Tally
from jara.records.voting import ProposalRecord
from jara.services.audit import require_operator
from jara.services.ballots.counting import write_participants
from jara.services.context import Context
from jara.services.organisation import REWRITES_DUE
from jara.services.proposals.closing_steps import BeingClosed, append, finish, prepare, stop_vote
from jara.services.proposals.lifecycle import record_change
from jara.services.publiclog.offering import try_to_offer
from jara.services.publiclog.proofs import add_checkpoint, publish_checkpoints

KEY_LIFETIME = timedelta(days=14)
"""How long a ballot key is kept after the vote, for questions about the roll."""


class ClosedVote(NamedTuple):
    """A vote with its result."""

    record: ProposalRecord
    tally: Tally
    passed: bool


def close_vote(context: Context, text: str) -> ClosedVote:
    """Close one vote whose end has passed.

    Raises:
        IllegalTransition: it is not open.
        Conflict: it still accepts ballots, or another process closes it.
        Unavailable: its ballot key is lost; it can only be withdrawn.
    """
    closed = _close_alone(context, text)
    try_to_offer(context)
    return closed


def _close_alone(context: Context, text: str, *, unattended: bool = False) -> ClosedVote:
    lease = stop_vote(context, text, unattended=unattended)
    try:
        if lease.closing.first_index is None:
            append(lease, prepare(lease), unattended=unattended)
        # Only committed leaves are signed. The result stands even if signing or writing the
        # checkpoint file fails: the daily run completes it and reports the error.
        with suppress(Conflict, Unavailable):
            with context.store.write() as work:
                add_checkpoint(context, work)
            publish_checkpoints(context)
        finish(lease)
    except BaseException:
        lease.release()
        raise
    with context.store.read() as work:
        record = work.proposals.find(lease.proposal)
        yes, no, void = work.ballots.counts(lease.proposal)
    tally = Tally(yes=yes, no=no, void=void, roll=record.roll_size or 0)
    return ClosedVote(record, tally, record.proposal.status is not ProposalStatus.REJECTED)


def close_due_votes(context: Context, *, unattended: bool = False) -> list[ClosedVote]:
    """Close every vote whose end has passed, and complete each close that was cut off.

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
        # Closes that were cut off after the result was public.
        due += [one.proposal for one in work.closings.all() if one.proposal not in due]
    closed: list[ClosedVote] = []
    failures: list[Unavailable] = []
    for proposal_id in due:
        try:
            closed.append(_close_alone(context, proposal_id, unattended=unattended))
        except (BeingClosed, IllegalTransition):
            continue  # another process closes it, or has closed it
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
