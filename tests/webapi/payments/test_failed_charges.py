"""Paying a failed charge at once, with live payments: it is booked once, whatever comes when."""

from __future__ import annotations

from tests.payments.stripe_world import instant
from tests.webapi.payments.live_desk import LiveDesk, income, is_sound, sign_in_again

EMAIL = "ama@example.org"
PAID_TWICE = [("pledge", 1000), ("pledge", 1000)]


def fall_behind(live: LiveDesk, card: str = "pm_card_visa") -> str:
    """Let a renewal fail, and put another card in its place; return a fresh token."""
    assert live.register(email=EMAIL).status_code == 201
    with live.application.context.store.read() as work:
        (pledge,) = work.pledges.all()
    customer, gateway = str(pledge.customer_id), live.world.gateway
    live.listen()
    gateway.set_card(customer, live.make_card("pm_card_chargeCustomerFail"))
    live.world.double.advance_to(instant(2026, 3, 1))
    live.listen()
    gateway.set_card(customer, live.make_card(card))
    token = sign_in_again(live, EMAIL)
    assert live.status_of(token) == "past_due"
    return token


def later(live: LiveDesk) -> None:
    """Let every retry pass, and process all events."""
    live.world.double.advance_to(instant(2026, 3, 24))
    assert live.listen().failed == 0


def test_it_is_paid_and_booked_once(live: LiveDesk) -> None:
    """The answer has the active pledge; a second press takes nothing, and the webhook books one."""
    token = fall_behind(live)

    answer = live.post("/user/pledge/pay", token=token)

    assert (answer.status_code, answer.json["message"]) == (
        200,
        "Your contribution is paid. Thank you!",
    )
    assert (answer.json["user"]["pledgeStatus"], answer.json["user"]["retriesOn"]) == ("active", [])
    assert live.post("/user/pledge/pay", token=token).json["message"] == "Nothing is due now."
    later(live)
    assert income(live) == PAID_TWICE
    is_sound(live)


def test_the_bank_asks_the_cardholder(live: LiveDesk) -> None:
    """The answer has the secret for the bank's question; what it confirms is booked once."""
    token = fall_behind(live, "pm_card_authenticationRequired")

    answer = live.post("/user/pledge/pay", token=token)

    assert (answer.status_code, answer.json["requiresAction"], answer.json["intentType"]) == (
        202,
        True,
        "payment",
    )
    assert live.status_of(token) == "past_due"
    live.world.double.confirm(answer.json["clientSecret"])
    assert live.post("/user/pledge/pay", token=token).json["user"]["pledgeStatus"] == "active"
    later(live)
    assert income(live) == PAID_TWICE
    is_sound(live)
