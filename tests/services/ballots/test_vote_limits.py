"""Tests of voting through the website."""

from pathlib import Path

import pytest

from jara.domain.errors import AlreadyVoted, NotFound, TooManyRequests
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import vote
from jara.services.context import Context
from jara.services.proposals.lifecycle import draft_proposal
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote
from tests.services.members.codes_world import LIMITS


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with an open vote."""
    made = make_organisation(place)
    add_member(made, "ama")
    open_vote(made)
    return made


def ama(context: Context) -> str:
    """Return the id of the voting member."""
    with context.store.read() as work:
        return work.members.find("ama@example.org").id


@pytest.mark.parametrize("name", ["prop_01", "clean-water"])
def test_a_proposal_is_named_by_its_whole_id_or_slug(context: Context, name: str) -> None:
    """A proposal is found by its whole id or slug, and the receipt names the ballot."""
    assert '"prop_01"' in vote(context, LIMITS, name, ama(context), Choice.UP).leaf_bytes


@pytest.mark.parametrize("name", ["prop", "clean", ""])
def test_a_beginning_of_a_name_is_no_proposal(context: Context, name: str) -> None:
    """A vote with only the beginning of a name is refused."""
    with pytest.raises(NotFound):
        vote(context, LIMITS, name, ama(context), Choice.UP)


def test_a_draft_is_not_told_about(context: Context) -> None:
    """A guessed name of a draft is answered like an unknown one."""
    draft_proposal(context, {**PROPOSAL, "id": "draft", "slug": "draft", "title": "A draft"})
    with pytest.raises(NotFound, match="no proposal 'draft'"):
        vote(context, LIMITS, "draft", ama(context), Choice.UP)


def test_refused_votes_count_for_the_limit(context: Context) -> None:
    """Accepted and refused votes both count, three a minute here, until the minute has passed."""
    member = ama(context)
    vote(context, LIMITS, "prop_01", member, Choice.UP)
    for _ in range(2):
        with pytest.raises(AlreadyVoted):
            vote(context, LIMITS, "prop_01", member, Choice.DOWN)
    with pytest.raises(TooManyRequests):
        vote(context, LIMITS, "prop_01", member, Choice.DOWN)
    clock_of(context).advance(minutes=1)

    with pytest.raises(AlreadyVoted):
        vote(context, LIMITS, "prop_01", member, Choice.DOWN)
