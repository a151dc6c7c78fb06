"""Adopting live subscriptions: each is charged once a month, or refused with a reason."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jara.domain.errors import Refused, Unavailable
from jara.domain.giving.newcomer import PersonRow
from jara.domain.giving.pledge import PLEDGE_DOLLARS_MIN, Pledge, PledgeState
from jara.payments.stripe.takeover import StripeTakeover
from jara.services.context import Context
from jara.services.giving.adopting import (
    Adoption,
    AdoptionRow,
    adopt_subscriptions,
    check_adoptions,
)
from jara.services.giving.pledging import cancel_pledge, change_amount
from jara.services.members.importing import PeopleFile, import_people
from jara.services.operations.operators import add_operator
from jara.services.payments.charging import refresh_pledges
from jara.services.payments.importing import collect_movements
from tests.fakes.kills import survive
from tests.harness import make_organisation
from tests.payments.stripe_world import StripeWorld, open_world
from tests.services.giving.joiners import join
from tests.sizes import some

CALLS = ("GET /v1/subscriptions", "POST /v1/customers/", "POST /v1/subscriptions/")
FAULTS = ("before", "after", "500", "500_after", "429")
MONTH = timedelta(days=31)
NAMES = ("ama", "ben", "efua")


@dataclass
class Adopter:
    """An organisation with members, on an account with subscriptions of another program."""

    world: StripeWorld
    context: Context

    @property
    def takeover(self) -> StripeTakeover:
        """Return a new connection, as after a restart."""
        return StripeTakeover(self.world.connection)

    def subscribe(self, name: str, cents: int = 1000, quantity: int = 1, **changes: Any) -> str:
        """Add a monthly subscription of another program, then change its stored fields."""
        v1: Any = self.world.connection.client.v1
        product = v1.products.create({"name": "Friends"})
        price = v1.prices.create(
            {
                "product": product.id,
                "currency": "usd",
                "unit_amount": cents,
                "recurring": {"interval": "month"},
            }
        )
        customer = v1.customers.create(
            {
                "email": f"{name}@example.org",
                "payment_method": "pm_card_visa",
                "invoice_settings": {"default_payment_method": "pm_card_visa"},
            }
        )
        made = v1.subscriptions.create(
            {
                "customer": customer.id,
                "items": [{"price": price.id, "quantity": quantity}],
                "payment_behavior": "allow_incomplete",
                "proration_behavior": "none",
                "metadata": {"campaign": "friends"},
            }
        )
        self.stored(made.id).update(changes)
        return str(made.id)

    def stored(self, subscription_id: str) -> dict[str, Any]:
        """Return the double's row of a subscription."""
        return self.world.double.account.get("subscription", subscription_id)

    def adopt(self) -> list[AdoptionRow]:
        """Adopt every subscription that fits."""
        return adopt_subscriptions(self.context, self.takeover)

    def check(self) -> list[AdoptionRow]:
        """Return the result of a dry run."""
        return check_adoptions(self.context, self.takeover)

    def pledge(self, name: str) -> Pledge | None:
        """Return a member's pledge."""
        with self.context.store.read() as work:
            return work.pledges.get(work.members.find(f"{name}@example.org").id)

    def charges(self) -> list[int]:
        """Return the amounts charged to cards, in order."""
        charges = reversed(self.world.double.account.all("charge"))
        return [charge["amount"] for charge in charges if charge["paid"]]

    def pass_months(self, months: int = 2) -> None:
        """Let renewals come, with a daily run after each."""
        for _ in range(months):
            self.world.double.advance_to(self.world.clock.now() + MONTH)
            collect_movements(self.context)
            refresh_pledges(self.context)


@contextmanager
def opened(folder: Path) -> Iterator[Adopter]:
    """Open an organisation whose members were imported without a password."""
    with open_world() as world:
        made = make_organisation(folder, at=world.clock.now())
        context = replace(made, clock=world.clock, gateway=world.gateway)
        rows = [
            PersonRow(
                line, {"email": f"{name}@example.org", "name": f"{name} M", "country": "Ghana"}
            )
            for line, name in enumerate(NAMES)
        ]
        import_people(context, PeopleFile("list.csv", "CSV", "digest", lambda: rows))
        yield Adopter(world, context)


@pytest.fixture
def adopter(place: Path) -> Iterator[Adopter]:
    """An organisation on a new account."""
    with opened(place) as found:
        yield found


def test_a_subscription_goes_on_as_a_pledge(adopter: Adopter) -> None:
    """Amount and days stay the same; earlier payments are booked once, from Stripe."""
    subscription = adopter.subscribe("ama", 750, 2)
    day = adopter.check()[0].subscription.charged_on

    (row,) = adopter.adopt()
    pledge = adopter.pledge("ama")

    assert (row.result, row.dollars) == (Adoption.ADOPTED, 15)
    assert pledge is not None
    assert (pledge.state, pledge.dollars, pledge.next_charge_on, pledge.subscription_id) == (
        PledgeState.ACTIVE,
        15,
        day,
        subscription,
    )
    adopter.pass_months()
    assert adopter.charges() == [1500, 1500, 1500]
    with adopter.context.store.read() as work:
        member = work.members.find("ama@example.org")
        assert [one.cents for one in work.payments.of_member(member.key)] == [1500] * 3
    assert [one.result for one in adopter.adopt()] == [Adoption.KNOWN]
    stored = adopter.stored(subscription)["metadata"]
    assert stored == {"campaign": "friends", "jara_member": member.id}


def test_an_adopted_pledge_can_be_changed_and_ended(adopter: Adopter) -> None:
    """An adopted pledge behaves like any other; afterwards another one can be adopted."""
    adopter.subscribe("ama")
    adopter.adopt()
    pledge = adopter.pledge("ama")
    assert pledge is not None

    change_amount(adopter.context, pledge.member_id, 25)
    adopter.pass_months(1)
    assert adopter.charges() == [1000, 2500]
    cancel_pledge(adopter.context, pledge.member_id)
    adopter.pass_months(1)
    assert adopter.charges() == [1000, 2500]
    adopter.subscribe("ama", 1600)

    assert [row.result for row in adopter.adopt()] == [Adoption.ADOPTED]


def test_the_card_of_a_subscription_becomes_the_customers(adopter: Adopter) -> None:
    """Otherwise it would override a card that the member adds later."""
    subscription = adopter.subscribe("ama")
    stored = adopter.stored(subscription)
    customer = adopter.world.double.account.get("customer", stored["customer"])
    stored["default_payment_method"] = customer["invoice_settings"]["default_payment_method"]
    customer["invoice_settings"]["default_payment_method"] = None

    adopter.adopt()
    adopter.pass_months(1)

    assert adopter.charges() == [1000, 1000]
    assert stored["default_payment_method"] is None
    assert customer["invoice_settings"]["default_payment_method"] is not None


@pytest.mark.parametrize(("call", "fault"), some(product(CALLS, FAULTS), step=4))
def test_cut_off_at_the_provider_nobody_pays_twice_or_not_at_all(
    adopter: Adopter, call: str, fault: str
) -> None:
    """Repeating the adoption before or after the next renewal charges everybody once."""
    for name in NAMES:
        adopter.subscribe(name, 1200)
    adopter.world.double.fault(call, fault)
    try_to_adopt(adopter)
    adopter.world.double.service.faults.clear()
    if Random(call + fault).random() < 0.5:
        adopter.pass_months(1)
        adopter.adopt()
        adopter.pass_months(1)
    else:
        adopter.adopt()
        adopter.pass_months()

    require_whole(adopter)


def try_to_adopt(adopter: Adopter) -> None:
    """Adopt, or fail with the provider's failure."""
    with suppress(Unavailable):
        adopter.adopt()


def require_whole(adopter: Adopter) -> None:
    """Check that everybody has one pledge and was charged once in each of three months."""
    assert {getattr(adopter.pledge(name), "state", None) for name in NAMES} == {PledgeState.ACTIVE}
    assert adopter.charges() == [1200] * 9
    assert {row.result for row in adopter.check()} == {Adoption.KNOWN}


@pytest.mark.parametrize("step", some(range(1, 26), step=8))
def test_killed_at_any_statement_the_next_run_ends_it(adopter: Adopter, step: int) -> None:
    """The next run leaves each member one pledge and one charge a month."""
    for name in NAMES:
        adopter.subscribe(name, 1200)

    survive(adopter.adopt, step)
    adopter.adopt()
    adopter.pass_months()

    require_whole(adopter)


def test_a_dry_run_changes_nothing(adopter: Adopter) -> None:
    """Nothing changes at Stripe or in the books, and every row is listed."""
    first, second = adopter.subscribe("ama"), adopter.subscribe("nobody")
    before = copy.deepcopy(adopter.world.double.account.tables)

    rows = adopter.check()

    assert {row.subscription.id: row.result for row in rows} == {
        first: Adoption.ADOPTED,
        second: Adoption.REFUSED,
    }
    assert adopter.world.double.account.tables == before
    assert adopter.pledge("ama") is None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"cancel_at_period_end": True}, "The subscription is scheduled to end on 2026-02-28."),
        ({"cancel_at": 1_790_000_000}, "The subscription is scheduled to end on 2026-09-21."),
        ({"price": {"currency": "eur"}}, "It is in EUR"),
        ({"recurring": {"interval": "year"}}, "every year"),
        ({"recurring": {"interval_count": 3}}, "every 3 months"),
        ({"recurring": {"usage_type": "metered"}}, "charged by use"),
        ({"price": {"unit_amount": 1050}}, "It is $10.50; a pledge is a whole amount."),
        ({"price": {"unit_amount": None}}, "steps or parts of a cent"),
        ({"price": {"billing_scheme": "tiered"}}, "steps or parts of a cent"),
        (
            {"price": {"unit_amount": 100 * (PLEDGE_DOLLARS_MIN - 1)}},
            f"the smallest pledge is ${PLEDGE_DOLLARS_MIN}",
        ),
        ({"discounts": ["di_1"]}, "It has a discount"),
        ({"automatic_tax": {"enabled": True}}, "It has tax"),
        ({"collection_method": "send_invoice"}, "It sends invoices"),
        ({"schedule": "sub_sched_1"}, "It has a scheduled change"),
        ({"pending_setup_intent": "seti_1"}, "not confirmed yet"),
        (
            {"pause_collection": {"behavior": "keep_as_draft", "resumes_at": None}},
            "Its pause keeps invoices",
        ),
        ({"default_source": "card_1"}, "It has no card"),
        ({"items": 2}, "It has several prices"),
        ({"card": "sepa_debit"}, "It is paid by sepa_debit"),
    ],
)
def test_subscriptions_that_do_not_fit_exactly_are_refused(
    adopter: Adopter, changes: dict[str, Any], reason: str
) -> None:
    """It is refused with a reason and stays unchanged at Stripe."""
    stored = adopter.stored(adopter.subscribe("ama"))
    change(adopter, stored, changes)
    before = copy.deepcopy(stored)

    (row,) = adopter.adopt()

    assert Adoption.REFUSED is row.result
    assert reason in row.reason
    assert stored == before
    assert adopter.pledge("ama") is None


def change(adopter: Adopter, stored: dict[str, Any], changes: dict[str, Any]) -> None:
    """Change a subscription, its price, or its card in the double's tables."""
    items = stored["items"]["data"]
    for name, value in changes.items():
        match name:
            case "price":
                items[0]["price"].update(value)
            case "recurring":
                items[0]["price"]["recurring"].update(value)
            case "items":
                items.append(copy.deepcopy(items[0]))
            case "card":
                account = adopter.world.double.account
                customer = account.get("customer", stored["customer"])
                card = customer["invoice_settings"]["default_payment_method"]
                account.get("payment_method", card)["type"] = value
            case _:
                stored[name] = value


def test_several_of_one_member_are_all_left_alone(adopter: Adopter) -> None:
    """A person must decide which of several subscriptions to end."""
    first, second = adopter.subscribe("ama"), adopter.subscribe("ama", 2000)

    rows = {row.subscription.id: row for row in adopter.adopt()}

    assert {row.result for row in rows.values()} == {Adoption.REFUSED}
    assert second in rows[first].reason
    adopter.world.gateway.cancel(first)
    assert [row.result for row in adopter.adopt()] == [Adoption.ADOPTED]


def test_paused_trialing_and_past_due_ones_are_adopted_as_they_are(adopter: Adopter) -> None:
    """Adopting them causes no charge that would not have been made."""
    paused, trialing, failed = (adopter.subscribe(name) for name in NAMES)
    adopter.stored(paused)["pause_collection"] = {"behavior": "void", "resumes_at": None}
    end = adopter.stored(trialing)["items"]["data"][0]["current_period_end"]
    adopter.stored(trialing).update(status="trialing", trial_end=end)
    adopter.stored(failed)["status"] = "past_due"

    adopter.adopt()

    assert [getattr(adopter.pledge(name), "state", None) for name in NAMES] == [
        PledgeState.PAUSED,
        PledgeState.ACTIVE,
        PledgeState.PAST_DUE,
    ]
    adopter.stored(failed)["status"] = "active"
    adopter.pass_months()
    assert adopter.charges() == [1000] * (3 + 2 + 2)


def test_the_owner_of_a_subscription_must_be_certain(adopter: Adopter) -> None:
    """Members with a pledge, unconfirmed addresses and another member's marks are refused."""
    join(adopter.context, "kofi@example.org", contribution="10", billing_day="current")
    adopter.subscribe("kofi")
    adopter.subscribe("ama", metadata={"jara_member": "somebody"})
    with adopter.context.store.write() as work:
        kofi = work.members.find("kofi@example.org")
        work.members.update(kofi._replace(email_confirmed=True))
        ben = work.members.find("ben@example.org")
        work.members.update(ben._replace(is_added=False))  # signed up on the site
        work.members.set_password_hash(ben.id, "x")
    adopter.subscribe("ben")

    reasons = {row.subscription.email[:3]: row.reason for row in adopter.adopt() if row.reason}

    assert reasons.keys() == {"kof", "ama", "ben"}
    assert "already has a pledge" in reasons["kof"]
    assert "another member's" in reasons["ama"]
    assert "has not shown" in reasons["ben"]


def test_a_subscription_that_ended_after_the_check_is_refused(
    adopter: Adopter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state is read again before it is stored."""
    subscription = adopter.subscribe("ama")
    taken = StripeTakeover.take_over

    def take_and_end(self: StripeTakeover, subscription_id: str, **options: Any) -> None:
        taken(self, subscription_id, **options)
        adopter.world.gateway.cancel(subscription)

    monkeypatch.setattr(StripeTakeover, "take_over", take_and_end)

    assert [row.reason for row in adopter.adopt()] == ["It has ended meanwhile."]
    assert adopter.pledge("ama") is None


def test_only_an_operator_adopts(adopter: Adopter) -> None:
    """The operator is checked before anything changes at Stripe."""
    stored = adopter.stored(adopter.subscribe("ama"))
    add_operator(adopter.context, "tester")
    before = copy.deepcopy(stored)
    stranger = replace(adopter.context, operator="stranger")

    with pytest.raises(Refused):
        adopt_subscriptions(stranger, adopter.takeover)

    assert stored == before
