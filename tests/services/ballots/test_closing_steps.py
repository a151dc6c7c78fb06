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
from jara.security.keys import SecretsFolder
from jara.services.ballots.counting import open_ballots
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.daily_run import queue_due_emails
from jara.services.proposals import closing_steps
from jara.services.proposals.closing import close_due_votes, close_vote
from jara.services.proposals.closing_steps import LEASE, BeingClosed, append, prepare, stop_vote
from jara.store.repositories.voting.closings import ClosingRepository
from tests.fakes.clock import FakeClock
from tests.faults.fault_world import add_voters, found, put_to_vote
from tests.harness import clock_of, make_organisation
from tests.places import open_place
from tests.services.ballots.voting_world import add_member, open_vote, refund, vote
from tests.services.books.ledger_builders import give

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

    def __init__(self, real: Any, seed: int = 5) -> None:
        self._random = Random(seed)
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


CLOSED_BY_0_2_0: tuple[list[str], dict[str, Any]] = (
    [
        "fe0fa39d5dce350fc6223c2a5b7944eced2b032e89174ad16df6b154489ae5a4",
        "49a3c76480210a313db2c29bc2e514f450e0208cfc4c83bf3457a47e5e589dcc",
        "ddcc9e0d12179bc8bbf3dcdfdc0ed0f6e60929744eb0e55d592049a7076f0bb6",
        "2eba929fe80931139c26fa12976ce7020e1ef1abcde2359724b52724a413016e",
        "d2395912003a656ba55a8867f94062992e74514d8fcdb0e58ac672c5d3d91bc4",
    ],
    {
        "dropped": [
            "18779c8f54e982f447b4105815532eb42b8ed3ef66ab811ec024ba4374870ea8",
            "3bf4ea531f6e4d0b1d9fc1be2f8e52924669616ace731c2dca09a0c06055159b",
        ],
        "roll_root": "65048b3076d5f665764346b8015b6961f7296c5d78b6aaf0b723187b52325397",
        "roll_size": 7,
        "yes": 2,
        "no": 3,
        "void": 2,
        "ways": {"card": 5, "cash": 0, "mobile": 0, "transfer": 0},
    },
)
"""The leaf hashes and the result that 0.2.0 wrote of the vote below."""


def test_a_seed_gives_the_leaves_and_figures_of_0_2_0(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine members: two do not vote, and two are refunded after they did."""
    monkeypatch.setattr(closing_steps, "PIECE", 3)
    context = make_organisation(place)
    vault = SecretsFolder(place / "secrets", draw=Random(0).randbytes, durable=False)
    vault.make_ballot_key("prop_01")  # the vote takes the key that is there
    open_vote(context)
    for number in range(9):
        seeded = replace(context, entropy=Drawn(context.entropy, number))
        member = add_member(seeded, f"voter{number}")
        if number < VOTERS:
            vote(seeded, member, "up" if number % 3 else "down")
        if number in {2, 4}:
            refund(context, member, 1000)
    clock_of(context).advance(days=11)

    closed = close_vote(replace(context, entropy=Drawn(context.entropy)), "prop_01").record

    with context.store.read() as work:
        hashes = [leaf.hash.hex() for leaf in work.log.leaves_of(LeafType.BALLOT.value)]
        result = json.loads(work.log.leaf(closed.closed_index or 0).body)
    expected_hashes, expected = CLOSED_BY_0_2_0
    assert (hashes, {**result, **expected}) == (expected_hashes, result)


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


def test_a_leaf_of_somebody_else_comes_before_the_ballots(
    vote_that_ended: tuple[Context, str, FakeClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is appended while the close computes the new head, which is then computed again."""
    context, proposal, _ = vote_that_ended
    append_all = closing_steps._append_all
    others: list[int] = []

    def overtaken(*before: Any) -> Any:
        after = append_all(*before)
        if not others:
            others.append(give(context, 1000).index)
        return after

    monkeypatch.setattr(closing_steps, "_append_all", overtaken)
    close_vote(context, proposal)

    with context.store.read() as work:
        first = next(work.log.leaves_of(LeafType.BALLOT.value))
    assert others == [first.index - 1]
    assert verify_books(context).findings == ()


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
