"""Any order of joining, leaving, voting, refunding and closing keeps the count honest."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jara.domain.errors import AlreadyVoted, NotAChangemaker, VotingClosed
from jara.domain.giving.member import Member
from jara.services.ballots.counting import show_roll
from jara.services.books.verification import verify_books
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.views import tally_vote
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, leave, open_vote, refund, vote


class VotingMachine(RuleBasedStateMachine):
    """The organisation beside a model of a few sets."""

    def __init__(self) -> None:
        """Begin with one open vote and nobody in it."""
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.context = make_organisation(Path(self.folder.name))
        open_vote(self.context)
        self.here: list[Member] = []
        self.paying: set[str] = set()
        self.counted: dict[str, str] = {}
        self.voided: set[str] = set()
        self.closed_with: tuple[int, int, int, int] | None = None
        self.joined = 0

    @rule(pays=st.booleans())
    def join(self, pays: bool) -> None:
        """Somebody joins, with a first payment or before it."""
        self.joined += 1
        member = add_member(self.context, f"m{self.joined}", cents=1000 if pays else 0)
        self.here.append(member)
        if pays:
            self.paying.add(member.id)

    @precondition(lambda self: self.here)
    @rule(data=st.data(), choice=st.sampled_from(["up", "down"]))
    def cast(self, data: st.DataObject, choice: str) -> None:
        """A member votes, or tries to."""
        member = data.draw(st.sampled_from(self.here))
        try:
            vote(self.context, member, choice)
        except AlreadyVoted:
            assert member.id in self.counted or member.id in self.voided
        except VotingClosed:
            assert self.closed_with is not None
        except NotAChangemaker:
            assert member.id not in self.paying
        else:
            assert self.closed_with is None
            assert member.id in self.paying
            assert member.id not in self.counted
            assert member.id not in self.voided
            self.counted[member.id] = choice

    @precondition(lambda self: any(m.id in self.paying for m in self.here))
    @rule(data=st.data())
    def give_back(self, data: st.DataObject) -> None:
        """A member's only payment is refunded."""
        member = data.draw(st.sampled_from([m for m in self.here if m.id in self.paying]))
        refund(self.context, member, 1000)
        self.paying.discard(member.id)
        if self.closed_with is None and member.id in self.counted:
            del self.counted[member.id]
            self.voided.add(member.id)

    @precondition(lambda self: self.here)
    @rule(data=st.data())
    def go(self, data: st.DataObject) -> None:
        """A member leaves; the ballot stays."""
        member = data.draw(st.sampled_from(self.here))
        leave(self.context, member)
        self.here.remove(member)

    @precondition(lambda self: self.closed_with is None)
    @rule()
    def close(self) -> None:
        """The end of the vote passes, and it is closed."""
        expected = self.model()
        clock_of(self.context).advance(days=11)
        [closed] = close_due_votes(self.context)
        self.closed_with = expected
        assert closed.passed == (expected[3] > 0 and 2 * expected[0] >= expected[3])

    def model(self) -> tuple[int, int, int, int]:
        """Return yes, no, void and roll as the sets tell them."""
        if self.closed_with is not None:
            return self.closed_with
        choices = list(self.counted.values())
        electors = {member.id for member in self.here} & self.paying
        return (
            choices.count("up"),
            choices.count("down"),
            len(self.voided),
            len(electors | set(self.counted)),
        )

    @invariant()
    def the_count_is_the_models(self) -> None:
        """What is shown is what the sets say, and the maintained counts are a recount."""
        shown = tally_vote(self.context, "prop_01")
        assert self.model() == (shown["yes"], shown["no"], shown["void"], shown["roll"])
        assert shown["roll"] == show_roll(self.context, "prop_01").size
        with self.context.store.read() as work:
            assert work.ballots.counts("prop_01") == work.ballots.recount("prop_01")
            ballots = list(work.ballots.ballots("prop_01"))
            assert len(ballots) == len(work.ballots.participants("prop_01"))
            assert len(ballots) == len({ballot.voter for ballot in ballots})

    @invariant()
    def nothing_is_wrong_in_the_books(self) -> None:
        """Every invariant of the books holds after every step."""
        assert () == verify_books(self.context).findings

    def teardown(self) -> None:
        """Close the database and remove the keys."""
        self.context.store.close()
        self.folder.cleanup()


TestVotingMachine = VotingMachine.TestCase
# Every step verifies the whole books, so a quarter of the histories tells as much.
TestVotingMachine.settings = settings(
    max_examples=settings().max_examples // 4, stateful_step_count=25
)
