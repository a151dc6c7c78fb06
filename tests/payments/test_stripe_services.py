"""The use cases on Stripe: interrupted joining, lost webhooks, a year of giving."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from jara.domain.books.provider_row import RowCategory
from jara.domain.giving.pledge import PledgeState
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.giving.joining import expire_incomplete, finish_registrations, register
from jara.services.giving.pledging import skip_next
from jara.services.payments.charging import refresh_pledges
from jara.services.payments.importing import collect_movements
from jara.services.payments.reconciling import reconcile, repair
from jara.services.payments.refunding import refund_payment
from tests.harness import make_organisation
from tests.payments.stripe_world import StripeWorld, open_world
from tests.services.giving.joiners import form
from tests.sizes import some


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


def members(context: Context) -> list[PledgeState]:
    """Return the pledge state of each member."""
    with context.store.read() as work:
        found = [work.pledges.get(member.id) for member in work.members.all()]
    return [pledge.state for pledge in found if pledge is not None]


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
