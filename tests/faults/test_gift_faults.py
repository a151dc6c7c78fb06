"""Gifts that are interrupted at any step, with Stripe's double, are charged at most once."""

from dataclasses import replace
from typing import Any

import pytest

from jara.services.payments.reconciling import reconcile
from tests.faults.cut_payments import ANSWERS, EMAIL, KEY, Crash, CutGateway, let_time_pass, restart
from tests.sizes import some
from tests.webapi.payments.live_desk import LiveDesk

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("fault", some([*ANSWERS, "crash before", "crash after"], step=3))
def test_a_gift_that_was_cut_off_is_taken_once(live: LiveDesk, fault: str) -> None:
    """Repeating the request with its key never charges twice, at any time."""
    whole = live.application
    gift = {"amountCents": 2500, "email": EMAIL, "paymentMethodId": live.make_card()}
    if fault.startswith("crash"):
        gateway: Any = CutGateway(whole.context.gateway, "take_gift", fault.partition(" ")[2])
        restart(live, replace(whole, context=replace(whole.context, gateway=gateway)))
    else:
        live.world.double.fault("POST /v1/payment_intents", fault)
    headers = {"Idempotency-Key": KEY}
    try:
        first = live.post("/gifts", gift, headers=headers).status_code
    except Crash:
        first = 0
    assert first == (0 if fault.startswith("crash") else 502)
    restart(live, whole)
    live.world.double.advance(minutes=3)

    again = live.post("/gifts", gift, headers=headers)
    assert (again.status_code, again.json["amountCents"]) == (201, 2500)
    assert again.json == live.post("/gifts", gift, headers=headers).json

    assert [charge["amount"] for charge in live.world.double.account.all("charge")] == [2500]
    let_time_pass(live)
    assert reconcile(live.application.context).ok


def test_a_declined_gift_is_given_with_another_card_under_the_same_key(live: LiveDesk) -> None:
    """A refusal is not stored under the key, so another card gets a new request to Stripe."""
    headers = {"Idempotency-Key": KEY}
    statuses = [
        live.post(
            "/gifts",
            {"amountCents": 2500, "email": EMAIL, "paymentMethodId": live.make_card(card)},
            headers=headers,
        ).status_code
        for card in ("pm_card_chargeDeclined", "pm_card_visa")
    ]

    assert statuses == [402, 201]
