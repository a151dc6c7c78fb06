"""Closing votes: the electors, the published result, the money and the key."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

import pytest

from jara.domain.errors import Conflict, IllegalTransition, NotFound, Unavailable
from jara.domain.publiclog import canonical
from jara.domain.publiclog.ballots import roll_root, voter_token
from jara.domain.publiclog.leaves import LeafType
from jara.services.ballots.counting import show_roll
from jara.services.content import add_item, show_item
from jara.services.context import Context
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.closing import (
    close_due_votes,
    close_vote,
    destroy_ballot_key,
    destroy_due_keys,
)
from jara.services.proposals.lifecycle import withdraw_proposal
from jara.services.proposals.views import show_proposal, tally_vote, verify_vote
from jara.store.unit_of_work import UnitOfWork
from tests.harness import clock_of
from tests.services.ballots import voting_world
from tests.services.ballots.voting_world import add_member, vote

pytestmark = pytest.mark.usefixtures("open_vote")


def after_the_end(context: Context, days: int = 11) -> Context:
    """Move the clock past the end of the vote."""
    clock_of(context).advance(days=days)
    return context


def test_a_vote_closes_after_its_end_alone(context: Context) -> None:
    """Closing early, or a second time, is refused and changes nothing."""
    with pytest.raises(Conflict, match="takes ballots until 2026-12-01T00:00:00Z"):
        close_vote(context, "prop_01")
    assert close_due_votes(context) == []

    closed = close_vote(after_the_end(context), "clean-water")

    assert not closed.passed
    with pytest.raises(IllegalTransition, match="is closed already"):
        close_vote(context, "prop_01")
    assert close_due_votes(context) == []


def test_closing_freezes_the_roll_in_the_log(context: Context) -> None:
    """The leaf holds the roll's size and root, the counts and the result."""
    ada, bob, cyd = (add_member(context, name) for name in ("ada", "bob", "cyd"))
    vote(context, ada)
    vote(context, bob, "down")
    voting_world.leave(context, ada)
    [closed] = close_due_votes(after_the_end(context))
    key = context.vault.ballot_key("prop_01")
    assert key is not None
    voters = sorted(voter_token(key, "prop_01", one.id) for one in (ada, bob, cyd))
    index = closed.record.closed_index or 0
    with context.store.read() as work:
        leaf = canonical.decode(work.log.leaf(index).body)
        sizes = [checkpoint.size for checkpoint in work.log.checkpoints()]
        size = work.log.size()

    assert leaf == {
        "changed_addresses": 0,
        "dropped": [],
        "emails": 2,
        "last_index": index - 1,
        "lost_votes": 0,
        "no": 1,
        "off_roll": {"address": 0, "no_address": 0, "payment": 0},
        "passed": False,
        "proposal": "prop_01",
        "roll_root": roll_root(voters),
        "roll_size": 3,
        "shared_cards": 0,
        "t": "jara/v1/proposal_close",
        "void": 0,
        "ways": {"card": 2, "cash": 0, "mobile": 0, "transfer": 0},
        "yes": 1,
    }
    assert sizes == [size]
    view = show_roll(context, "prop_01")
    assert (view.final, view.size, view.voters, view.root) == (
        True,
        3,
        tuple(voters),
        roll_root(voters),
    )


def test_a_closed_count_stays(context: Context) -> None:
    """Members who join afterwards or get their money back change nothing."""
    ada = add_member(context, "ada")
    vote(context, ada)
    close_due_votes(after_the_end(context))
    add_member(context, "bob")
    assert voting_world.refund(context, ada, 1000) == []

    document = tally_vote(context, "prop_01")
    assert (document["yes"], document["roll"], document["passes"], document["final"]) == (
        1,
        1,
        True,
        True,
    )
    assert show_proposal(context, "prop_01")["result"] == "passed"


def test_a_passed_proposal_holds_its_money(context: Context) -> None:
    """The goal is committed, and the free part of it is held immediately."""
    vote(context, add_member(context, "ada"))
    assert voting_world.projects_free(context) == 800
    close_due_votes(after_the_end(context))
    with context.store.read() as work:
        record = work.commitments.get("prop_01")

    assert record is not None
    assert (record.commitment.goal, record.commitment.held) == (500, 500)
    assert voting_world.projects_free(context) == 300


def test_a_rejected_proposal_holds_nothing(context: Context) -> None:
    """Half of the roll must vote yes, and nobody voted."""
    add_member(context, "ada")
    close_due_votes(after_the_end(context))

    with context.store.read() as work:
        assert work.commitments.get("prop_01") is None
    assert show_proposal(context, "prop_01")["result"] == "rejected"


def test_the_key_is_destroyed_after_fourteen_days(context: Context) -> None:
    """After that, no record links voters to choices."""
    vote(context, add_member(context, "ada"))
    close_due_votes(after_the_end(context))
    clock_of(context).advance(days=13)
    assert destroy_due_keys(context) == []
    clock_of(context).advance(days=1)

    assert "keyDestroyedAt" not in show_proposal(context, "prop_01")
    assert destroy_due_keys(context) == ["prop_01"]
    assert context.vault.ballot_key("prop_01") is None
    assert f"{context.today()}" in show_proposal(context, "prop_01")["keyDestroyedAt"]
    assert destroy_due_keys(context) == []
    assert verify_vote(context, "prop_01").ok


def test_a_withdrawn_vote_loses_its_key_too(context: Context) -> None:
    """After fourteen days, its ballots cannot be linked to voters."""
    withdraw_proposal(context, "prop_01", reason="Sold")
    clock_of(context).advance(days=14)

    assert destroy_due_keys(context) == ["prop_01"]


def test_an_operator_can_seal_at_once(context: Context) -> None:
    """This is possible only after the end; repeating it changes nothing."""
    with pytest.raises(Conflict, match="has not ended"):
        destroy_ballot_key(context, "prop_01")
    close_due_votes(after_the_end(context))

    sealed = destroy_ballot_key(context, "prop_01")
    clock_of(context).advance(days=1)
    assert sealed == destroy_ballot_key(context, "prop_01")
    context.vault.make_ballot_key("prop_01")  # a copy of the key was restored
    assert sealed == destroy_ballot_key(context, "prop_01")
    assert context.vault.ballot_key("prop_01") is None


def test_one_lost_key_keeps_no_other_vote_open(context: Context) -> None:
    """All other votes are closed before the loss is reported."""
    voting_world.open_vote(context, id="prop_02", title="Second")
    context.vault.destroy_ballot_key("prop_01")
    with pytest.raises(Unavailable, match="'prop_01' is lost"):
        close_due_votes(after_the_end(context))

    assert show_proposal(context, "prop_02")["status"] == "rejected"


class RacingStore:
    """A store in which another process closes the votes right after the first look."""

    def __init__(self, context: Context) -> None:
        """Wrap the store of a context."""
        self._context = context

    @contextmanager
    def read(self) -> Iterator[UnitOfWork]:
        """Show one state, then let the other process act."""
        with self._context.store.read() as work:
            yield work
        close_due_votes(self._context)

    def write(self) -> AbstractContextManager[UnitOfWork]:
        """Write as always."""
        return self._context.store.write()


def test_a_vote_that_somebody_else_closed_is_left_alone(context: Context) -> None:
    """Two daily runs at the same time close each vote once."""
    racing = replace(after_the_end(context), store=RacingStore(context))  # type: ignore[arg-type] # given by the test, by name

    assert close_due_votes(racing) == []
    with context.store.read() as work:
        assert len(list(work.log.leaves_of(LeafType.PROPOSAL_CLOSE))) == 1


def test_a_passed_proposal_gets_a_project(context: Context) -> None:
    """The new project is made from the proposal, and hidden until it is published."""
    vote(context, add_member(context, "ada"))
    close_due_votes(after_the_end(context))
    item = fund_proposal(context, "prop_01")

    assert (item.slug, item.doc["proposal"], item.published) == ("clean-water", "prop_01", False)
    assert show_proposal(context, "prop_01")["status"] == "funded"
    with pytest.raises(IllegalTransition):
        fund_proposal(context, "prop_01")


def test_a_passed_proposal_can_take_a_project_that_is_there(context: Context) -> None:
    """The project keeps all its other fields; an unknown project is not found."""
    vote(context, add_member(context, "ada"))
    close_due_votes(after_the_end(context))
    project = {"id": "wells", "slug": "wells", "title": "Wells", "status": "Planning"}
    add_item(context, "projects", {**project, "category": "water"})
    with pytest.raises(NotFound):
        fund_proposal(context, "prop_01", project="rivers")
    fund_proposal(context, "prop_01", project="wells")

    item = show_item(context, "projects", "wells")
    assert (item.doc["title"], item.doc["proposal"]) == ("Wells", "prop_01")
