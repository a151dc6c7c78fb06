"""Webhooks repeated, out of order and partly lost lead to one state, to the cent."""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from jara.domain.money import format_cents
from jara.records.journal import EntryQuery
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.payments.charging import refresh_pledges
from jara.services.payments.importing import book_rows
from jara.services.payments.reconciling import reconcile, repair
from tests.harness import make_organisation
from tests.places import NewPlace
from tests.sizes import saw, size
from tests.webapi.payments.live_desk import LiveDesk, garble, open_live_desk

DELIVERIES = size(100, 10_000, full=2000)
"""The least number of deliveries for each order."""

GIVERS = size(5, 15)
STEPS = size(24, 400, full=180)
ORDERS = 2


@dataclass
class History:
    """A year of giving at Stripe, determined by a seed."""

    live: LiveDesk
    dice: random.Random = field(default_factory=lambda: random.Random(2026))
    customers: list[str] = field(default_factory=list)
    open_disputes: list[str] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    steps: int = 0

    def join(self) -> None:
        """Register the givers, on every billing day."""
        for number in range(GIVERS):
            answer = self.live.register(
                email=f"giver{number}@example.org",
                contribution=str(5 + number * 7),
                billingDay=("current", "1", "28")[number % 3],
            )
            assert answer.status_code == 201
        with self.live.application.context.store.read() as work:
            pledges = sorted(work.pledges.all(), key=lambda pledge: pledge.dollars)
        self.customers = [str(pledge.customer_id) for pledge in pledges]

    def step(self) -> None:
        """Advance some days and let something happen."""
        live, dice = self.live, self.dice
        live.world.double.advance(days=dice.randrange(4, 12), hours=dice.randrange(24))
        self.steps += 1
        if self.steps == STEPS // 2:
            card = live.make_card("pm_card_chargeCustomerFail")
            live.world.gateway.set_card(self.customers[0], card)  # permanently
        customer = dice.choice(self.customers[1:])
        act = dice.randrange(6)
        if act == 0:
            card = dice.choice(("pm_card_chargeCustomerFail", "pm_card_visa"))
            live.world.gateway.set_card(customer, live.make_card(card))
        elif act == 1 and (charge := self._charge(customer)):
            cents = dice.choice((100, 250, 499))
            live.world.gateway.refund(charge, cents, key=f"history:{charge}")
        elif act == 2 and (charge := self._charge(customer)):
            self.open_disputes.append(live.world.double.dispute(charge))
        elif act == 3 and self.open_disputes:
            live.world.double.settle_dispute(self.open_disputes.pop(0), won=dice.random() < 0.5)

    def _charge(self, customer: str) -> str:
        """Return a charge of a customer that no step has changed, or an empty string."""
        found = [
            str(charge["id"])
            for charge in self.live.world.double.account.all("charge")
            if charge["customer"] == customer
            and charge["balance_transaction"]
            and charge["id"] not in self.touched
        ]
        self.touched.update(found[:1])
        return found[0] if found else ""


def play(live: LiveDesk, seed: int) -> int:
    """Run the history with garbled deliveries; return the number of deliveries."""
    dice, history, pool, came = random.Random(seed), History(live), [], 0
    history.join()
    for step in range(STEPS):
        history.step()
        pool += live.world.double.account.outbox
        live.world.double.account.outbox = []
        is_last = step == STEPS - 1
        # Some events come late, together with those of a later week.
        now = [event for event in pool if is_last or dice.random() < 0.7]
        pool = [event for event in pool if event not in now]
        for event in garble(now, dice):
            assert live.deliver(*live.world.double.sign(event)).status_code == 200
            came += 1
            if dice.random() < 0.05:
                live.work()
        live.work()
    return came


def postings(context: Context) -> dict[str, Any]:
    """Return the effect of each provider movement on accounts and funds."""
    with context.store.read() as work:
        return {
            str(posted.entry.external_id): (
                posted.entry.day,
                posted.entry.kind,
                sorted((str(p.account), str(p.fund), p.cents) for p in posted.entry.postings),
            )
            for posted in work.journal.entries(EntryQuery())
            if posted.entry.external_id is not None
        }


def pledges(context: Context) -> list[tuple[object, ...]]:
    """Return the state of the pledges."""
    with context.store.read() as work:
        return sorted(
            (p.dollars, p.state.value, str(p.next_charge_on), p.past_due_since is None)
            for p in work.pledges.all()
        )


@pytest.mark.slow
def test_histories_garbled_in_any_order_come_to_one_state(
    new_place: NewPlace, tmp_path: Path
) -> None:
    """After reconciling, repeated, late and 5 % lost events give the books of the oracle."""
    states = []
    for seed in range(ORDERS):
        with open_live_desk(new_place()) as live:
            context = live.application.context
            came = play(live, seed)
            booked_by_webhooks = len(postings(context))
            refreshed = refresh_pledges(context)
            _, found = repair(context)

            assert came >= DELIVERIES
            assert booked_by_webhooks > 60
            assert refreshed.failures == ()
            assert found.ok
            assert format_cents(found.difference_cents) == "$0.00"
            assert [*verify_books(context).findings] == []

            oracle = make_organisation(tmp_path / f"oracle{seed}", at=live.clock.now())
            book_rows(oracle, live.world.double.expected_rows())
            assert postings(oracle) == postings(context)
            assert found.matched == len(live.world.double.expected_rows())
            states.append((postings(context), pledges(context)))
            saw(deliveries=came, movements=found.matched, difference_cents=found.difference_cents)

    assert all(state == states[0] for state in states)
    assert {"active", "canceled"} <= {state for _, state, _, _ in states[0][1]}


def test_the_daily_run_replaces_lost_webhooks(new_place: NewPlace) -> None:
    """With all webhooks lost, the daily run leads to the same state, only later."""
    states = []
    for name in ("heard", "deaf"):
        with open_live_desk(new_place()) as live:
            history = History(live)
            history.join()
            for _ in range(12):
                history.step()
                if name == "heard":
                    live.listen()
            context = live.application.context
            refresh_pledges(context)
            repair(context)
            assert reconcile(context).ok
            states.append((postings(context), pledges(context)))

    assert states[0] == states[1]
