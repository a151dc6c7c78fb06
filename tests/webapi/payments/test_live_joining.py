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


def test_a_webhook_confirms_the_payment_of_a_closed_page(live: LiveDesk) -> None:
    """If nobody polls, the webhook confirms the pledge."""
    answer = live.register("pm_card_authenticationRequired", email="ama@example.org")
    live.world.double.confirm(answer.json["clientSecret"])
    live.world.double.advance(minutes=1)

    live.listen()

    with live.application.context.store.read() as work:
        (pledge,) = work.pledges.all()
        assert work.registrations.all() == []
    assert pledge.state == "active"
    assert income(live) == [("pledge", 1000)]


def test_a_refused_payment_stays_incomplete_and_ends(live: LiveDesk) -> None:
    """A failed confirmation allows no vote, and a day later the subscription has ended."""
    answer = live.register("pm_card_authenticationRequired")
    live.world.double.confirm(answer.json["clientSecret"], succeed=False)

    assert live.listen().failed == 0
    assert live.status_of(answer.json["token"]) == "incomplete"
    live.world.double.advance(hours=24)
    live.listen()
    assert income(live) == []
    assert live.get("/user/all-users").json["total"] == 0


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("pm_card_chargeDeclined", "Your card was declined."),
        ("pm_card_chargeDeclinedInsufficientFunds", "Your card has insufficient funds."),
        ("pm_card_chargeCustomerFail", "Your card was declined."),
    ],
)
def test_a_declined_card_leaves_nothing(live: LiveDesk, card: str, message: str) -> None:
    """Joining is 402 with Stripe's message; the same person can join with another card."""
    declined = live.register(card, email="ama@example.org")

    assert declined.status_code == 402
    assert declined.json["message"] == message
    live.world.double.advance(minutes=10)
    assert live.listen().failed == 0
    with live.application.context.store.read() as work:
        assert (list(work.members.all()), work.registrations.all()) == ([], [])
    assert live.register(email="ama@example.org").status_code == 201


def test_a_later_billing_day_is_charged_on_that_day(live: LiveDesk) -> None:
    """The pledge is active at once; the charge and the right to vote follow on that day."""
    answer = live.register(billingDay="28", email="ama@example.org")

    assert answer.status_code == 201
    user = answer.json["user"]
    assert (user["pledgeStatus"], user["nextChargeOn"]) == ("active", "2026-02-28")
    live.world.double.advance_to(instant(2026, 2, 28, 12, 30))
    live.listen()
    assert income(live) == []
    live.world.double.advance_to(instant(2026, 2, 28, 15))
    live.listen()
    assert income(live) == [("pledge", 1000)]
    token = sign_in_again(live, "ama@example.org")
    profile = live.get("/user/get-profile", token=token).json["user"]
    assert profile["nextChargeOn"] == "2026-03-28"


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
