"""A vote that was open when ballots became sealed: its listed ballots stay, new ones are sealed."""

from pathlib import Path

import pytest

from jara.domain.checks.log import read_leaf
from jara.domain.errors import AlreadyVoted
from jara.services.ballots.counting import show_roll
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.upkeep import upgrade
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.views import tally_vote, verify_vote
from tests.harness import clock_of, make_organisation
from tests.services.ballots.early_votes import list_early, open_early, void_early
from tests.services.ballots.voting_world import add_member, refund, vote


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with a vote that an earlier version opened."""
    context = make_organisation(place)
    open_early(context)
    return context


def test_an_open_vote_goes_on_after_the_upgrade(context: Context) -> None:
    """Listed and sealed ballots count alike; the close drops a listed one that lost its payment."""
    ada, bob, cyd, dan, eve = (add_member(context, n) for n in ("ada", "bob", "cyd", "dan", "eve"))
    list_early(context, ada)
    listed = list_early(context, bob, "down")
    refund(context, dan, 1000)
    void_early(context, list_early(context, dan))
    upgrade(context)
    vote(context, cyd)
    with pytest.raises(AlreadyVoted, match="a vote is final"):
        vote(context, ada)
    refund(context, bob, 1000)
    shown = tally_vote(context, "prop_01")
    assert (shown["yes"], shown["no"], shown["roll"]) == (2, 1, 3)
    assert eve.id in show_roll(context, "prop_01").members

    clock_of(context).advance(days=11)
    [closed] = close_due_votes(context)
    with context.store.read() as work:
        leaf = read_leaf(work.log.leaf(closed.record.closed_index or 0).body)
        dropped = work.log.leaf(listed).hash.hex()
    assert (leaf["yes"], leaf["no"], leaf["void"], leaf["roll_size"]) == (2, 0, 2, 3)
    assert leaf["dropped"] == [dropped]
    assert leaf["ways"] == {"card": 1, "cash": 0, "mobile": 0, "transfer": 0}
    assert verify_books(context).findings == ()
    assert verify_vote(context, "prop_01").ok


def test_an_upgrade_names_the_key_of_promises_once(context: Context) -> None:
    """Only while a vote is open; otherwise the next opening names it."""
    upgrade(context)
    upgrade(context)

    with context.store.read() as work:
        assert len(list(work.log.leaves_of("jara/v1/promise_key"))) == 1
