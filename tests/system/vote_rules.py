"""Rules for votes, and for the payments that follow them."""

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jara.domain.errors import AlreadyVoted, Conflict, FundOverdrawn, NotAChangemaker, VotingClosed
from jara.domain.voting.tally import Choice
from jara.records.operations import Approval
from jara.services.ballots.casting import cast_ballot
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.commitments import release_commitment
from jara.services.payments.refunding import refund_payment
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import withdraw_proposal
from tests.services.ballots.voting_world import open_vote
from tests.system.people_rules import numbers
from tests.system.system_base import Person, SystemBase, pick
from tests.system.vote_model import Vote

choices = st.sampled_from(["up", "up", "down"])


class VoteRules(SystemBase):
    """Proposals, ballots, results, and the money for them."""

    @precondition(lambda self: len(self.voting.open_ones) < 3)
    @rule(days=st.integers(1, 40), goal=st.sampled_from([300, 2000, 20_000]))
    def put_to_vote(self, days: int, goal: int) -> None:
        """Let an operator open a vote."""
        name = f"prop_{self.next_number()}"
        ends = self.world.clock.now() + timedelta(days=days)
        open_vote(
            self.context,
            id=name,
            slug=name.replace("_", "-"),
            title=name,
            fundingGoalCents=goal,
            endDate=ends.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        self.voting.votes[name] = Vote()

    @precondition(lambda self: self.members and self.voting.votes)
    @rule(number=numbers, which=numbers, choice=choices)
    def cast(self, number: int, which: int, choice: str) -> None:
        """Let a member try to vote."""
        self._cast(pick(self.members, number), pick(list(self.voting.votes), which), choice)

    @precondition(lambda self: self.members and self.voting.open_ones)
    @rule(which=numbers, chosen=st.lists(choices, min_size=2, max_size=6))
    def everybody_votes(self, which: int, chosen: list[str]) -> None:
        """Let many members vote on one proposal."""
        name = pick(list(self.voting.open_ones), which)
        for person, choice in zip(self.members, chosen, strict=False):
            self._cast(person, name, choice)

    @precondition(lambda self: self.members and self.voting.open_ones)
    @rule(number=numbers, which=numbers, choice=choices, ends=st.booleans())
    def vote_and_regret(self, number: int, which: int, choice: str, ends: bool) -> None:
        """Let a member vote and then get a full refund, so that no payment supports the ballot."""
        person = pick(self.members, number)
        name = pick(list(self.voting.open_ones), which)
        self._cast(person, name, choice)
        for charge, paid in self.money.payments.items():
            if paid.member == person.id and paid.gives_vote(self.world.clock.now()):
                with suppress(Conflict):  # disputed, which the books do not know yet
                    refund_payment(self.context, charge, why="Asked for all of it.")
        if ends:
            self.everything_holds()
            self.let_a_vote_end()

    def _cast(self, person: Person, name: str, choice: str) -> None:
        """Vote, lose the answer, repeat the request, then try another choice."""
        vote = self.voting.votes[name]
        with self.context.store.read() as work:
            is_elector = person.id in self.electors(work)
            ends_at = work.proposals.find(name).proposal.ends_at
        over = not vote.is_open or self.world.clock.now() >= ends_at
        nonce = f"{self.next_number():016d}".encode()
        try:
            first = cast_ballot(self.context, name, person.id, Choice(choice), nonce=nonce)
        except AlreadyVoted:
            assert person.id in vote.cast
        except VotingClosed:
            assert over
        except NotAChangemaker:
            assert not is_elector
        else:
            assert not over
            assert is_elector
            assert person.id not in vote.cast
            vote.cast[person.id] = choice
            again = cast_ballot(self.context, name, person.id, Choice(choice), nonce=nonce)
            assert first == again
            other = Choice.DOWN if choice == "up" else Choice.UP
            with pytest.raises(AlreadyVoted):
                cast_ballot(self.context, name, person.id, other, nonce=nonce)

    @precondition(lambda self: self.voting.open_ones)
    @rule()
    def let_a_vote_end(self) -> None:
        """Advance to the end of the next vote and close it then."""
        with self.context.store.read() as work:
            ends = [work.proposals.find(name).proposal.ends_at for name in self.voting.open_ones]
        self.world.pass_time(max(min(ends), self.world.clock.now()))
        assert close_due_votes(self.context)

    @precondition(lambda self: self.voting.open_ones)
    @rule(which=numbers)
    def withdraw(self, which: int) -> None:
        """Let an operator withdraw a proposal."""
        name = pick(list(self.voting.open_ones), which)
        withdraw_proposal(self.context, name, reason="The land was sold.")
        self.voting.votes[name].withdrawn = True

    @property
    def passed(self) -> list[str]:
        """The proposals that passed."""
        return [name for name, vote in self.voting.votes.items() if vote.result and vote.passed]

    @precondition(lambda self: self.passed)
    @rule(which=numbers)
    def fund(self, which: int) -> None:
        """Let an operator create the project of a passed proposal."""
        name = pick(self.passed, which)
        with self.context.store.read() as work:
            status = work.proposals.find(name).proposal.status
        if status == "passed":
            fund_proposal(self.context, name)

    @precondition(lambda self: self.passed)
    @rule(
        which=numbers,
        part=st.sampled_from([1, 2, 5]),
        more=st.sampled_from([0, 0, 0, 1]),
        is_wrong=st.sampled_from([False, False, True]),
    )
    def pay(self, which: int, part: int, more: int, is_wrong: bool) -> None:
        """Let an operator pay a project from its held money, and perhaps reverse it."""
        name = pick(self.passed, which)
        slug, external = name.replace("_", "-"), f"bank-{self.next_number()}"
        with self.context.store.read() as work:
            record = work.commitments.get(name)
        assert record is not None
        cents = record.commitment.held // part + more
        if cents == 0:
            return
        payment = Disbursement(Payee.PROJECTS, slug, cents, name, external_id=external)
        try:
            posted = disburse(self.context, payment)
        except FundOverdrawn:
            assert cents > record.commitment.held
            return
        assert cents <= record.commitment.held
        assert not isinstance(posted, Approval)
        self.expected.entries.add(posted.index)
        if is_wrong:
            undone = reverse_entry(self.context, posted.id, why="Sent to another account.")
            assert not isinstance(undone, Approval)
            self.expected.entries.add(undone.index)
            return
        self.money.funds["projects"] -= cents
        self.money.paid_out[name] += cents
        self.expected.assets_cents -= cents

    @precondition(lambda self: self.passed)
    @rule(which=numbers)
    def give_up_a_project(self, which: int) -> None:
        """Release the money that a project does not need."""
        name = pick(self.passed, which)
        release_commitment(self.context, name, cents=None, why="Complete.")
