"""Balance transactions are read page by page, since a given time, for any history."""

from datetime import timedelta
from random import Random

import pytest

from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.billing_day import BillingDay
from tests.payments.stripe_world import StripeWorld, instant, open_world, require_same_books


def test_many_charges_are_looked_up_by_the_page(world: StripeWorld) -> None:
    """Over a hundred charges need one call for each page, not for each charge."""
    world.double.account.pays_out = False
    for _ in range(21):
        world.start()
    world.double.advance_to(instant(2026, 8, 1))
    world.double.calls.clear()

    require_same_books(world)

    asked = [path for _, path, _ in world.double.calls if path == "/v1/invoice_payments"]
    assert len(world.charged_on()) == 147
    assert len(asked) == 2
    again = list(world.gateway.rows(since=instant(2026, 5, 1)))
    assert world.double.expected_rows()[-len(again) :] == again


def test_rows_since_an_instant_are_those_from_it_on(world: StripeWorld) -> None:
    """Rows at that time are included."""
    world.double.account.pays_out = False
    world.start()
    world.double.advance_to(instant(2026, 6, 15))
    rows = list(world.gateway.rows())

    assert rows[2:] == list(world.gateway.rows(since=rows[2].created))
    assert list(world.gateway.rows(since=instant(2026, 6, 15))) == []


@pytest.mark.parametrize("seed", range(8))
def test_any_history_gives_the_rows_of_its_own_books(seed: int) -> None:
    """Charges, gifts, refunds, disputes and payouts are read in any order."""
    dice = Random(seed)
    with open_world() as world:
        attempts = []
        for step in range(25):
            act = dice.choice(("join", "gift", "refund", "dispute", "wait", "wait", "fee"))
            charges = [c for c in world.double.account.all("charge") if c["paid"]]
            if act == "join":
                card = dice.choice(("pm_card_visa", "pm_card_authenticationRequired"))
                attempts.append(world.start(card, day=dice.choice([*BillingDay])))
                if attempts[-1].client_secret and dice.random() < 0.7:
                    world.double.confirm(attempts[-1].client_secret)
            elif act == "gift":
                world.give(dice.randrange(100, 9999), gift=f"g{step}")
            elif act == "refund" and charges:
                charge = dice.choice(charges)
                try:
                    world.gateway.refund(charge["id"], dice.randrange(1, 600), key=f"r{step}")
                except Conflict:
                    continue
            elif act == "dispute" and charges and not charges[0]["disputed"]:
                dispute = world.double.dispute(charges[0]["id"])
                world.double.settle_dispute(dispute, won=dice.random() < 0.5)
            elif act == "fee":
                world.double.move("fee", -dice.randrange(1, 50), kind="stripe_fee")
            world.double.advance(hours=dice.choice((1, 30, 400)))

        require_same_books(world)


def test_reading_begins_where_the_last_reading_ended(world: StripeWorld) -> None:
    """Two overlapping reads contain every row, and the common rows are equal."""
    world.start()
    world.start(day=BillingDay.FIRST)
    seen = {}
    for _ in range(12):
        world.double.advance(days=9)
        since = world.clock.now() - timedelta(days=16)
        for row in world.gateway.rows(since=since):
            seen[row.txn_id] = row

    assert [*seen.values()] == [*world.gateway.rows()]


def test_unusable_values_are_refused_by_name(world: StripeWorld) -> None:
    """A card of another customer is refused."""
    first, second = world.customer(), world.customer()
    card = world.double.make_card("pm_card_visa")
    world.gateway.set_card(first, card)

    with pytest.raises(InvalidInput):
        world.gateway.set_card(second, card)
