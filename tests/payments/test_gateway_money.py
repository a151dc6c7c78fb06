"""One contract for both gateways: rows, payouts, gifts and customers."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.domain.errors import CardDeclined, Conflict, InvalidInput, NotFound
from jara.domain.language import Language
from jara.services.ports.payments import Attempt, IntentType, PaymentOutcome
from tests.payments.both_gateways import World, open_gateway
from tests.payments.stripe_world import instant


@pytest.fixture(params=["sandbox", "stripe"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Return one gateway after the other."""
    with open_gateway(request.param) as opened:
        yield opened


def test_rows_look_the_same(world: World) -> None:
    """A pledge, a refund and a won dispute give the same categories, amounts and people."""
    attempt = world.start()
    world.settle()
    customer = world.facts(attempt).customer_id
    (charge,) = world.gateway.charges_of(customer)
    assert (charge.cents, charge.left_cents) == (1000, 1000)

    refund = world.gateway.refund(charge.charge_id, 400, key="r")
    assert refund == world.gateway.refund(charge.charge_id, 400, key="r")
    with pytest.raises(Conflict):
        world.gateway.refund(charge.charge_id, 700, key="r2")
    dispute = world.provider.dispute(charge.charge_id)
    assert world.gateway.charges_of(customer)[0].left_cents == 0
    world.provider.settle_dispute(dispute, won=True)
    assert world.gateway.charges_of(customer)[0].left_cents == 600

    rows = list(world.gateway.rows())
    assert [
        (row.category, row.amount, row.fee, row.charge_kind, row.source_id) for row in rows
    ] == [
        (RowCategory.CHARGE, 1000, 59, ChargeKind.PLEDGE, charge.charge_id),
        (RowCategory.REFUND, -400, 0, None, refund),
        (RowCategory.DISPUTE, -600, 1500, None, dispute),
        (RowCategory.DISPUTE_REVERSAL, 600, 0, None, dispute),
    ]
    for row in rows:
        assert (row.currency, row.net, row.charge_id) == (
            "usd",
            row.amount - row.fee,
            charge.charge_id,
        )
        assert (row.member_id, row.customer_id, row.email) == (
            "member1",
            customer,
            "giver1@example.org",
        )


def test_payouts_tell_their_parts(world: World) -> None:
    """Every row except the payout's own belongs to one, and the day of arrival is given."""
    world.start()
    world.start(dollars=20)
    world.pass_time(instant(2026, 2, 15))

    rows = list(world.gateway.rows())
    payouts = [row for row in rows if row.category is RowCategory.PAYOUT]
    parts = [row for row in rows if row.category is RowCategory.CHARGE]
    assert len(payouts) == 1
    assert {row.payout_id for row in parts} == {payouts[0].source_id}
    assert -sum(row.net for row in parts) == payouts[0].amount
    assert payouts[0].arrives_on == payouts[0].created.date() + timedelta(days=2)
    (balance,) = world.gateway.balance()
    assert (balance.available_cents + balance.pending_cents, balance.currency) == (0, "usd")


def test_gifts_are_the_same(world: World) -> None:
    """A gift is paid, confirmed or declined; the same key gives the same answer."""

    def give(card: str, gift: str, cents: int = 2500, language: str = "en") -> Attempt:
        return world.gateway.take_gift(
            cents=cents,
            email="kofi@example.org",
            name="Kofi",
            payment_method=card,
            gift_id=gift,
            key=gift,
            language=Language(language),
        )

    paid = give("pm_card_visa", "g1")
    assert (paid.outcome, give("pm_card_visa", "g1")) == (PaymentOutcome.PAID, paid)
    asked = give("pm_card_authenticationRequired", "g2", language="fr")
    assert IntentType.PAYMENT is asked.intent_type
    world.provider.confirm(asked.client_secret or "", succeed=True)
    for _ in range(2):
        with pytest.raises(CardDeclined, match="declined"):
            give("pm_card_chargeCustomerFail", "g3")
    with pytest.raises(Conflict):
        give("pm_card_visa", "g1", 700)
    world.settle()

    rows = list(world.gateway.rows())
    assert [(row.amount, row.charge_kind, row.member_id, row.email) for row in rows] == [
        (2500, ChargeKind.GIFT, None, "kofi@example.org")
    ] * 2
    assert paid.reference == rows[0].charge_id
    assert [row.language for row in rows] == ["en", "fr"]


def test_customers_are_found_and_deleted(world: World) -> None:
    """Customers are found by member; deletion ends subscriptions and can be repeated."""
    attempt = world.start()
    customer = world.facts(attempt).customer_id
    found = {"member_id": "member1", "email": "giver1@example.org"}
    assert world.gateway.find_customers(**found) == [customer]
    assert [each.subscription_id for each in world.gateway.subscriptions_of(customer)] == [
        attempt.reference
    ]

    world.gateway.delete_customer(customer)
    world.gateway.delete_customer(customer)

    assert world.gateway.find_customers(**found) == []
    world.pass_time(instant(2026, 6, 1))
    assert len(world.charge_days()) == 1
    with pytest.raises(NotFound):
        world.gateway.billing_url(customer, return_url="https://jara.example/dashboard")


@pytest.mark.parametrize(
    ("card", "error", "sentence"),
    [
        ("pm_card_chargeDeclined", CardDeclined, "Your card was declined."),
        ("pm_card_chargeDeclinedInsufficientFunds", CardDeclined, "insufficient funds"),
        ("pm_card_chargeDeclinedExpiredCard", CardDeclined, "has expired"),
        ("pm_nonsense", InvalidInput, None),
    ],
)
def test_a_refused_card_is_refused_everywhere(
    world: World, card: str, error: type[Exception], sentence: str | None
) -> None:
    """A declined card is refused on joining, as a new card, and for a gift; nothing is left."""
    customer = world.customer()
    with pytest.raises(error, match=sentence):
        world.customer(card)
    with pytest.raises(error, match=sentence):
        world.gateway.set_card(customer, card)
    with pytest.raises(error, match=sentence):
        world.gateway.take_gift(
            cents=500, email="a@example.org", name="A", payment_method=card, gift_id="g", key="g"
        )
    world.settle()
    assert list(world.gateway.rows()) == []
    assert world.gateway.find_customers(member_id="member2", email="giver2@example.org") == []


def test_a_customer_is_renamed(world: World) -> None:
    """A renamed customer is found by the new address."""
    customer = world.customer()

    world.gateway.change_customer(customer, email="new@example.org", name="Ama Owusu")

    assert world.gateway.find_customers(member_id="member1", email="new@example.org") == [customer]
