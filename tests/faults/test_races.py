"""Two processes on one database do what only one of them may do."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.voting.proposal import ProposalStatus
from jara.services.books.verification import verify_books
from tests.faults.fault_world import add_voters, found, put_to_vote, reopen
from tests.places import so_many
from tests.services.ballots.voting_world import open_sealed
from tests.sizes import PATIENCE_SECONDS, size

ROOT = Path(__file__).parents[2]
OPPOSITE_VOTES = size(40, 1000, full=500)
CLOSINGS = size(16, 1000, full=100)
CLOSES_AT_ONCE = size(2, 200, full=20)
pytestmark = pytest.mark.slow


class Racer:
    """The parent of ``racer.py``."""

    def __init__(self) -> None:
        """Start the process."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith("JARA_")}
        paths = [str(ROOT), kept.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("racer.py"))],
            env={**kept, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, *words: str) -> None:
        """Send a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()

    def read_answer(self) -> str:
        """Wait for the answer."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def end(self) -> None:
        """Stop the process."""
        self._process.communicate(timeout=PATIENCE_SECONDS)
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def processes() -> Iterator[tuple[Racer, Racer]]:
    """Two processes, shared by all races."""
    pair = (Racer(), Racer())
    yield pair
    for racer in pair:
        racer.end()


@pytest.fixture
def racers(place: Path, processes: tuple[Racer, Racer]) -> tuple[Racer, Racer]:
    """Both processes, at the organisation of a test that was created before."""
    found(place).context.store.close()
    for racer in processes:
        racer.tell("open", str(place))
        assert racer.read_answer() == "done"
    return processes


def test_of_two_opposite_votes_exactly_one_counts(place: Path, racers: tuple[Racer, Racer]) -> None:
    """The other process is told that the vote was already counted."""
    application = reopen(place)
    voters = add_voters(application, so_many(OPPOSITE_VOTES, place))
    proposal = put_to_vote(application)
    now = application.context.now().isoformat()
    winners: Counter[str] = Counter()

    for number, voter in enumerate(voters):
        choices = ("up", "down")
        turn = number % 2  # the first to be told alternates, so that both can win
        answers = ["", ""]
        for which in (turn, 1 - turn):
            racers[which].tell("vote", proposal, voter.member.id, choices[which], now)
            if number < len(choices):  # each wins once without a race
                answers[which] = racers[which].read_answer()
        answers = [answer or racers[which].read_answer() for which, answer in enumerate(answers)]
        assert sorted(answers) == ["already_voted", "done"], number
        winners[choices[answers.index("done")]] += 1

    counted = Counter(ballot.choice for ballot in open_sealed(application.context, proposal))
    assert counted == winners
    assert min(winners["up"], winners["down"]) > 0
    assert verify_books(application.context).findings == ()


def test_a_vote_comes_before_the_close_or_is_refused(
    place: Path, racers: tuple[Racer, Racer]
) -> None:
    """After the close has fixed the result, no vote is accepted."""
    application = reopen(place)
    count = so_many(CLOSINGS, place)
    voters = add_voters(application, count)
    ends = (application.context.now() + timedelta(hours=1)).replace(microsecond=0)
    before, after = (ends - timedelta(seconds=1)).isoformat(), ends.isoformat()
    votes = [
        put_to_vote(application, f"wells-{number}", ends=ends.strftime("%Y-%m-%dT%H:%M:%SZ"))
        for number in range(count)
    ]
    counted: Counter[str] = Counter()

    for number, (proposal, voter) in enumerate(zip(votes, voters, strict=True)):
        # The voter's clock is a second behind; by time alone, every vote would be accepted.
        acts = [
            (racers[0], ("vote", proposal, voter.member.id, "up", before)),
            (racers[1], ("close", proposal, after)),
        ]
        answers = {}
        for racer, words in acts if number % 2 else reversed(acts):
            racer.tell(*words)
            if number < len(acts):  # each order once without a race
                answers[racer] = racer.read_answer()
        answer, closing = (answers.get(racer) or racer.read_answer() for racer in racers)
        assert closing == "done"
        assert answer in {"done", "voting_closed"}, number
        counted[answer] += 1
        with application.context.store.read() as work:
            record = work.proposals.find(proposal)
            yes, no, _ = work.ballots.counts(proposal)
            ballots = list(work.ballots.ballots(proposal))
        assert (yes, no) == (int(answer == "done"), 0)
        assert record.proposal.status is ProposalStatus.REJECTED  # one vote of many
        assert record.closed_index is not None
        assert all(ballot.log_index < record.closed_index for ballot in ballots)

    assert min(counted["done"], counted["voting_closed"]) > 0
    assert verify_books(application.context).findings == ()


def test_of_two_closes_one_decides(place: Path, racers: tuple[Racer, Racer]) -> None:
    """Two servers that close a vote at once list each ballot once; the other one is told."""
    application = reopen(place)
    voters = add_voters(application, 5)
    now = application.context.now()
    ends = (now + timedelta(days=1)).replace(microsecond=0)
    votes = [
        put_to_vote(application, f"wells-{number}", ends=ends.strftime("%Y-%m-%dT%H:%M:%SZ"))
        for number in range(so_many(CLOSES_AT_ONCE, place))
    ]
    after = ends.isoformat()
    for number, proposal in enumerate(votes):
        minute = (now + timedelta(minutes=number)).isoformat()  # a member casts ten votes in one
        for voter in voters:
            racers[0].tell("vote", proposal, voter.member.id, "up", minute)
            assert racers[0].read_answer() == "done"
        for racer in racers:
            racer.tell("close", proposal, after)
        answers = Counter(racer.read_answer() for racer in racers)
        assert answers.pop("done") == 1
        # Told while the other one is at it, or when it is through.
        assert set(answers) <= {"conflict", "illegal_transition"}

    with application.context.store.read() as work:
        assert [work.ballots.counts(proposal) for proposal in votes] == [(5, 0, 0)] * len(votes)
        assert sum(1 for _ in work.log.leaves_of("jara/v1/ballot")) == 5 * len(votes)
    assert verify_books(application.context).findings == ()
