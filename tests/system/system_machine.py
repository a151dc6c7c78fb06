"""A state machine of the whole system under random histories."""

from hypothesis import strategies as st
from hypothesis.stateful import initialize

from tests.system.money_rules import MoneyRules
from tests.system.people_rules import PeopleRules
from tests.system.provider_worlds import DoubleWorld
from tests.system.vote_rules import VoteRules


class SystemMachine(PeopleRules, VoteRules, MoneyRules):
    """Everything that people, operators, time and the provider can do."""

    @initialize(people=st.sampled_from([0, 2, 3, 3]), has_passed=st.booleans())
    def begin(self, people: int, has_passed: bool) -> None:
        """Start empty, or with some givers and a vote."""
        if not people:
            return
        for _ in range(people):
            self.join(dollars=10, day="current", card="pm_card_visa")
        self.pass_time(hours=1)
        self.daily()
        self.everything_holds()
        self.put_to_vote(days=9, goal=2000)
        if has_passed:
            for number in range(people):
                self.cast(number=number, which=0, choice="up")
            self.let_a_vote_end()
            self.everything_holds()
            self.put_to_vote(days=30, goal=300)


class StripeMachine(SystemMachine):
    """The same with the Stripe adapter and the Stripe double."""

    world_type = DoubleWorld
