"""How often one account can make the server ask the payment provider."""

from pathlib import Path

import pytest

from tests.webapi.desk import open_desk, refused

DECLINED = {"paymentMethodId": "pm_card_chargeDeclined"}


@pytest.mark.parametrize("is_running", [False, True])
def test_declined_cards_of_a_pledge_count_as_those_of_a_sign_up(
    place: Path, *, is_running: bool
) -> None:
    """Nobody tries out stolen cards at the pledge, whether it runs or was ended."""
    desk = open_desk(place, limit_declined_email="2/h")
    token = desk.join()
    if not is_running:
        assert desk.put("/user/pledge", {"canceled": True}, token=token).status_code == 200
    good = {"paymentMethodId": "pm_card_visa"}
    for _ in range(3):
        assert desk.put("/user/pledge", good, token=token).status_code == 200
        if not is_running:
            assert desk.put("/user/pledge", {"canceled": True}, token=token).status_code == 200

    tried = [desk.put("/user/pledge", DECLINED, token=token).status_code for _ in range(2)]
    answer = desk.put("/user/pledge", DECLINED, token=token)

    assert tried == [402, 402]
    assert refused(answer) == (429, "too_many_requests")
    assert desk.put("/user/pledge", {"canceled": True}, token=token).status_code == 200


def test_one_account_asks_the_provider_seldom(place: Path) -> None:
    """Beyond the limit changes are refused, and the profile is as the server knows it."""
    desk = open_desk(place, limit_provider_member="3/h")
    token = desk.join(paymentMethodId="pm_card_authenticationRequired")
    paid = desk.join()
    changes = (
        ("GET", "/billing", None),
        ("PUT", "/user/update-subscription", {"subscriptionAmount": 20}),
        ("PUT", "/user/pledge", {"billingDay": "28"}),
    )

    def answers() -> list[int]:
        return [desk.call(*change, token=paid).status_code for change in changes]

    profiles = [desk.get("/user/get-profile", token=token).status_code for _ in range(5)]

    assert (answers(), answers()) == ([200] * 3, [429] * 3)
    assert desk.post("/user/pledge/pay", token=paid).status_code == 429
    assert profiles == [200] * 5
    asked = desk.put("/user/pledge", {"paymentMethodId": "pm_card_visa"}, token=token)
    assert asked.status_code == 429
