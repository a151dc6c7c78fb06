"""The program is killed at every statement of a close; later runs complete it."""

import os
import resource
import signal
import sys
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Unavailable
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
KILLED, REFUSED = 9, 5
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


def test_a_close_on_a_full_disk_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """A refused close leaves the vote open or closed for everybody; PostgreSQL: full_tablespace."""
    application = found(tmp_path)
    context = application.context
    voters = add_voters(application, 4)
    at = context.now() + timedelta(hours=1)
    proposal = put_to_vote(application, ends=at.strftime("%Y-%m-%dT%H:%M:%SZ"))
    for one in voters:
        vote(context, one.member, proposal=proposal)
    context.store.close()

    outcomes = []
    for bytes_left in (8 << 10, 32 << 10, 48 << 10, 64 << 10, 96 << 10, 128 << 10, 256 << 10, None):
        refused = close_in_child(tmp_path, at, kill_at=sys.maxsize, bytes_left=bytes_left)
        again = open_place(tmp_path, {}, any_mode=True, clock=FakeClock(at)).context
        with again.store.read() as work:
            is_open = work.proposals.find(proposal).proposal.status is ProposalStatus.OPEN
            listed = len(list(work.ballots.ballots(proposal)))
        assert listed == (0 if is_open else 4)
        assert verify_books(again).findings == ()
        again.store.close()
        outcomes.append((refused, is_open))
        at += LEASE  # a disk without room takes no release of the lease either

    assert {*outcomes} >= {(REFUSED, True), (REFUSED, False)}
    assert outcomes[-1] == (0, False), outcomes


def close_in_child(place: Path, ends: Any, *, kill_at: int, bytes_left: int | None = None) -> int:
    """Close the vote in another process that dies at a statement; return its exit status.

    ``bytes_left`` is the size that a file may have for it, as on a disk that is almost full.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if bytes_left is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left))
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
    except Unavailable as error:
        status = REFUSED if "disk" in error.message else status
    finally:
        os._exit(status)
