"""Rules for people: join, confirm, change the pledge, leave; also with lost answers."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jara.domain.errors import CardDeclined, Conflict, EmailTaken, JaraError, NotFound, Unavailable
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.giving.joining import register
from jara.services.members.accounts import close_account, erase_member
from tests.services.giving.joiners import FailingGateway, form
from tests.system.system_base import Person, SystemBase, pick

GOOD = "pm_card_visa"
ASKS = "pm_card_authenticationRequired"
ASKS_ONCE = "pm_card_authenticationRequiredOnSetup"
DECLINED = "pm_card_chargeDeclined"
FAILS = "pm_card_chargeCustomerFail"
numbers = st.integers(0, 10**6)


def failing(context: Context, call: str, *, after: bool) -> Context:
    """Return the same organisation with a provider that fails once in one call."""
    error = Unavailable("The payment provider did not answer.")
    inner: Any = context.gateway
    gateway: Any = FailingGateway(inner, call, after=after, error=error)
    return replace(context, gateway=gateway)


class PeopleRules(SystemBase):
    """Members and people who want to join."""

    @rule(
        dollars=st.integers(5, 40),
        day=st.sampled_from(["current", "current", "current", "1", "28"]),
        card=st.sampled_from([GOOD, GOOD, GOOD, GOOD, ASKS, ASKS_ONCE, DECLINED, FAILS]),
    )
    def join(self, dollars: int, day: str, card: str) -> None:
        """Let a person join."""
        person = Person(f"m{self.next_number()}@example.org")
        self.expected.people[person.email] = person
        self._register(self.context, person, dollars=dollars, day=day, card=card)

    @rule(
        dollars=st.integers(5, 40),
        call=st.sampled_from(["create_customer", "start_subscription", "subscription"]),
        after=st.booleans(),
        comes_again=st.booleans(),
    )
    def join_and_hear_nothing(
        self, dollars: int, call: str, after: bool, comes_again: bool
    ) -> None:
        """Lose the provider's answer to a registration, which the person may repeat."""
        person = Person(f"m{self.next_number()}@example.org")
        self.expected.people[person.email] = person
        broken = failing(self.context, call, after=after)
        try:
            self._register(broken, person, dollars=dollars)
        except Unavailable:
            if comes_again:
                self._register(self.context, person, dollars=dollars)

    def _register(
        self,
        context: Context,
        person: Person,
        *,
        dollars: int,
        day: str = "current",
        card: str = GOOD,
    ) -> None:
        asked = form(person.email, contribution=str(dollars), billing_day=day)
        try:
            started = register(context, asked, payment_method=self.world.card(card))
        except CardDeclined:
            assert card in {DECLINED, FAILS}
            del self.expected.people[person.email]  # a declined attempt leaves nothing
            return
        assert card != DECLINED
        person.id, person.key = started.member.id, started.member.key
        person.secret = started.client_secret

    @precondition(lambda self: any(not person.id for person in self.expected.people.values()))
    @rule(number=numbers)
    def come_again(self, number: int) -> None:
        """Repeat an interrupted registration, which may have been completed since."""
        waiting = [person for person in self.expected.people.values() if not person.id]
        try:
            self._register(self.context, pick(waiting, number), dollars=10)
        except EmailTaken as error:
            raise AssertionError("who has no account yet is told to sign in") from error

    @precondition(lambda self: any(person.secret for person in self.members))
    @rule(number=numbers, succeed=st.sampled_from([True, True, False]))
    def confirm(self, number: int, succeed: bool) -> None:
        """Confirm the payment, or fail to do so, and let the page check it."""
        person = pick([person for person in self.members if person.secret], number)
        with suppress(JaraError, AssertionError):  # the payment was cancelled meanwhile
            self.world.confirm(str(person.secret), succeed=succeed)
        person.secret = None
        with suppress(NotFound):  # never paid, so the pledge is gone
            pledging.refresh_pledge(self.context, person.id)

    @precondition(lambda self: self.members)
    @rule(
        number=numbers,
        act=st.sampled_from(["amount", "day", "skip", "keep", "pause", "resume", "cancel"]),
        dollars=st.integers(5, 40),
        day=st.sampled_from(["1", "28", "current"]),
    )
    def change_pledge(self, number: int, act: str, dollars: int, day: str) -> None:
        """Change a member's pledge if its state allows that."""
        who = pick(self.members, number).id
        acts: dict[str, Any] = {
            "amount": lambda: pledging.change_amount(self.context, who, dollars),
            "day": lambda: pledging.change_day(self.context, who, day),
            "skip": lambda: pledging.skip_next(self.context, who),
            "keep": lambda: pledging.keep_next(self.context, who),
            "pause": lambda: pledging.pause_pledge(self.context, who),
            "resume": lambda: pledging.resume_pledge(self.context, who),
            "cancel": lambda: pledging.cancel_pledge(self.context, who),
        }
        with suppress(Conflict):  # an illegal step, or Stripe knows more than Jara does yet
            acts[act]()

    @precondition(lambda self: self.members)
    @rule(number=numbers, card=st.sampled_from([FAILS, FAILS, GOOD]))
    def change_card(self, number: int, card: str) -> None:
        """Set another card, which may fail at the next charge."""
        with suppress(Conflict, CardDeclined):
            pledging.replace_card(
                self.context, pick(self.members, number).id, self.world.card(card)
            )

    @precondition(lambda self: self.members)
    @rule(number=numbers, by_operator=st.booleans(), lost=st.sampled_from([False, False, True]))
    def leave(self, number: int, by_operator: bool, lost: bool) -> None:
        """Let a member leave; if the provider is down, the account stays."""
        person = pick(self.members, number)
        if lost:
            try:
                close_account(failing(self.context, "delete_customer", after=False), person.id)
            except Unavailable:
                return
        elif by_operator:
            erase_member(self.context, person.id, why="Asked by letter.")
        else:
            close_account(self.context, person.id)
        self.forget(person)
