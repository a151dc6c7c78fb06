"""The program is killed at every statement of a close; later runs complete it."""

from __future__ import annotations

import os
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from jara.domain.publiclog.leaves import LeafType
from jara.domain.voting.proposal import ProposalStatus
from jara.services.books.verification import verify_books
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.closing_steps import LEASE
from jara.store.sql.connection import BufferedSql
from tests.fakes.clock import FakeClock
from tests.faults.fault_world import add_voters, found, put_to_vote
from tests.places import open_place, rows_of
from tests.services.ballots.voting_world import refund, vote
from tests.sizes import size

EVERY = size(9, 1)
"""Kill at each n-th statement."""
KILLED = 9
pytestmark = pytest.mark.slow


def test_a_killed_close_is_public_as_a_whole_and_goes_on(place: Path) -> None:
    """After each kill the vote is open or closed for everybody; a later run completes it."""
    application = found(place)
    context = application.context
    voters = add_voters(application, 4)
    at = context.now() + timedelta(hours=1)
    proposal = put_to_vote(application, ends=at.strftime("%Y-%m-%dT%H:%M:%SZ"))
    receipts = [vote(context, one.member, proposal=proposal) for one in voters]
    refund(context, voters[0].member, 1000)
    context.store.close()

    outcomes = set()
    for step in count(1, EVERY):
        status = close_in_child(place, at, kill_at=step)
        again = open_place(place, {}, any_mode=True, clock=FakeClock(at)).context
        with again.store.read() as work:
            record = work.proposals.find(proposal)
            is_open = record.proposal.status is ProposalStatus.OPEN
            listed, roll = list(work.ballots.ballots(proposal)), work.ballots.roll(proposal)
            leaves = list(work.log.leaves_of(LeafType.BALLOT.value))
            sealed = work.box.tokens(proposal)
        assert (len(listed), len(leaves), len(roll)) == ((0, 0, 0) if is_open else (3, 3, 4 - 1))
        assert len(sealed) == 4 or not is_open
        assert verify_books(again).findings == ()
        again.store.close()
        outcomes.add((status == KILLED, is_open))
        at += LEASE
        if status != KILLED:
            break

    assert outcomes == {(True, True), (True, False), (False, False)}
    assert len({receipt.leaf for receipt in receipts}) == 4
    again = open_place(place, {}, any_mode=True, clock=FakeClock(at)).context
    with again.store.read() as work:
        told = [one.member_id for one in work.outbox.all() if one.kind == "vote_closed"]
        assert len(told) == len(set(told)) == 4
        assert (work.closings.all(), work.box.tokens(proposal)) == ([], frozenset())
    assert not {"prepared_leaves", "prepared_rolls", "ballot_claims"} & {
        table for table, rows in rows_of(open_place(place, {}).database).items() if rows
    }


def close_in_child(place: Path, ends: Any, *, kill_at: int) -> int:
    """Close the vote in another process that dies at a statement; return its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = count(1)

    def dying(real: Any) -> Any:
        def step(*given: Any, **named: Any) -> Any:
            if next(steps) >= kill_at:
                os._exit(KILLED)
            return real(*given, **named)

        return step

    status = 1
    try:
        context = open_place(place, {}, any_mode=True, clock=FakeClock(ends)).context
        with pytest.MonkeyPatch.context() as patch:
            for kind in BufferedSql.__subclasses__():
                for name in ("run", "flush"):
                    patch.setattr(kind, name, dying(getattr(kind, name)))
            close_due_votes(context)
        status = 0
    finally:
        os._exit(status)
