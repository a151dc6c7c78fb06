"""Customers of the sandbox: rename, delete, and repeated requests with one key."""

import pytest

from jara.domain.errors import CardDeclined, Conflict, NotFound
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from tests.payments.sandbox_world import instant, make_world, open_intent


def test_a_deleted_customer_leaves_rows_without_a_person() -> None:
    """The rows stay, so they can be booked once, but identify nobody."""
    world = make_world()
    world.start()
    customer = world.gateway.find_customers(member_id="member1", email="")[0]
    assert customer == world.rows()[0].customer_id

    world.gateway.delete_customer(customer)
    world.gateway.delete_customer(customer)

    row = world.rows()[0]
    assert (row.customer_id, row.member_id, row.email) == (None, None, None)
    assert world.gateway.find_customers(member_id="member1", email="") == []
    with pytest.raises(NotFound):
        world.gateway.billing_url(customer, return_url="https://jara.example/dashboard")
    world.run(instant(2026, 6, 1))
    assert len(world.charged_on()) == 1


def test_a_deleted_customer_takes_gifts_of_the_same_address_along() -> None:
    """Gifts from the same address become anonymous; other people's do not."""
    world = make_world()
    attempt = world.start("pm_card_authenticationRequired")
    others = world.start()
    for email in ("giver1@example.org", "kofi@example.org"):
        world.gateway.take_gift(
            cents=500,
            email=email,
            name="Ama",
            payment_method="pm_card_visa",
            gift_id=email,
            key=email,
        )

    asked = world.start("pm_card_authenticationRequired")
    world.gateway.delete_customer(world.facts(attempt).customer_id)

    assert asked.client_secret == open_intent(world.gateway, asked.reference)
    assert [row.email for row in world.rows()] == ["giver2@example.org", None, "kofi@example.org"]
    assert PledgeState.ACTIVE is world.facts(others).state
    with pytest.raises(NotFound):
        world.gateway.confirm(attempt.client_secret or "", succeed=True)


def test_a_customer_can_be_renamed() -> None:
    """Rows show the current address."""
    world = make_world()
    world.start()
    customer = world.gateway.find_customers(member_id="member1", email="")[0]

    world.gateway.change_customer(customer, email="new@example.org", name="Ama Owusu")

    assert world.rows()[0].email == "new@example.org"


def test_the_billing_page_is_on_our_own_site() -> None:
    """The page replaces the provider's portal."""
    world = make_world()
    customer = world.customer()

    url = world.gateway.billing_url(customer, return_url="https://jara.example/dashboard")

    assert url == "https://jara.example/sandbox/billing"


def test_a_key_gives_the_same_answer_again() -> None:
    """A retry neither charges again nor turns a decline into a success."""
    world = make_world()
    gateway = world.gateway
    customer = world.customer()

    def start(dollars: int) -> str:
        return gateway.start_subscription(
            customer_id=customer,
            dollars=dollars,
            billing_day=BillingDay.CURRENT,
            member_id="member1",
            key="once",
        ).reference

    assert start(10) == start(10)
    assert len(world.charged_on()) == 1
    with pytest.raises(Conflict, match="idempotency key"):
        start(11)
    for _ in range(2):
        world.people = 6
        with pytest.raises(CardDeclined, match=r"expired"):
            world.customer("pm_card_chargeDeclinedExpiredCard")
