"""The counts of open votes: in memory, right for each snapshot, and cheap to continue."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jara.security.sealing import BallotSealer
from jara.services.ballots.counting import count_open, count_open_votes
from jara.services.context import Context
from tests.harness import make_organisation
from tests.places import database_of
from tests.services.ballots.voting_world import add_member, open_vote, vote

Counts = tuple[int, int]


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that several threads can open."""
    return make_organisation(place, database=database_of(place))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The box tokens of the ballots that are opened from now on."""
    tokens: list[str] = []
    real = BallotSealer.open

    def noted(sealer: BallotSealer, box: str, sealed: bytes) -> bytes:
        tokens.append(box)
        return real(sealer, box, sealed)

    monkeypatch.setattr(BallotSealer, "open", noted)
    return tokens


def count_now(context: Context) -> Counts:
    """Count in a transaction of its own."""
    with context.store.read() as work:
        return count_open(context, work, "prop_01")


def test_an_older_snapshot_opens_only_the_newest_ballots(
    context: Context, opened: list[str]
) -> None:
    """A reader whose snapshot is older than another's count does not start again."""
    open_vote(context)
    for number in range(20):
        vote(context, add_member(context, f"early{number}"))
    late = add_member(context, "late")
    assert count_now(context) == (20, 0)
    with context.store.read() as older, ThreadPoolExecutor(1) as other:
        assert older.box.tokens("prop_01")  # the snapshot begins here
        other.submit(vote, context, late, "down").result()
        assert other.submit(count_now, context).result() == (20, 1)
        opened.clear()

        assert count_open(context, older, "prop_01") == (20, 0)
        assert opened == []
        other.submit(context.store.close).result()
    assert count_now(context) == (20, 1)
    assert opened == []


def test_a_server_counts_before_anybody_asks(context: Context, opened: list[str]) -> None:
    """After `count_open_votes` a visitor's count opens nothing."""
    open_vote(context)
    for number in range(3):
        vote(context, add_member(context, f"voter{number}"))

    count_open_votes(context)
    opened.clear()

    assert count_now(context) == (3, 0)
    assert opened == []
