"""The calls about an account that the site needs beyond the specification."""

from typing import Any

import pytest

from jara.domain.email_kinds import KINDS, EmailChoice
from jara.domain.language import Language
from jara.languages import about
from tests.webapi.desk import PASSWORD, Desk, registration


def test_a_member_sees_their_own_dollars(desk: Desk, token: str) -> None:
    """Payments, trace, export and votes contain only the member's own data."""
    impact = desk.get("/user/impact", token=token).json
    votes = desk.get("/user/votes", token=token).json

    assert (impact["receivedCents"], impact["paidCents"]) == (1000, 1000)
    assert len(desk.get("/user/contributions", token=token).json) == 1
    assert "consents" in desk.get("/user/export", token=token).json
    assert [vote["vote"] for vote in votes] == ["voted"]


def test_a_pledge_is_paused_skipped_moved_and_ended(desk: Desk) -> None:
    """A pledge can also be started again with a card, with the same answers as joining."""
    token = desk.join()

    def change(**body: Any) -> Any:
        return desk.put("/user/pledge", body, token=token)

    assert change(skipNext=True).json["user"]["skipsOn"] == "2026-12-20"
    assert change(skipNext=False).json["user"]["skipsOn"] is None
    assert change(paused=True).json["user"]["pledgeStatus"] == "paused"
    assert change(paused=False).json["user"]["pledgeStatus"] == "active"
    assert change(billingDay="28").json["user"]["billingDay"] == "28"
    assert change(subscriptionAmount=30).json["user"]["subscriptionAmount"] == 30
    assert change(paymentMethodId="pm_card_mastercard").status_code == 200
    assert change(paymentMethodId="pm_card_chargeDeclined").status_code == 402
    assert change().status_code == 422
    assert change(canceled=True, paused=True).status_code == 409
    assert change(canceled=True).json["user"]["pledgeStatus"] == "canceled"
    assert change(subscriptionAmount=20).status_code == 409
    assert change(paymentMethodId="pm_card_visa", paused=True).status_code == 422
    asked = change(paymentMethodId="pm_card_authenticationRequired")
    assert (asked.status_code, asked.json["intentType"]) == (202, "setup")
    begun = change(paymentMethodId="pm_card_visa", subscriptionAmount=12, billingDay="current")
    assert (begun.json["user"]["pledgeStatus"], begun.json["user"]["subscriptionAmount"]) == (
        "active",
        12,
    )


@pytest.mark.parametrize("other", ["paused", "skipNext", "billingDay", "subscriptionAmount"])
def test_a_cancellation_is_the_only_field(desk: Desk, other: str) -> None:
    """Another field beside it is a conflict, even when it is null; the pledge goes on."""
    token = desk.join()

    answer = desk.put("/user/pledge", {"canceled": True, other: None}, token=token)

    assert (answer.status_code, answer.json["message"]) == (
        409,
        "A pledge cannot be canceled and changed at once.",
    )
    assert desk.get("/user/get-profile", token=token).json["user"]["pledgeStatus"] == "active"


def test_null_leaves_the_pledge_as_it_is(desk: Desk) -> None:
    """A body of nulls changes nothing and succeeds; one without fields is refused."""
    token = desk.join()
    nulls = {"canceled": None, "paused": None, "billingDay": None}

    answer = desk.put("/user/pledge", nulls, token=token)

    assert (answer.status_code, answer.json["user"]["pledgeStatus"]) == (200, "active")
    assert desk.put("/user/pledge", {}, token=token).status_code == 422


def test_gifts_need_no_account(desk: Desk) -> None:
    """A gift is 201, 202 if the bank asks, or 402 if declined; a key gives one gift only."""
    form = {"amountCents": 2500, "email": "g@example.org", "name": "G"}
    headers = {"Idempotency-Key": "a-gift-of-a-browser"}
    paid = desk.post("/gifts", {**form, "paymentMethodId": "pm_card_visa"}, headers=headers)
    asked = desk.post("/gifts", {**form, "paymentMethodId": "pm_card_authenticationRequired"})
    no = desk.post("/gifts", {**form, "paymentMethodId": "pm_card_chargeDeclined"})
    other = desk.post(
        "/gifts", {**form, "amountCents": 1, "paymentMethodId": "pm_card_visa"}, headers=headers
    )

    assert [one.status_code for one in (paid, asked, no, other)] == [201, 202, 402, 422]
    with desk.application.context.store.read() as work:
        entry = work.journal.find(paid.json["entry"]).entry
    assert entry.kind == "gift"
    again = desk.post("/gifts", {**form, "paymentMethodId": "pm_card_visa"}, headers=headers)
    assert paid.json == again.json
    confirm = {"clientSecret": asked.json["clientSecret"], "outcome": "fail"}
    assert desk.post("/sandbox/confirm", confirm).status_code == 200
    assert desk.post("/sandbox/confirm", confirm).status_code == 409
    assert desk.post("/sandbox/confirm", {**confirm, "clientSecret": "x"}).status_code == 404


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_kinds_of_email_are_served_in_the_readers_language(desk: Desk, language: str) -> None:
    """The account page shows the declarations, and types none of them again."""
    answer = desk.get("/emails", headers={"Accept-Language": language})
    kinds = {kind["name"]: kind["about"] for kind in answer.json["kinds"]}

    assert answer.headers["content-language"] == language
    assert kinds == {name: about(kind, Language(language)) for name, kind in KINDS.items()}
    assert [choice["name"] for choice in answer.json["choices"]] == list(EmailChoice)
    assert ("Emails about votes, and no news." in answer.text) is (language == "en")


def test_a_member_ends_one_session_or_all(desk: Desk) -> None:
    """A member can end one session or all of them."""
    form = registration()
    here = desk.post("/register", form).json["token"]
    credentials = {"email": form["email"], "password": PASSWORD}
    there, far = (desk.post("/user/login", credentials).json["token"] for _ in range(2))
    desk.post("/user/logout", token=here)
    statuses = [desk.get("/user/get-profile", token=one).status_code for one in (here, there)]
    desk.post("/user/logout-everywhere", token=there)

    assert statuses == [401, 200]
    assert desk.get("/user/get-profile", token=far).status_code == 401


def test_devices_are_listed_and_signed_out(desk: Desk) -> None:
    """Other devices and the current one can be signed out, which ends their tokens."""
    form = registration()
    token = desk.join(**form)
    agent = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0"}
    credentials = {"email": form["email"], "password": PASSWORD}
    other = desk.post("/user/login", credentials, headers=agent).json["token"]
    here, lost = desk.get("/user/sessions", token=token).json

    assert (lost["device"], lost["lastUsedOn"], lost["current"]) == (
        "Firefox on Linux",
        "2026-11-20",
        False,
    )
    assert desk.delete(f"/user/sessions/{lost['id']}", token=token).status_code == 200
    assert desk.delete(f"/user/sessions/{lost['id']}", token=token).status_code == 404
    assert desk.get("/user/get-profile", token=other).status_code == 401
    assert desk.delete(f"/user/sessions/{here['id']}", token=token).status_code == 200
    assert desk.get("/user/get-profile", token=token).status_code == 401
