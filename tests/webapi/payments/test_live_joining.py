"""Joining with live payments: every step, the possible failures, and a card that expires soon."""

import pytest

from tests.webapi.payments.live_desk import LiveDesk, income


@pytest.mark.parametrize("day", ["current", "28"])
@pytest.mark.parametrize(
    "card", ["pm_card_authenticationRequired", "pm_card_authenticationRequiredOnSetup"]
)
def test_a_cardholder_confirms_while_the_client_polls(live: LiveDesk, day: str, card: str) -> None:
    """Joining is 202 with the right kind of intent; get-profile confirms without a webhook."""
    answer = live.register(card, billingDay=day)

    assert answer.status_code == 202, answer.json
    assert answer.json["intentType"] == ("setup" if day == "28" else "payment")
    token = answer.json["token"]
    assert live.status_of(token) == "incomplete"
    live.world.double.confirm(answer.json["clientSecret"])
    assert live.status_of(token) == "active"
    live.world.double.advance(minutes=1)
    assert live.listen().failed == 0
    assert income(live) == ([] if day == "28" else [("pledge", 1000)])


def test_profiles_load_while_the_provider_is_unreachable(live: LiveDesk) -> None:
    """The profile shows the stored pledge; calls that need the provider are 502 without effect."""
    answer = live.register("pm_card_authenticationRequired")
    asked, token = answer.json["token"], live.register().json["token"]
    live.world.double.confirm(answer.json["clientSecret"])
    live.world.double.fault("", "500", times=1000)

    assert live.status_of(asked) == "incomplete"
    amount = {"subscriptionAmount": 20}
    for refused in (
        live.get("/billing", token=token),
        live.put("/user/update-subscription", amount, token=token),
        live.put("/user/pledge", {"canceled": True}, token=token),
        live.delete("/user/delete-account", token=token),
    ):
        assert (refused.status_code, refused.json["code"]) == (502, "payment_provider_failed")
    live.world.double.service.faults.clear()

    assert "active" == live.status_of(asked) == live.status_of(token)
    assert live.get("/user/get-profile", token=token).json["user"]["subscriptionAmount"] == 10
