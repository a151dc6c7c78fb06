"""The calls of spec §7 for one's own account: profile, amount, billing, leaving."""

from typing import Any

import pytest

from jara.services.ports.payments import ProviderUnavailable
from tests.webapi.desk import PASSWORD, Desk, later, refused, registration


def test_the_profile_has_the_specified_fields(desk: Desk) -> None:
    """The profile has the fields of spec §3, and the checklist starts as in spec §4."""
    user = desk.get("/user/get-profile", token=desk.join()).json["user"]

    assert set(user) == {
        "id",
        "firstname",
        "lastname",
        "email",
        "emailConfirmed",
        "emailStoppedOn",
        "pendingEmail",
        "country",
        "isHomeCurrency",
        "language",
        "subscriptionAmount",
        "billingDay",
        "pledgeStatus",
        "way",
        "nextChargeOn",
        "nextCharges",
        "dueCents",
        "retriesOn",
        "skipsOn",
        "mayVote",
        "mayVoteFrom",
        "mayVoteUntil",
        "voteHeldSince",
        "memberSince",
        "notifications",
        "emailChoice",
        "votes",
        "todo",
    }
    assert [item["completed"] for item in user["todo"]] == [False, True, True]


def test_name_and_news_are_changed_without_a_password(desk: Desk) -> None:
    """No session ends."""
    token = desk.join()
    for change in (
        {"firstname": "Efua", "lastname": "Owusu"},
        {"notifications": False},
        {"notifications": True},
        {"language": "fr"},
        {"country": "KE"},
    ):
        answer = desk.put("/user/update-profile", change, token=token)
        assert (answer.status_code, set(answer.json)) == (200, {"success", "message"})
    user = desk.get("/user/get-profile", token=token).json["user"]

    assert (user["firstname"], user["lastname"]) == ("Efua", "Owusu")
    assert (user["notifications"], user["language"]) == (True, "fr")


def test_the_finer_choice_of_emails_stays_below_the_toggle(desk: Desk) -> None:
    """The boolean of the specification is its coarse form; an unknown choice is refused."""
    token = desk.join()
    seen = []
    for change in (
        {"emailChoice": "votes"},
        {"notifications": True},
        {"notifications": False},
        {"notifications": True},
    ):
        assert desk.put("/user/update-profile", change, token=token).status_code == 200
        user = desk.get("/user/get-profile", token=token).json["user"]
        seen.append((user["notifications"], user["emailChoice"]))

    assert seen == [(True, "votes"), (True, "votes"), (False, "nothing"), (True, "monthly")]
    answer = desk.put("/user/update-profile", {"emailChoice": "weekly"}, token=token)
    assert (answer.status_code, set(answer.json["fields"])) == (422, {"emailChoice"})


def test_a_sign_in_older_than_15_minutes_needs_the_password(own: Desk) -> None:
    """After 15 minutes, changing email or password and leaving are 403 reauth_required."""
    token = own.join()
    later(own, minutes=16)
    change = {"newPassword": "a-new-cloth", "confirmNewPassword": "a-new-cloth"}

    assert refused(own.put("/user/update-profile", change, token=token)) == (403, "reauth_required")
    assert refused(own.delete("/user/delete-account", token=token)) == (403, "reauth_required")
    wrong = {**change, "currentPassword": "wrong-one"}
    assert refused(own.put("/user/update-profile", wrong, token=token)) == (403, "reauth_required")
    right = {**change, "currentPassword": PASSWORD}
    assert own.put("/user/update-profile", right, token=token).status_code == 200


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, None),
        ({"firstname": "A", "email": "b@example.org"}, None),
        ({"currentPassword": PASSWORD}, None),
        ({"email": "none"}, None),
        ({"newPassword": "short", "confirmNewPassword": "short"}, "newPassword"),
        ({"newPassword": "a-new-cloth"}, "confirmNewPassword"),
        ({"nickname": "A"}, "nickname"),
        ({"notifications": 1}, "notifications"),
    ],
)
def test_one_good_change_at_a_time(desk: Desk, change: dict[str, Any], field: str | None) -> None:
    """Zero or two changes, or an invalid one, are 422, with the field's name if there is one."""
    answer = desk.put("/user/update-profile", change, token=desk.join())

    assert refused(answer) == (422, "invalid_input")
    assert field is None or field in answer.json["fields"]


def test_the_amount_is_changed_from_the_next_charge_on(desk: Desk) -> None:
    """A valid amount is 200 with the new amount; outside 5 to 999 it is 422."""
    token = desk.join()
    answer = desk.put("/user/update-subscription", {"subscriptionAmount": "25"}, token=token)

    assert (answer.status_code, answer.json["subscriptionAmount"]) == (200, 25)
    for amount in (4, 1000, "ten", 10.5, "１０", True, None):
        wrong = desk.put("/user/update-subscription", {"subscriptionAmount": amount}, token=token)
        assert wrong.status_code == 422


def test_leaving_erases_the_account(desk: Desk) -> None:
    """The token ends, the email is free again, and signing in fails."""
    form = registration()
    token = desk.post("/register", form).json["token"]
    answer = desk.delete("/user/delete-account", {"currentPassword": PASSWORD}, token=token)
    credentials = {"email": form["email"], "password": PASSWORD}

    assert (answer.status_code, answer.json["success"]) == (200, True)
    assert desk.get("/user/get-profile", token=token).status_code == 401
    assert desk.post("/user/login", credentials).status_code == 401
    assert desk.post("/email-exists", credentials).status_code == 200


def test_an_account_that_the_provider_cannot_cancel_stays(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the provider cannot cancel, the answer is 502, and nothing is deleted."""
    token = desk.join()

    def failing(*_args: object) -> None:
        raise ProviderUnavailable("The provider is away.")

    monkeypatch.setattr("jara.payments.sandbox.gateway.SandboxGateway.delete_customer", failing)
    answer = desk.delete("/user/delete-account", token=token)

    assert refused(answer) == (502, "payment_provider_failed")
    assert "still open" in answer.json["message"]
    assert desk.get("/user/get-profile", token=token).status_code == 200


def test_the_billing_page_has_an_address(desk: Desk) -> None:
    """The field ``url`` starts with the site's own address."""
    answer = desk.get("/billing", token=desk.join(), headers={"Host": "evil.example"})

    assert (answer.status_code, answer.json["url"]) == (
        200,
        "http://127.0.0.1:8000/sandbox/billing",
    )
