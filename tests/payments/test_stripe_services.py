"""The use cases on Stripe: interrupted joining, lost webhooks, a year of giving."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from random import Random

import pytest

from jara.domain.books.provider_row import RowCategory
from jara.domain.errors import JaraError
from jara.domain.giving.member import RegistrationForm
from jara.domain.giving.pledge import PledgeState
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.giving.joining import expire_incomplete, finish_registrations, register
from jara.services.giving.pledging import skip_next
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.payments.charging import refresh_pledges
from jara.services.payments.importing import collect_movements
from jara.services.payments.reconciling import reconcile, repair
from jara.services.payments.refunding import refund_payment
from tests.harness import make_organisation
from tests.payments.stripe_world import StripeWorld, instant, open_world
from tests.services.giving.joiners import form
from tests.sizes import some

JOINING_CALLS = (
    "GET /v1/prices",
    "POST /v1/customers",
    "POST /v1/subscriptions",
    "GET /v1/setup_intents",
    "GET /v1/invoice_payments",
    "GET /v1/subscriptions/",
)
FAULTS = ("before", "after", "500", "500_after", "429")
CARDS = ("pm_card_visa", "pm_card_authenticationRequired")
LIVE = {"active", "trialing", "past_due", "incomplete"}


@contextmanager
def open_organisation(folder: Path) -> Iterator[tuple[StripeWorld, Context]]:
    """Return an organisation that uses Stripe, on 31 January 2026."""
    with open_world() as world:
        context = make_organisation(folder, at=world.clock.now())
        yield world, replace(context, clock=world.clock, gateway=world.gateway)


def work_daily(context: Context) -> None:
    """Run the daily run's steps for people and money."""
    collect_movements(context)
    refresh_pledges(context)
    finish_registrations(context)
    expire_incomplete(context)
    collect_movements(context)


def live_subscriptions(world: StripeWorld) -> int:
    """Return the number of subscriptions that could still be charged."""
    found = world.double.account.all("subscription")
    return sum(subscription["status"] in LIVE for subscription in found)


def kept_cents(world: StripeWorld) -> int:
    """Return the sum of all charges less the refunds."""
    charges = world.double.account.all("charge")
    return sum(each["amount_captured"] - each["amount_refunded"] for each in charges)


def members(context: Context) -> list[PledgeState]:
    """Return the pledge state of each member."""
    with context.store.read() as work:
        found = [work.pledges.get(member.id) for member in work.members.all()]
    return [pledge.state for pledge in found if pledge is not None]


def try_to_join(
    world: StripeWorld, context: Context, asked: RegistrationForm, card: str
) -> StartedPledge | None:
    """Register with a new card; return None if the provider fails."""
    with suppress(JaraError):
        return register(context, asked, payment_method=world.double.make_card(card))
    return None


@pytest.mark.parametrize(
    ("call", "card", "day", "comes_again"),
    some(product(JOINING_CALLS, CARDS, ("current", "28"), (True, False)), step=9),
)
def test_joining_cut_off_anywhere_charges_once_or_not_at_all(
    tmp_path: Path, call: str, card: str, day: str, comes_again: bool
) -> None:
    """There is no orphan subscription and no second charge, or the money is refunded."""
    for fault in FAULTS:
        with open_organisation(tmp_path / fault) as (world, context):
            world.double.fault(call, fault)
            asked = form(contribution="10", billing_day=day)
            started = try_to_join(world, context, asked, card)
            world.double.service.faults.clear()
            if started is None and comes_again:
                started = try_to_join(world, context, asked, card)
                assert started is not None
            if started is not None and started.client_secret and comes_again:
                world.double.confirm(started.client_secret)
            world.double.advance(minutes=20)
            work_daily(context)
            world.double.advance(hours=30)
            work_daily(context)

            states = members(context)
            running = states.count(PledgeState.ACTIVE)
            assert running == live_subscriptions(world), (fault, states)
            assert running == 1 or not comes_again, (fault, states)
            wanted = 1000 * running if day == "current" else 0
            assert kept_cents(world) == wanted, (fault, states)
            assert running == len(world.double.account.all("customer")) or not running
            assert reconcile(context).ok


@pytest.mark.parametrize("seed", some(range(5), step=5))
def test_lost_doubled_and_shuffled_events_change_nothing(tmp_path: Path, seed: int) -> None:
    """Whatever happens to events, the books equal Stripe's balance."""
    dice = Random(seed)
    with open_organisation(tmp_path) as (world, context):
        for number in range(4):
            asked = form(f"giver{number}@example.org", contribution="10")
            register(context, asked, payment_method=world.double.make_card("pm_card_visa"))
        handled = 0
        for _ in range(8):
            world.double.advance(days=dice.randrange(5, 20))
            events = world.double.deliveries()
            heard = [event for event in events * 2 if dice.random() > 0.05]
            dice.shuffle(heard)
            for body, signature in heard[:20]:
                event = world.events.read(body, signature)
                handled += 1
                if event.moves_money:
                    collect_movements(context)
                elif event.subscription_id is not None:
                    refresh_pledges(context)
        _, reconciliation = repair(context)

        assert handled > 50
        assert reconciliation.ok
        assert reconciliation.difference_cents == 0
        assert len(world.double.expected_rows()) == reconciliation.matched


def test_half_a_year_of_giving_adds_up(tmp_path: Path) -> None:
    """Renewals, a skip, a refund, a dispute and payouts can be verified and reconciled."""
    with open_organisation(tmp_path) as (world, context):
        started = [
            register(
                context,
                form(f"giver{number}@example.org", contribution="25", billing_day=day),
                payment_method=world.double.make_card("pm_card_visa"),
            )
            for number, day in enumerate(("current", "1", "28"))
        ]
        work_daily(context)
        skip_next(context, started[0].member.id)
        for _ in range(60):
            world.double.advance(days=3)
            work_daily(context)
        rows = list(world.gateway.rows())
        charges = [row for row in rows if row.category is RowCategory.CHARGE]
        refund_payment(context, str(charges[0].charge_id), cents=400, why="Asked for it.")
        world.double.settle_dispute(world.double.dispute(str(charges[1].charge_id)), won=False)
        world.double.advance(days=10)
        work_daily(context)

        assert len(charges) == 17
        assert {*members(context)} == {PledgeState.ACTIVE}
        assert reconcile(context).ok
        assert [*verify_books(context).findings] == []


def test_a_charge_belongs_to_the_member_who_pledged(tmp_path: Path) -> None:
    """The charge leads to the invoice, and from there to the subscription's metadata."""
    with open_organisation(tmp_path) as (world, context):
        started = register(
            context, form(contribution="25"), payment_method=world.double.make_card("pm_card_visa")
        )
        world.double.advance_to(world.clock.now() + timedelta(minutes=1))
        collect_movements(context)

        with context.store.read() as work:
            payments = work.payments.of_member(started.member.key)
        assert [payment.cents for payment in payments] == [2500]
        world.double.advance_to(instant(2026, 4, 1))
        work_daily(context)
        with context.store.read() as work:
            assert len(work.payments.of_member(started.member.key)) == 3
