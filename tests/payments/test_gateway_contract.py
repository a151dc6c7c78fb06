"""One contract for both gateways: what holds in the sandbox holds at Stripe (the port)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol

import pytest

from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.domain.errors import CardDeclined, Conflict, InvalidInput, NotFound
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.services.ports.payments import (
    Attempt,
    IntentType,
    PaymentGateway,
    PaymentOutcome,
    SandboxClockwork,
    SubscriptionFacts,
)
from tests.fakes.clock import FakeClock
from tests.payments.sandbox_world import make_world
from tests.payments.stripe_world import instant, open_world
from tests.stripe_double.double import StripeDouble

START = instant(2026, 1, 31, 9, 30)
LATER = BillingDay.TWENTY_EIGHTH


class Provider(Protocol):
    """What the provider does by itself, or the cardholder."""

    def confirm(self, client_secret: str, *, succeed: bool) -> None:
        """Answer the bank's question."""
        ...

    def dispute(self, charge_id: str) -> str:
        """Take a charge back."""
        ...

    def settle_dispute(self, dispute_id: str, *, won: bool) -> None:
        """Decide a dispute."""
        ...


@dataclass
class World:
    """A gateway and its provider."""

    gateway: PaymentGateway
    provider: Provider
    clock: FakeClock
    people: int = 0

    def pass_time(self, until: datetime) -> None:
        """Let time pass; at Stripe a renewal is paid an hour after its day begins at noon."""
        if isinstance(self.provider, StripeDouble):
            self.provider.advance_to(until)
            return
        clockwork: SandboxClockwork = self.provider  # type: ignore[assignment] # the sandbox's own
        self.clock.set(until)
        clockwork.run_until(until)

    def settle(self) -> None:
        """Let a charge get its balance transaction."""
        self.pass_time(self.clock.now() + timedelta(minutes=1))

    def customer(self, card: str = "pm_card_visa") -> str:
        """Make a customer."""
        self.people += 1
        return self.gateway.create_customer(
            email=f"giver{self.people}@example.org",
            name="Ama Mensah",
            member_id=f"member{self.people}",
            payment_method=card,
            key=f"customer:{self.people}",
        )

    def start(
        self, card: str = "pm_card_visa", day: BillingDay = BillingDay.CURRENT, dollars: int = 10
    ) -> Attempt:
        """Make a customer and start a subscription."""
        return self.gateway.start_subscription(
            customer_id=self.customer(card),
            dollars=dollars,
            billing_day=day,
            member_id=f"member{self.people}",
            key=f"subscription:{self.people}",
        )

    def facts(self, attempt: Attempt) -> SubscriptionFacts:
        """Return how a subscription stands."""
        return self.gateway.subscription(attempt.reference)

    def charge_days(self) -> list[date]:
        """Return the days of the charges in the rows."""
        rows = self.gateway.rows()
        return [row.day for row in rows if row.category is RowCategory.CHARGE]


@pytest.fixture(params=["sandbox", "stripe"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Return one gateway after the other."""
    if request.param == "sandbox":
        sandbox = make_world(START)
        yield World(sandbox.gateway, sandbox.gateway, sandbox.clock)
        return
    with open_world(START) as opened:
        yield World(opened.gateway, opened.double, opened.clock)


OUTCOMES = [
    ("pm_card_visa", BillingDay.CURRENT, "paid", None, "active"),
    ("pm_card_visa", LATER, "paid", None, "active"),
    ("pm_card_authenticationRequired", BillingDay.CURRENT, "requires_action", "payment", None),
    ("pm_card_authenticationRequired", LATER, "requires_action", "setup", None),
    ("pm_card_authenticationRequiredOnSetup", LATER, "requires_action", "setup", None),
    ("pm_card_chargeCustomerFail", BillingDay.CURRENT, "declined", None, "incomplete"),
]


@pytest.mark.parametrize(("card", "day", "outcome", "asks", "state"), OUTCOMES)
def test_outcomes_are_the_same(
    world: World, card: str, day: BillingDay, outcome: str, asks: str | None, state: str | None
) -> None:
    """Each test card has one outcome, whoever takes the money."""
    attempt = world.start(card, day)

    assert PaymentOutcome(outcome) is attempt.outcome
    assert (asks and IntentType(asks)) == attempt.intent_type
    assert ("Your card was declined." if outcome == "declined" else "") == attempt.message
    assert PledgeState(state or "incomplete") is world.facts(attempt).state


@pytest.mark.parametrize("day", [BillingDay.CURRENT, LATER])
def test_a_confirmed_card_is_active(world: World, day: BillingDay) -> None:
    """And pays today, or on its day."""
    attempt = world.start("pm_card_authenticationRequiredOnSetup", day)

    world.provider.confirm(attempt.client_secret or "", succeed=True)

    assert PledgeState.ACTIVE is world.facts(attempt).state
    world.pass_time(instant(2026, 3, 1, 14))
    assert 28 == world.charge_days()[-1].day


@pytest.mark.parametrize("day", BillingDay)
def test_facts_of_a_new_pledge_are_the_same(world: World, day: BillingDay) -> None:
    """Anchor and next charge for each billing day, before and after charges."""
    attempt = world.start(day=day)
    seen = []
    for at in (START, instant(2026, 2, 2, 15), instant(2026, 3, 2, 15), instant(2026, 5, 1, 15)):
        world.pass_time(at)
        facts = world.facts(attempt)
        seen.append((facts.anchor_on, facts.next_charge_on))

    anchors = {"current": date(2026, 1, 31), "1": date(2026, 2, 1), "28": date(2026, 2, 28)}
    nexts = {
        "current": [(2, 28), (2, 28), (3, 31), (5, 31)],
        "1": [(2, 1), (3, 1), (4, 1), (6, 1)],
        "28": [(2, 28), (2, 28), (3, 28), (5, 28)],
    }
    wanted = [(anchors[day], date(2026, month, of)) for month, of in nexts[day]]
    assert wanted == seen


def test_changes_have_the_same_effect(world: World) -> None:
    """Amount, skip, pause, resume, another day, the end."""
    attempt = world.start()
    gateway, reference = world.gateway, attempt.reference

    assert 25 == gateway.change_amount(reference, 25).dollars
    skipped = gateway.skip_next(reference)
    assert (PledgeState.ACTIVE, date(2026, 2, 28), date(2026, 3, 31)) == (
        skipped.state,
        skipped.skips_on,
        skipped.next_charge_on,
    )
    paused = gateway.pause(reference)
    assert (PledgeState.PAUSED, None, None) == (
        paused.state,
        paused.skips_on,
        paused.next_charge_on,
    )
    resumed = gateway.resume(reference)
    assert (PledgeState.ACTIVE, None, date(2026, 2, 28)) == (
        resumed.state,
        resumed.skips_on,
        resumed.next_charge_on,
    )
    moved = gateway.change_day(reference, BillingDay.FIRST)
    assert (PledgeState.ACTIVE, date(2026, 3, 1), date(2026, 3, 1)) == (
        moved.state,
        moved.anchor_on,
        moved.next_charge_on,
    )
    world.pass_time(instant(2026, 4, 2))
    assert [date(2026, 1, 31), date(2026, 3, 1), date(2026, 4, 1)] == world.charge_days()
    gateway.cancel(reference)
    gateway.cancel(reference)
    assert (PledgeState.CANCELED, None) == (
        world.facts(attempt).state,
        world.facts(attempt).next_charge_on,
    )
    with pytest.raises(Conflict):
        gateway.change_amount(reference, 30)
    with pytest.raises(NotFound):
        gateway.subscription("sub_unknown")


def test_a_skip_is_over_after_its_day(world: World) -> None:
    """The month after is charged again."""
    attempt = world.start()
    world.gateway.skip_next(attempt.reference)

    world.pass_time(instant(2026, 2, 28, 12))
    assert (None, date(2026, 3, 31)) == (
        world.facts(attempt).skips_on,
        world.facts(attempt).next_charge_on,
    )
    world.pass_time(instant(2026, 4, 1))
    assert [date(2026, 1, 31), date(2026, 3, 31)] == world.charge_days()


def test_a_failing_card_ends_the_same_way(world: World) -> None:
    """Past due from the first failure, ended after three more; another card mends it."""
    attempts = [world.start(), world.start()]
    for attempt in attempts:
        customer = world.facts(attempt).customer_id
        world.gateway.set_card(customer, "pm_card_chargeCustomerFail")

    world.pass_time(instant(2026, 3, 1))
    for attempt in attempts:
        facts = world.facts(attempt)
        assert PledgeState.PAST_DUE is facts.state
        assert facts.past_due_since is not None
        assert date(2026, 2, 28) == facts.past_due_since.date()
    world.gateway.set_card(world.facts(attempts[0]).customer_id, "pm_card_visa")
    world.pass_time(instant(2026, 3, 20))

    assert PledgeState.ACTIVE is world.facts(attempts[0]).state
    assert PledgeState.CANCELED is world.facts(attempts[1]).state
    assert [date(2026, 1, 31)] * 2 + [date(2026, 3, 3)] == world.charge_days()


def test_an_unconfirmed_payment_expires(world: World) -> None:
    """After 23 hours, and nothing is charged."""
    attempt = world.start("pm_card_authenticationRequired")

    world.pass_time(START + timedelta(hours=23))

    assert PledgeState.CANCELED is world.facts(attempt).state
    assert [] == world.charge_days()


def test_rows_look_the_same(world: World) -> None:
    """A pledge, a refund, a dispute won: the same categories, amounts, people."""
    attempt = world.start()
    world.settle()
    customer = world.facts(attempt).customer_id
    (charge,) = world.gateway.charges_of(customer)
    assert (1000, 1000) == (charge.cents, charge.left_cents)

    refund = world.gateway.refund(charge.charge_id, 400, key="r")
    assert refund == world.gateway.refund(charge.charge_id, 400, key="r")
    with pytest.raises(Conflict):
        world.gateway.refund(charge.charge_id, 700, key="r2")
    dispute = world.provider.dispute(charge.charge_id)
    assert 0 == world.gateway.charges_of(customer)[0].left_cents
    world.provider.settle_dispute(dispute, won=True)
    assert 600 == world.gateway.charges_of(customer)[0].left_cents

    rows = list(world.gateway.rows())
    assert [
        (RowCategory.CHARGE, 1000, 59, ChargeKind.PLEDGE, charge.charge_id),
        (RowCategory.REFUND, -400, 0, None, refund),
        (RowCategory.DISPUTE, -600, 1500, None, dispute),
        (RowCategory.DISPUTE_REVERSAL, 600, 0, None, dispute),
    ] == [(row.category, row.amount, row.fee, row.charge_kind, row.source_id) for row in rows]
    for row in rows:
        assert ("usd", row.amount - row.fee, charge.charge_id) == (
            row.currency,
            row.net,
            row.charge_id,
        )
        assert ("member1", customer, "giver1@example.org") == (
            row.member_id,
            row.customer_id,
            row.email,
        )


def test_payouts_tell_their_parts(world: World) -> None:
    """Every row but the payout's own is part of one, and the day of arrival is told."""
    world.start()
    world.start(dollars=20)
    world.pass_time(instant(2026, 2, 15))

    rows = list(world.gateway.rows())
    payouts = [row for row in rows if row.category is RowCategory.PAYOUT]
    parts = [row for row in rows if row.category is RowCategory.CHARGE]
    assert 1 == len(payouts)
    assert {payouts[0].source_id} == {row.payout_id for row in parts}
    assert -sum(row.net for row in parts) == payouts[0].amount
    assert payouts[0].arrives_on == payouts[0].day + timedelta(days=2)
    (balance,) = world.gateway.balance()
    assert (0, "usd") == (balance.available_cents + balance.pending_cents, balance.currency)


def test_gifts_are_the_same(world: World) -> None:
    """Paid, confirmed, declined; the same key gives the same answer."""

    def give(card: str, gift: str, cents: int = 2500) -> Attempt:
        return world.gateway.take_gift(
            cents=cents,
            email="kofi@example.org",
            name="Kofi",
            payment_method=card,
            gift_id=gift,
            key=gift,
        )

    paid = give("pm_card_visa", "g1")
    assert (PaymentOutcome.PAID, paid) == (paid.outcome, give("pm_card_visa", "g1"))
    asked = give("pm_card_authenticationRequired", "g2")
    assert IntentType.PAYMENT is asked.intent_type
    world.provider.confirm(asked.client_secret or "", succeed=True)
    for _ in range(2):
        with pytest.raises(CardDeclined, match="declined"):
            give("pm_card_chargeCustomerFail", "g3")
    with pytest.raises(Conflict):
        give("pm_card_visa", "g1", 700)
    world.settle()

    rows = list(world.gateway.rows())
    assert [(2500, ChargeKind.GIFT, None, "kofi@example.org")] * 2 == [
        (row.amount, row.charge_kind, row.member_id, row.email) for row in rows
    ]
    assert paid.reference == rows[0].charge_id


def test_customers_are_found_and_deleted(world: World) -> None:
    """By member; what ran is ended, and a second deletion is no error."""
    attempt = world.start()
    customer = world.facts(attempt).customer_id
    found = {"member_id": "member1", "email": "giver1@example.org"}
    assert [customer] == world.gateway.find_customers(**found)
    assert [attempt.reference] == [
        each.subscription_id for each in world.gateway.subscriptions_of(customer)
    ]

    world.gateway.delete_customer(customer)
    world.gateway.delete_customer(customer)

    assert [] == world.gateway.find_customers(**found)
    world.pass_time(instant(2026, 6, 1))
    assert 1 == len(world.charge_days())
    with pytest.raises(NotFound):
        world.gateway.billing_url(customer, return_url="https://jara.example/dashboard")


@pytest.mark.parametrize(
    ("card", "error"),
    [
        ("pm_card_chargeDeclined", CardDeclined),
        ("pm_card_chargeDeclinedInsufficientFunds", CardDeclined),
        ("pm_card_chargeDeclinedExpiredCard", CardDeclined),
        ("pm_nonsense", InvalidInput),
    ],
)
def test_a_refused_card_is_refused_everywhere(
    world: World, card: str, error: type[Exception]
) -> None:
    """On joining, as another card, and for a gift; nothing is left."""
    customer = world.customer()
    with pytest.raises(error):
        world.customer(card)
    with pytest.raises(error):
        world.gateway.set_card(customer, card)
    with pytest.raises(error):
        world.gateway.take_gift(
            cents=500, email="a@example.org", name="A", payment_method=card, gift_id="g", key="g"
        )
    world.settle()
    assert [] == list(world.gateway.rows())
    assert [] == world.gateway.find_customers(member_id="member2", email="giver2@example.org")


def test_a_customer_is_renamed(world: World) -> None:
    """And found by the new address."""
    customer = world.customer()

    world.gateway.change_customer(customer, email="new@example.org", name="Ama Owusu")

    assert [customer] == world.gateway.find_customers(member_id="member1", email="new@example.org")
