"""HEAD, OPTIONS, methods that are not allowed, and answers that must not be cached."""

from pathlib import Path

import pytest

from tests.webapi.calls import CALLS, Known
from tests.webapi.desk import Desk, open_desk, registration

GETS = [call for call in CALLS if call.method == "GET"]
PASSING = {"x-request-id", "date"}


@pytest.mark.parametrize("signed_in", [False, True])
@pytest.mark.parametrize("known", GETS, ids=lambda call: call.path)
def test_head_answers_as_get_without_the_body(
    desk: Desk, known: Known, token: str, *, signed_in: bool
) -> None:
    """HEAD has the status and headers of GET, also for refusals (RFC 9110 §9.3.2)."""
    who = token if signed_in else None
    got = desk.call("GET", known.address, token=who, query_string=known.query)
    head = desk.call("HEAD", known.address, token=who, query_string=known.query)

    assert got.status_code == head.status_code
    assert head.content == b""
    theirs = {name: text for name, text in got.headers.items() if name not in PASSING}
    ours = {name: text for name, text in head.headers.items() if name not in PASSING}
    # A streamed answer has no length in advance.
    assert theirs == ours


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_head_asks_for_health_too(desk: Desk, path: str) -> None:
    """Monitors and load balancers often use HEAD."""
    assert desk.client.simulate_head(path).status_code == 200


def test_head_of_a_photo_opens_no_file(desk: Desk) -> None:
    """Length and type come from the file's size and name."""
    name = f"{'a' * 64}.jpg"
    folder = desk.application.settings.media_dir
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(b"photo")

    head = desk.client.simulate_head(f"/media/{name}")

    assert (head.status_code, head.headers["content-length"], head.content) == (200, "5", b"")
    assert desk.client.simulate_get(f"/media/{name}").content == b"photo"


@pytest.mark.parametrize("known", CALLS, ids=lambda call: f"{call.method} {call.path}")
def test_options_and_405_name_the_methods(desk: Desk, known: Known) -> None:
    """Allow lists the methods, including that of the call in spec §7."""
    options = desk.call("OPTIONS", known.address)
    refused = desk.call("PATCH", known.address)

    assert options.status_code == 200
    assert known.method in options.headers["allow"].split(", ")
    assert (refused.status_code, refused.json["code"]) == (405, "method_not_allowed")
    assert known.method in refused.headers["allow"].split(", ")
    assert ("HEAD" in refused.headers["allow"]) is ("GET" in refused.headers["allow"])


def test_no_cache_keeps_an_answer_that_brings_a_token(desk: Desk) -> None:
    """Answers to joining, signing in and all other non-GET calls are no-store."""
    form = registration()
    joined = desk.post("/register", form)
    credentials = {"email": form["email"], "password": form["password"]}
    signed_in = desk.post("/user/login", credentials)

    assert {joined.status_code, signed_in.status_code} == {201, 200}
    assert {answer.headers["cache-control"] for answer in (joined, signed_in)} == {"no-store"}


@pytest.mark.parametrize(
    ("method", "path", "body", "field", "sentence"),
    [
        ("PUT", "/user/update-subscription", {"subscriptionAmount": 4}, None, "smallest pledge"),
        (
            "PUT",
            "/user/update-subscription",
            {"subscriptionAmount": True},
            None,
            "subscriptionAmount: This must be a number or text.",
        ),
        ("PUT", "/user/update-subscription", {"subscriptionAmount": "9" * 50}, None, "too long"),
        ("PUT", "/user/pledge", {"subscriptionAmount": 1000}, None, "largest pledge"),
        ("PUT", "/user/pledge", {"billingDay": "15"}, None, "not a payment day"),
        ("PUT", "/user/pledge", {"billingDay": []}, None, "a number or text"),
        ("PUT", "/user/pledge", {"canceled": False}, None, "This must be true."),
        ("PUT", "/user/update-profile", {"email": "bad"}, None, "is not an email address"),
        ("POST", "/newsletter", {"email": "bad"}, None, "is not an email address"),
        (
            "POST",
            "/gifts",
            {"amountCents": 99, "email": "a@example.org", "paymentMethodId": "pm_card_visa"},
            "amountCents",
            "This must be 100 or more.",
        ),
        (
            "POST",
            "/gifts",
            {"amountCents": 10**9, "email": "a@example.org", "paymentMethodId": "pm_card_visa"},
            "amountCents",
            "This must be 99999900 or less.",
        ),
    ],
)
def test_a_wrong_field_is_named(
    desk: Desk,
    token: str,
    method: str,
    path: str,
    body: dict[str, object],
    field: str | None,
    sentence: str,
) -> None:
    """The error is 422 with the field and the reason, in words for a member."""
    answer = desk.call(method, path, body, token=token)

    name = field or next(iter(body))
    assert (answer.status_code, set(answer.json["fields"])) == (422, {name})
    assert sentence in answer.json["message"]
    assert answer.json["fields"][name] in answer.json["message"]


def test_a_malformed_idempotency_key_is_named(desk: Desk) -> None:
    """The error's fields contain the header's name."""
    answer = desk.post("/register", registration(), headers={"Idempotency-Key": "short"})

    assert (answer.status_code, set(answer.json["fields"])) == (422, {"Idempotency-Key"})


def test_counts_are_shown_to_the_networks_that_are_configured(place: Path) -> None:
    """Metrics are for this machine and `JARA_METRICS_NETWORKS`; trusted proxies are believed."""
    desk = open_desk(place, metrics_networks="192.0.2.0/24", trusted_proxies="10.0.0.1")

    def ask(peer: str, forwarded: str | None = None) -> int:
        headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
        answer = desk.client.simulate_get("/metrics", remote_addr=peer, headers=headers)
        return answer.status_code

    assert [ask(peer) for peer in ("127.0.0.1", "192.0.2.7", "198.51.100.7")] == [200, 200, 404]
    assert [ask("10.0.0.1", client) for client in ("192.0.2.7", "198.51.100.7")] == [200, 404]
    assert ask("198.51.100.7", "192.0.2.7") == 404
