"""Paying a failed charge at once, with live payments: it is booked once, whatever comes when."""

from __future__ import annotations

import pytest

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


def test_a_key_is_answered_again(live: LiveDesk) -> None:
    """A request whose answer was lost is repeated with its key; without a key it is safe too."""
    token = fall_behind(live)
    key = {"Idempotency-Key": "press-0001"}
    first = live.post("/user/pledge/pay", token=token, headers=key)

    again = live.post("/user/pledge/pay", token=token, headers=key)

    assert (again.status_code, again.json["message"]) == (200, first.json["message"])
    later(live)
    assert income(live) == PAID_TWICE


@pytest.mark.parametrize("fault", ["before", "after", "500", "500_after", "429"])
def test_stripe_fails_in_the_middle(live: LiveDesk, fault: str) -> None:
    """Whether Stripe made the charge or not, the next press makes it at most once."""
    token = fall_behind(live)
    live.world.double.fault("POST /v1/invoices", fault)
    assert live.post("/user/pledge/pay", token=token).status_code == 502

    assert live.post("/user/pledge/pay", token=token).status_code == 200

    later(live)
    assert income(live) == PAID_TWICE
    is_sound(live)


def test_the_webhook_is_first(live: LiveDesk) -> None:
    """The retry paid, and its event is processed before or after the press."""
    token = fall_behind(live)
    live.world.double.advance_to(instant(2026, 3, 8))
    token = sign_in_again(live, EMAIL)

    assert live.post("/user/pledge/pay", token=token).json["message"] == "Nothing is due now."

    live.listen()
    assert live.post("/user/pledge/pay", token=token).json["message"] == "Nothing is due now."
    later(live)
    assert income(live) == PAID_TWICE


def test_a_refused_card_names_its_reason(live: LiveDesk) -> None:
    """The pledge waits for the retries as before, which end it on their day."""
    token = fall_behind(live, "pm_card_chargeCustomerFail")
    for _ in range(3):
        answer = live.post("/user/pledge/pay", token=token)
        assert (answer.status_code, answer.json["message"]) == (402, "Your card was declined.")

    assert live.status_of(token) == "past_due"
    later(live)
    assert live.status_of(sign_in_again(live, EMAIL)) == "canceled"
    answer = live.post("/user/pledge/pay", token=sign_in_again(live, EMAIL))
    assert (answer.status_code, answer.json["code"]) == (409, "conflict")
    assert income(live) == [("pledge", 1000)]


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
