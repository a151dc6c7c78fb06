"""Balance transactions from Stripe as rows, page by page, against the double's own books."""

from datetime import date, timedelta
from random import Random

import pytest
import stripe

from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.billing_day import BillingDay
from jara.services.ports.payments import ProviderBalance
from tests.payments.stripe_world import StripeWorld, instant, open_world, require_same_books
from tests.stripe_double.shapes import blank


def test_a_charge_has_no_row_until_it_settles(world: StripeWorld) -> None:
    """The right to vote follows the payment; the books wait for the balance transaction."""
    attempt = world.start()
    charge = world.double.account.get("charge", world.charge_of(attempt))
    before = charge["balance_transaction"]
    assert list(world.gateway.rows()) == []

    world.double.advance(minutes=1)

    assert (before, charge["balance_transaction"].partition("_")[0]) == (None, "txn")
    assert world.kinds()[-1] == "charge.updated"
    (row,) = world.gateway.rows()
    assert (row.amount, row.fee, row.net) == (1000, 59, 941)
    assert (row.charge_kind, row.member_id) == (ChargeKind.PLEDGE, "member1")
    assert (row.source_id, row.customer_id) == (row.charge_id, world.facts(attempt).customer_id)


def test_a_charge_names_the_card_that_paid_it(world: StripeWorld) -> None:
    """Another card that the customer has later changes nothing."""
    attempt = world.start(card="pm_card_visa_debit")
    world.gateway.set_card(world.facts(attempt).customer_id, "pm_card_visa")
    world.double.advance(minutes=1)

    (row,) = world.gateway.rows()

    assert row.card_fingerprint == "double_shared_card"
    assert world.facts(attempt).card_fingerprint not in {None, row.card_fingerprint}


def test_a_payment_without_subscription_is_a_gift(world: StripeWorld) -> None:
    """A charge without subscription is a gift; the operator sees those without Jara's mark."""
    world.start()
    world.give()
    world.give(gift="g2")
    for table in ("charge", "payment_intent"):
        world.double.account.all(table)[0]["metadata"].clear()
    world.double.advance(minutes=1)

    rows = list(world.gateway.rows())

    assert [row.charge_kind for row in rows] == ["pledge", "gift", "gift"]
    assert [row.member_id for row in rows[1:]] == [None, None]
    assert rows[2].email == "kofi@example.org"
    check = {check.name: check for check in world.account.checks()}["unmarked gifts"]
    assert str(rows[2].charge_id) in check.message
    assert str(rows[1].charge_id) not in check.message
    require_same_books(world)


def test_an_invoice_of_no_subscription_is_a_gift(world: StripeWorld) -> None:
    """An invoice that an operator wrote in the Dashboard is a gift of a known customer."""
    attempt = world.start()
    world.double.account.all("invoice")[0]["parent"] = None
    world.double.advance(minutes=1)

    (row,) = world.gateway.rows()

    assert (row.charge_kind, row.member_id) == (ChargeKind.GIFT, None)
    assert world.facts(attempt).customer_id == row.customer_id


def test_refunds_give_back_and_keep_the_fee(world: StripeWorld) -> None:
    """Refunds may be partial, never more than what is left; a failed one is returned."""
    attempt = world.start()
    world.double.advance(minutes=1)
    charge, customer = world.charge_of(attempt), world.facts(attempt).customer_id

    refund = world.gateway.refund(charge, 400, key="r1")
    assert refund == world.gateway.refund(charge, 400, key="r1")
    with pytest.raises(Conflict, match="greater than unrefunded"):
        world.gateway.refund(charge, 601, key="r2")
    assert world.gateway.charges_of(customer)[0].left_cents == 600
    world.double.fail_refund(refund)

    assert world.gateway.charges_of(customer)[0].left_cents == 1000
    rows = list(world.gateway.rows())
    assert [row.category for row in rows] == [
        RowCategory.CHARGE,
        RowCategory.REFUND,
        RowCategory.REFUND_FAILURE,
    ]
    assert {row.charge_id for row in rows} == {charge}
    assert {row.member_id for row in rows} == {"member1"}
    require_same_books(world)


def test_a_payout_brings_its_parts_along(world: StripeWorld) -> None:
    """A payout's split by fund follows its parts, however old they are."""
    world.start()
    world.start(dollars=20)
    world.double.advance_to(instant(2026, 2, 3))

    rows = list(world.gateway.rows())
    payout = rows[-1]
    assert (payout.category, payout.amount) == (RowCategory.PAYOUT, -(941 + 1912))
    assert payout.arrives_on == date(2026, 2, 4)
    assert {row.payout_id for row in rows[:-1]} == {payout.source_id}
    assert rows == list(world.gateway.rows(since=payout.created))
    assert [each.in_transit_cents for each in world.gateway.balance()] == [2853]
    world.double.advance_to(instant(2026, 2, 5))
    assert [each.in_transit_cents for each in world.gateway.balance()] == [0]
    assert "payout.paid" in world.kinds()
    require_same_books(world)


def test_a_payout_that_comes_back_never_arrives(world: StripeWorld) -> None:
    """The reversal is a row, and the money is part of the next payout."""
    world.start()
    world.double.advance_to(instant(2026, 2, 3))
    payout = world.double.account.all("payout")[0]["id"]

    world.double.fail_payout(payout)
    world.double.advance(hours=1)

    rows = list(world.gateway.rows())
    assert [row.category for row in rows[1:]] == [
        RowCategory.PAYOUT,
        RowCategory.PAYOUT_REVERSAL,
        RowCategory.PAYOUT,
    ]
    assert [row.arrives_on for row in rows[1:]] == [None, None, date(2026, 2, 5)]
    require_same_books(world)


def test_a_payout_by_hand_has_no_known_parts(world: StripeWorld) -> None:
    """Stripe lists only the parts of automatic payouts."""
    world.double.account.pays_out = False
    world.start()
    world.double.advance_to(instant(2026, 2, 3))
    world.double.pay_out_by_hand(500)

    assert [row.payout_id for row in world.gateway.rows()] == [None, None]
    require_same_books(world)


def test_everything_else_comes_under_its_own_word(world: StripeWorld) -> None:
    """Stripe's own fees, taxes, top-ups and unknown categories keep their names."""
    world.double.move("fee", -200, kind="stripe_fee")
    world.double.move("network_cost", -10)
    world.double.move("tax", -26, kind="tax_fee")
    account = world.double.account
    account.add(blank(stripe.Topup, "tu_1", account.now, amount=5000))
    world.double.move("topup", 5000, source="tu_1")
    world.double.move("charge", 100, fee=59, tax=7)
    world.double.move("connect_reserved_funds", -300)

    rows = list(world.gateway.rows())

    assert [row.category for row in rows[:4]] == [
        RowCategory.FEE,
        RowCategory.NETWORK_COST,
        RowCategory.TAX,
        RowCategory.TOPUP,
    ]
    assert rows[3].source_id == "tu_1"
    assert (rows[4].fee, rows[4].fee_tax) == (59, 7)
    assert (rows[5].category, rows[5].raw_category) == (
        RowCategory.UNKNOWN,
        "connect_reserved_funds",
    )


def test_the_reserve_is_the_other_side_of_its_rows(world: StripeWorld) -> None:
    """Only rows of balance type payments are booked; the balance shows the reserve."""
    world.double.move("risk_reserved_funds", -700, kind="reserve_hold")
    world.double.move("risk_reserved_funds", 700, kind="reserve_hold", balance="risk_reserved")

    (row,) = world.gateway.rows()

    assert (row.category, row.amount) == (RowCategory.RISK_RESERVED_FUNDS, -700)
    assert world.gateway.balance() == [ProviderBalance("usd", 0, -700, 0, 700)]


@pytest.mark.parametrize("status", ["failed", "canceled"])
def test_a_payout_that_was_stopped_never_arrives(world: StripeWorld, status: str) -> None:
    """Nothing is booked at the bank, although Stripe gives an arrival date."""
    world.start()
    world.double.advance_to(instant(2026, 2, 3))
    payout = world.double.account.all("payout")[0]

    payout["status"] = status

    assert payout["arrival_date"]
    assert [
        row.arrives_on for row in world.gateway.rows() if row.category is RowCategory.PAYOUT
    ] == [None]


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


@pytest.mark.parametrize("won", [True, False])
def test_a_dispute_is_one_row_with_its_fee(world: StripeWorld, won: bool) -> None:
    """A dispute has the amount −1000 and the fee 1500; winning returns the amount."""
    attempt = world.start()
    world.double.advance(minutes=1)
    charge, customer = world.charge_of(attempt), world.facts(attempt).customer_id

    dispute = world.double.dispute(charge)

    row = list(world.gateway.rows())[-1]
    assert (row.category, row.amount, row.fee, row.net) == (RowCategory.DISPUTE, -1000, 1500, -2500)
    assert (dispute, charge) == (row.source_id, row.charge_id)
    assert world.gateway.charges_of(customer)[0].left_cents == 0
    world.double.settle_dispute(dispute, won=won)
    assert world.gateway.charges_of(customer)[0].left_cents == (1000 if won else 0)
    assert len(list(world.gateway.rows())) == (3 if won else 2)
    require_same_books(world)
