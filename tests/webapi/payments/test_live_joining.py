"""Joining with live payments: every step, the possible failures, and a card that expires soon."""

from datetime import date

import pytest

from jara.services.notices.outbox import list_outbox
from jara.services.operations.daily_run import queue_due_emails
from jara.services.payments.charging import refresh_pledges
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


def test_a_card_that_expires_soon_is_announced(live: LiveDesk) -> None:
    """The expiry month is read with the subscription, and a new card ends the warning."""
    assert live.register(email="ama@example.org").status_code == 201
    context, double = live.application.context, live.world.double
    with context.store.read() as work:
        (pledge,) = work.pledges.all()
    assert pledge.card_expires_on == date(2034, 12, 31)
    card = double.account.all("payment_method")[0]["card"]
    card |= {"exp_month": 2, "exp_year": 2026}

    refresh_pledges(context)
    assert queue_due_emails(context)["card_expiring"] == 0  # the refresh wrote the email
    (email,) = (one for one in list_outbox(context) if one.kind == "card_expiring")
    assert email.doc["day"] == "2026-02-28"
    live.world.gateway.set_card(str(pledge.customer_id), live.make_card())
    refresh_pledges(context)
    with context.store.read() as work:
        (pledge,) = work.pledges.all()
    assert pledge.card_expires_on == date(2034, 12, 31)
