"""Joining without a card, and sessions of accounts that have not paid."""

from pathlib import Path

import pytest

from jara.domain.giving.payment_way import PaymentWay
from jara.services.payments.receiving import receive
from jara.services.payments.ways import set_way
from tests.webapi.calls import CALLS
from tests.webapi.desk import Desk, open_desk, promise, refused, registration

IBAN = "DE89370400440532013000"


def take_transfers(desk: Desk, **more: object) -> None:
    """Enable bank transfers."""
    set_way(
        desk.application.context,
        PaymentWay.TRANSFER,
        ledger="assets:bank",
        details="Any bank",
        **more,  # type: ignore[arg-type] # given by the test, by name
    )


def test_no_other_way_to_pay_is_offered_before_one_is_set(place: Path) -> None:
    """The config lists no way, and a promise is refused."""
    desk = open_desk(place)
    assert desk.get("/config").json["ways"] == []
    assert desk.post("/register/promise", promise()).status_code == 404
    token = desk.join()
    assert desk.get("/user/payment", token=token).status_code == 404
    assert desk.get("/user/get-profile", token=token).json["user"]["way"] == "card"


def test_a_promise_shows_how_to_pay_and_opens_with_the_payment(desk: Desk) -> None:
    """Until the payment, the session can only show it, add a card, or leave."""
    take_transfers(desk, iban=IBAN, holder="Jara e.V.", takes_euro=True)
    assert desk.get("/config").json["ways"] == ["transfer"]
    form = promise()
    answer = desk.post("/register/promise", form)
    token, user = answer.json["token"], answer.json["user"]
    payment = desk.get("/user/payment", token=token).json

    assert (answer.status_code, user["pledgeStatus"], user["way"], user["mayVote"]) == (
        201,
        "incomplete",
        "transfer",
        False,
    )
    assert {
        "way": "transfer",
        "subscriptionAmount": 10,
        "pledgeStatus": "incomplete",
        "paidUntil": None,
        "details": "Any bank",
        "iban": "DE89 3704 0044 0532 0130 00",
        "holder": "Jara e.V.",
    }.items() <= payment.items()
    closed = desk.get("/ledger/transactions", token=token)
    assert refused(closed) == (403, "payment_unconfirmed")
    receive(desk.application.context, payment["reference"], 1000)
    assert desk.get("/ledger/transactions", token=token).status_code == 200
    assert desk.get("/user/get-profile", token=token).json["user"]["mayVote"]
    assert desk.get("/user/payment", token=token).json["paidUntil"] == "2026-12-20"


def test_the_code_can_be_drawn(desk: Desk) -> None:
    """The code is the modules of a QR code with its border; without euros there is none."""
    take_transfers(desk, iban=IBAN, holder="Jara e.V.", takes_euro=True)
    token = desk.post("/register/promise", promise()).json["token"]
    code = desk.get("/user/payment", token=token).json["code"]
    take_transfers(desk)

    assert (code["size"] - 8 - 17) % 4 == 0
    assert code["path"].startswith("M4 4h7v1h-7z")
    assert desk.get("/user/payment", token=token).json["code"] is None


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
