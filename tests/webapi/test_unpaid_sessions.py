"""Attack: read the ledger with a card that the bank never confirmed."""

import pytest

from tests.webapi.calls import CALLS
from tests.webapi.desk import PASSWORD, Desk, refused, registration

ASKS = "pm_card_authenticationRequired"
OPEN_TO_ALL = {
    ("GET", "/user/get-profile"),
    ("GET", "/user/payment"),
    ("PUT", "/user/pledge"),
    ("DELETE", "/user/delete-account"),
    ("POST", "/user/logout"),
    ("POST", "/user/logout-everywhere"),
    ("POST", "/user/votes"),
}
"""Calls to complete the payment or leave; a vote is refused because no payment exists."""


def unpaid(desk: Desk) -> tuple[str, str]:
    """Join with a card that needs confirmation; return the token and the secret."""
    answer = desk.post("/register", registration(paymentMethodId=ASKS))
    assert answer.status_code == 202
    return answer.json["token"], answer.json["clientSecret"]


def test_an_unpaid_session_can_only_finish_or_leave(desk: Desk) -> None:
    """Every other call for members is refused."""
    token, _ = unpaid(desk)
    closed = [
        call
        for call in CALLS
        if call.access == "member" and (call.method, call.path) not in OPEN_TO_ALL
    ]
    answers = {
        (call.method, call.path): refused(
            desk.call(
                call.method,
                call.path.format(**call.filled),
                call.body,
                token=token,
                query_string=call.query,
            )
        )
        for call in closed
    }

    assert len(closed) > 10
    assert set(answers.values()) == {(403, "payment_unconfirmed")}, answers
    vote = {"id": desk.open_vote(), "voteType": "upvote"}
    answer = desk.post("/user/votes", vote, token=token)
    assert refused(answer) == (403, "not_a_changemaker")


@pytest.mark.parametrize(("method", "path"), sorted(OPEN_TO_ALL))
def test_an_unpaid_session_is_not_shut_out(desk: Desk, method: str, path: str) -> None:
    """Calls to pay or to leave do not wait for the payment."""
    token, _ = unpaid(desk)
    [call] = [one for one in CALLS if (one.method, one.path) == (method, path)]
    answer = desk.call(method, path.format(**call.filled), call.body, token=token)

    assert "payment_unconfirmed" not in answer.text


@pytest.mark.parametrize("path", ["/ledger/budget", "/proofs/entries", "/user/get-proposals"])
def test_an_unpaid_session_gets_a_visitors_answers(desk: Desk, path: str) -> None:
    """An unpaid session reads only what visitors read."""
    desk.join()
    desk.open_vote()
    token, _ = unpaid(desk)

    assert desk.get(path).content == desk.get(path, token=token).content
    assert desk.get(path).content != desk.get(path, token=desk.join()).content


def test_the_account_opens_with_the_confirmed_payment(desk: Desk) -> None:
    """The next call after the payment has full access, without a webhook."""
    token, secret = unpaid(desk)
    desk.post("/sandbox/confirm", {"clientSecret": secret, "outcome": "succeed"})

    assert desk.get("/ledger/transactions", token=token).status_code == 200


def test_an_unpaid_member_can_close_the_account(desk: Desk) -> None:
    """An unpaid member can read the profile and delete the account."""
    token, _ = unpaid(desk)

    assert desk.get("/user/get-profile", token=token).status_code == 200
    answer = desk.delete("/user/delete-account", {"currentPassword": PASSWORD}, token=token)
    assert answer.status_code == 200
