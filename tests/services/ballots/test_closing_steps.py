"""A close in steps: the leaves are those of one draw, and who may close, and what a cut leaves."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jara.domain.errors import IllegalTransition, Unavailable, VotingClosed
from jara.domain.publiclog.leaves import LeafType
from jara.services.ballots.counting import open_ballots
from jara.services.context import Context
from jara.services.operations.daily_run import queue_due_emails
from jara.services.proposals import closing_steps
from jara.services.proposals.closing import close_due_votes, close_vote
from jara.services.proposals.closing_steps import LEASE, BeingClosed, append, prepare, stop_vote
from jara.store.repositories.voting.closings import ClosingRepository
from tests.fakes.clock import FakeClock
from tests.faults.fault_world import add_voters, found, put_to_vote
from tests.places import open_place
from tests.services.ballots.voting_world import vote

VOTERS = 7


@pytest.fixture
def vote_that_ended(place: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Context, str, FakeClock]:
    """An open vote with ballots, whose end has passed; three ballots make a piece."""
    monkeypatch.setattr(closing_steps, "PIECE", 3)
    monkeypatch.setattr(closing_steps, "_CLAIMS_AT_ONCE", 3)
    monkeypatch.setattr(closing_steps, "_ROWS_AT_ONCE", 3)
    monkeypatch.setattr(closing_steps, "_MEMBERS_AT_ONCE", 2)
    application = found(place)
    voters = add_voters(application, VOTERS)
    ends = application.context.now() + timedelta(hours=1)
    proposal = put_to_vote(application, ends=ends.strftime("%Y-%m-%dT%H:%M:%SZ"))
    for one in voters:
        vote(application.context, one.member, proposal=proposal)
    clock = FakeClock(ends)
    return open_place(place, {}, any_mode=True, clock=clock).context, proposal, clock


class Drawn:
    """Entropy that is known beforehand."""

    def __init__(self, real: Any) -> None:
        self._random = Random(5)
        self._real = real

    def token(self, length: int) -> bytes:
        """Draw bytes."""
        return self._random.randbytes(length)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_the_leaves_are_those_of_one_draw_for_all(
    vote_that_ended: tuple[Context, str, FakeClock],
) -> None:
    """Pieces change nothing: the order is that of keys drawn at once, one for each ballot."""
    context, proposal, _ = vote_that_ended
    with context.store.read() as work:
        sealed = list(work.box.since(proposal))
        ballots = open_ballots(context, work, proposal, [one.place for one in sealed])
    drawn = Random(5).randbytes(16 * VOTERS)
    keys = [drawn[at : at + 16] for at in range(0, len(drawn), 16)]
    expected = [ballots[at].leaf(proposal) for at in sorted(range(VOTERS), key=keys.__getitem__)]

    close_vote(replace(context, entropy=Drawn(context.entropy)), proposal)

    with context.store.read() as work:
        leaves = list(work.log.leaves_of(LeafType.BALLOT.value))
        stored = list(work.ballots.ballots(proposal))
        roll = work.ballots.roll(proposal)
    assert [json.loads(leaf.body) for leaf in leaves] == expected
    assert [leaf.index for leaf in leaves] == [one.log_index for one in stored]
    assert [one.voter for one in stored] == [leaf["voter"] for leaf in expected]
    assert roll == sorted(one.voter for one in stored)


def test_nothing_is_public_before_the_last_step(
    vote_that_ended: tuple[Context, str, FakeClock],
) -> None:
    """Prepared leaves are not in the log, nor is there a result, a roll or a ballot."""
    context, proposal, _ = vote_that_ended
    with context.store.read() as work:
        size, before = work.log.size(), work.proposals.find(proposal)
    lease = stop_vote(context, proposal, unattended=True)
    prepared = prepare(lease)

    with context.store.read() as work:
        assert (work.log.size(), work.proposals.find(proposal)) == (size, before)
        assert (list(work.ballots.ballots(proposal)), work.ballots.roll(proposal)) == ([], [])
        assert work.ballots.counts(proposal) == (0, 0, 0)
    append(lease, prepared, unattended=True)
    with context.store.read() as work:
        assert work.log.size() == size + VOTERS + 1 + 1  # with the close, and the money held
        assert len(list(work.ballots.ballots(proposal))) == len(work.ballots.roll(proposal)) == 7
        assert sum(work.ballots.counts(proposal)) == VOTERS


def test_one_process_closes_a_vote_and_another_goes_on_after_its_lease(
    vote_that_ended: tuple[Context, str, FakeClock],
) -> None:
    """Whoever comes second is told, or skips the vote; the first one stops if it was too slow."""
    context, proposal, clock = vote_that_ended
    first = stop_vote(context, proposal, unattended=True)

    with pytest.raises(BeingClosed, match="by another process"):
        close_vote(context, proposal)
    assert close_due_votes(context, unattended=True) == []
    clock.advance(minutes=LEASE.seconds // 60)
    [closed] = close_due_votes(context, unattended=True)
    assert closed.tally.yes == VOTERS
    with pytest.raises(IllegalTransition):
        prepare(first)


def test_a_vote_takes_no_ballot_once_it_is_stopped(
    vote_that_ended: tuple[Context, str, FakeClock],
) -> None:
    """Also where another host's clock is late."""
    context, proposal, clock = vote_that_ended
    stop_vote(context, proposal, unattended=True)
    with context.store.read() as work:
        member = next(iter(work.members.all()))
    late = replace(context, clock=FakeClock(clock.now() - timedelta(minutes=1)))

    with context.store.write() as work:
        work.sql.run("DELETE FROM sealed_ballots")
        work.sql.run("DELETE FROM ballot_claims")
    with pytest.raises(VotingClosed):
        vote(late, member, proposal=proposal)


def test_a_failure_lets_another_process_go_on_at_once(
    vote_that_ended: tuple[Context, str, FakeClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk after the result is public: the close is completed later, emails once."""
    context, proposal, _ = vote_that_ended

    def full(*_: object) -> int:
        raise Unavailable("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(ClosingRepository, "move_roll", full)
        with pytest.raises(Unavailable):
            close_vote(context, proposal)
    queue_due_emails(context)  # the voters' own email goes first
    with context.store.read() as work:
        assert work.proposals.find(proposal).is_final
        assert len(work.ballots.roll(proposal)) == VOTERS
        assert not [one for one in work.outbox.all() if one.kind == "vote_result"]

    [closed] = close_due_votes(context, unattended=True)
    assert closed.passed
    with context.store.read() as work:
        told = [one.member_id for one in work.outbox.all() if one.kind == "vote_closed"]
        assert len(told) == len(set(told)) == VOTERS
        assert work.closings.all() == []
        assert work.box.tokens(proposal) == frozenset()
    with pytest.raises(IllegalTransition):
        close_vote(context, proposal)
