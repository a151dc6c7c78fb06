"""Joining with live payments: every step through the API, and the possible failures."""

from __future__ import annotations

import pytest

from jara.services.notices.outbox import list_outbox
from tests.payments.stripe_world import instant
from tests.webapi.payments.live_desk import LiveDesk, emails, income, is_sound, sign_in_again


def test_somebody_joins_and_is_charged(live: LiveDesk) -> None:
    """Joining answers 201, and the webhook books the balance transaction."""
    answer = live.register(contribution="25", email="ama@example.org")

    assert answer.status_code == 201, answer.json
    token = answer.json["token"]
    assert "active" == live.status_of(token) == answer.json["user"]["pledgeStatus"]
    assert income(live) == []
    live.world.double.advance(minutes=1)
    assert live.listen().failed == 0
    assert income(live) == [("pledge", 2500)]
    shown = live.get("/user/contributions", token=token).json
    assert [one["amountCents"] for one in shown] == [2500]
    assert live.get("/user/all-users").json["total"] == 1
    assert set(emails(live)) == {"welcome", "receipt"}
    outbox = list_outbox(live.application.context, include_sent=True)
    assert not any("sandbox" in email.doc for email in outbox)
    is_sound(live)


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


def test_joining_that_was_cut_off_is_finished_by_an_event(live: LiveDesk) -> None:
    """If Jara stops after Stripe's charge, the next event completes the account."""
    live.world.double.fault("GET /v1/subscriptions/", "before")
    answer = live.register(email="ama@example.org")
    assert answer.status_code == 502
    live.world.double.advance(minutes=1)
    assert live.hear_all() > 0

    first = live.work()

    assert 0 == first.failed < first.postponed
    with live.application.context.store.read() as work:
        assert list(work.members.all()) == []
    live.world.double.advance(minutes=6)
    live.listen()
    live.work()
    assert live.status_of(sign_in_again(live, "ama@example.org")) == "active"
    is_sound(live)


def test_an_unfinished_confirmation_survives_a_provider_that_is_away(live: LiveDesk) -> None:
    """Events that fail are processed later, when they are redelivered or due."""
    answer = live.register()
    assert answer.status_code == 201
    live.world.double.advance(minutes=1)
    waiting = live.world.double.deliveries()
    for body, signature in waiting:
        live.deliver(body, signature)
    live.world.double.fault("GET", "500", times=500)
    assert live.work().failed > 0
    live.world.double.service.faults.clear()

    for body, signature in waiting:
        live.deliver(body, signature)
    live.clock.set(instant(2026, 1, 31, 10, 0))
    live.work()

    assert income(live) == [("pledge", 1000)]
    with live.application.context.store.read() as work:
        assert work.provider_events.failures() == []
