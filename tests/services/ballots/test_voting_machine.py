"""Random histories of a vote: each counted ballot belongs to a payer who voted.

One address and one card have one ballot, whoever leaves, rejoins or gets a refund.
"""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jara.domain.errors import AlreadyVoted, CardVoted, NotAChangemaker, VotingClosed
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import PledgeState, move_pledge
from jara.services.ballots.counting import show_roll
from jara.services.books.verification import verify_books
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.views import tally_vote
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, leave, open_vote, refund, vote
from tests.sizes import IS_FULL, fewer_examples


class VotingMachine(RuleBasedStateMachine):
    """The organisation, and a model of it made of a few sets."""

    def __init__(self) -> None:
        """Start with one open vote and no members."""
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.context = make_organisation(Path(self.folder.name))
        open_vote(self.context)
        self.here: list[Member] = []
        self.paying: set[str] = set()
        self.paused: set[str] = set()
        self.cast_ballots: dict[str, str] = {}
        self.closed_with: tuple[int, int, int, int] | None = None
        self.joined = 0
        self.gone: list[Member] = []
        self.cards: dict[str, str | None] = {}
        self.addresses: set[str] = set()
        self.used_cards: set[str | None] = set()

    @rule(pays=st.booleans(), card=st.sampled_from([None, "card_1", "card_2"]))
    def join(self, pays: bool, card: str | None) -> None:
        """A person joins, with or without a first payment, some with a family's card."""
        self.joined += 1
        self._join(f"m{self.joined}", pays=pays, card=card)

    @precondition(lambda self: self.gone)
    @rule(data=st.data(), card=st.sampled_from([None, "card_1"]))
    def rejoin(self, data: st.DataObject, card: str | None) -> None:
        """A former member joins again with the same address, and pays."""
        self.joined += 1
        left = data.draw(st.sampled_from(self.gone))
        self.gone = [one for one in self.gone if one.email != left.email]
        name = left.email.partition("@")[0]
        self._join(name, pays=True, card=card, name_at_provider=f"p{self.joined}")

    def _join(self, name: str, *, pays: bool, card: str | None, **more: str) -> None:
        cents = 1000 if pays else 0
        member = add_member(self.context, name, cents=cents, card=card, **more)
        self.here.append(member)
        self.cards[member.id] = card
        if pays:
            self.paying.add(member.id)

    @precondition(lambda self: self.here)
    @rule(data=st.data(), choice=st.sampled_from(["up", "down"]))
    def cast(self, data: st.DataObject, choice: str) -> None:
        """A member votes, or tries to."""
        member = data.draw(st.sampled_from(self.here))
        has_ballot = member.id in self.cast_ballots
        try:
            vote(self.context, member, choice)
        except AlreadyVoted:
            assert has_ballot or member.email in self.addresses
        except CardVoted:
            assert self.cards[member.id] in self.used_cards
        except VotingClosed:
            assert self.closed_with is not None
        except NotAChangemaker:
            assert member.id not in self.electors()
        else:
            assert self.closed_with is None
            assert member.id in self.electors()
            assert not has_ballot
            assert member.email not in self.addresses
            assert self.cards[member.id] not in self.used_cards
            self.cast_ballots[member.id] = choice
            self.addresses.add(member.email)
            if self.cards[member.id]:
                self.used_cards.add(self.cards[member.id])

    @precondition(lambda self: any(m.id in self.paying for m in [*self.here, *self.gone]))
    @rule(data=st.data(), disputed=st.booleans())
    def give_back(self, data: st.DataObject, disputed: bool) -> None:
        """A member's only payment is refunded or lost in a dispute, also after leaving."""
        payers = [m for m in [*self.here, *self.gone] if m.id in self.paying]
        member = data.draw(st.sampled_from(payers))
        refund(self.context, member, 1000, disputed=disputed)
        self.paying.discard(member.id)

    @precondition(lambda self: self.here)
    @rule(data=st.data())
    def pause(self, data: st.DataObject) -> None:
        """A member pauses the pledge, or goes on; the ballot stays."""
        member = data.draw(st.sampled_from(self.here))
        goes_on = member.id in self.paused
        with self.context.store.write() as work:
            pledge = work.pledges.get(member.id)
            assert pledge is not None
            state = PledgeState.ACTIVE if goes_on else PledgeState.PAUSED
            moved = move_pledge(pledge, state, at=self.context.now())
            work.pledges.put(moved, member_key=member.key, at=self.context.now())
        (self.paused.remove if goes_on else self.paused.add)(member.id)

    @precondition(lambda self: self.here)
    @rule(data=st.data())
    def go(self, data: st.DataObject) -> None:
        """A member leaves; the ballot stays."""
        member = data.draw(st.sampled_from(self.here))
        leave(self.context, member)
        self.here.remove(member)
        self.gone.append(member)

    @precondition(lambda self: self.closed_with is None)
    @rule()
    def close(self) -> None:
        """The end of the vote passes, and it is closed."""
        expected = self.result()
        clock_of(self.context).advance(days=11)
        [closed] = close_due_votes(self.context)
        self.closed_with = expected
        assert closed.passed == (expected[3] > 0 and 2 * expected[0] >= expected[3])

    def result(self) -> tuple[int, int, int, int]:
        """Return yes, no, void and roll of a close now, according to the sets."""
        counted = {who: choice for who, choice in self.cast_ballots.items() if who in self.paying}
        choices = list(counted.values())
        return (
            choices.count("up"),
            choices.count("down"),
            len(self.cast_ballots) - len(counted),
            len(self.electors() | set(counted)),
        )

    def electors(self) -> set[str]:
        """Return the members who may vote now, according to the sets."""
        return ({member.id for member in self.here} & self.paying) - self.paused

    def shown(self) -> tuple[int, int, int, int]:
        """Return what an open vote shows: all ballots, and today's changemakers."""
        choices = list(self.cast_ballots.values())
        return choices.count("up"), choices.count("down"), 0, len(self.electors())

    @invariant()
    def the_count_is_the_models(self) -> None:
        """The counts match the sets."""
        shown = tally_vote(self.context, "prop_01")
        expected = self.closed_with or self.shown()
        assert (shown["yes"], shown["no"], shown["void"], shown["roll"]) == expected
        assert shown["roll"] == show_roll(self.context, "prop_01").size
        with self.context.store.read() as work:
            ballots = list(work.ballots.ballots("prop_01"))
            assert work.ballots.participants("prop_01") == set()
            assert len(ballots) == len({ballot.voter for ballot in ballots})

    @precondition(lambda self: IS_FULL)
    @invariant()
    def nothing_is_wrong_in_the_books(self) -> None:
        """Every invariant of the books holds after every step."""
        assert verify_books(self.context).findings == ()

    def teardown(self) -> None:
        """Verify the books of the whole history, close the database and remove the keys."""
        assert verify_books(self.context).findings == ()
        self.context.store.close()
        self.folder.cleanup()


TestVotingMachine = VotingMachine.TestCase
TestVotingMachine.settings = settings(fewer_examples(4), stateful_step_count=25)
