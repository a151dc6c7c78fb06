"""Stripe webhooks over HTTP: forged ones write nothing, valid ones are processed later."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from falcon import testing
from prometheus_client import CollectorRegistry

from jara.domain.errors import Unavailable
from jara.services.operations.payment_account import set_up_account
from jara_webapi.app import create_app
from jara_webapi.middleware.request_metrics import RequestMetrics
from jara_webapi.server.background_tasks import EventTask, start_tasks
from tests.payments.webhook_forgeries import FORGERIES, NO_EVENTS, event_document, sign
from tests.places import NewPlace, rows_of
from tests.sizes import wait_until
from tests.stripe_double.routes import ACCOUNT_ID
from tests.webapi.calls import CALLS, LIVE_CALLS, SANDBOX_CALLS, served_calls
from tests.webapi.desk import Desk
from tests.webapi.payments.live_desk import LiveDesk, open_live_desk


@pytest.fixture(scope="module")
def live(new_place: NewPlace) -> Iterator[LiveDesk]:
    """An organisation with live payments; tests of this module share it."""
    with open_live_desk(new_place()) as opened:
        yield opened


def good_event(live: LiveDesk, **changes: object) -> tuple[bytes, str, int]:
    """Return a valid event with its signature, and the time."""
    now = int(live.clock.now().timestamp())
    body = json.dumps(event_document(live.world, **changes)).encode()
    return body, sign(body, now), now


def is_refused(live: LiveDesk, body: bytes, signature: str | None) -> None:
    """Assert that a delivery is refused in the standard error form, and writes nothing."""
    mark = rows_of(live.application.database)

    answer = live.deliver(body, signature)

    assert answer.status_code == 401, answer.text
    assert answer.json["success"] is False
    assert answer.json["message"] == answer.json["error"]
    assert re.fullmatch("[a-z][a-z0-9_]*", answer.json["code"])
    assert rows_of(live.application.database) == mark


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_webhooks_are_refused_and_write_nothing(live: LiveDesk, forgery: str) -> None:
    """Each kind is 401 in the standard form and writes no byte to the database."""
    assert len(FORGERIES) >= 20
    is_refused(live, *FORGERIES[forgery](*good_event(live)))


@pytest.mark.parametrize("body", NO_EVENTS)
def test_signed_nonsense_is_refused_too(live: LiveDesk, body: bytes) -> None:
    """A valid signature does not make nonsense an event."""
    is_refused(live, body, sign(body, int(live.clock.now().timestamp())))


def test_an_event_may_be_large_but_not_without_end(live: LiveDesk) -> None:
    """An event may exceed the limit of other calls, up to 1 MiB."""
    for size, status in ((900_000, 200), (1_048_577, 413)):
        body, signature, _ = good_event(live, id=f"evt_{size}", filling="x" * size)
        assert status == live.deliver(body, signature).status_code


def test_a_second_delivery_is_answered_alike(live: LiveDesk) -> None:
    """Both deliveries are answered with 200, and only the first is stored."""
    body, signature, _ = good_event(live, id="evt_twice")

    first = live.deliver(body, signature)
    mark = rows_of(live.application.database)
    second = live.deliver(body, signature)

    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json == second.json
    live.work()
    assert rows_of(live.application.database) != mark
    assert live.work().worked == 0


def test_each_kind_of_payments_has_its_own_calls(live: LiveDesk, desk: Desk) -> None:
    """Webhooks exist only with live payments, the sandbox calls only in the sandbox."""
    assert desk.post("/webhooks/stripe", {}).status_code == 404
    for path in ("confirm", "anything"):
        assert live.post(f"/sandbox/{path}", {"clientSecret": "x"}).status_code == 404
    assert live.get("/webhooks/paypal").status_code == 404
    assert live.get("/webhooks/stripe").status_code == 405


def test_every_route_of_live_payments_is_in_the_matrix(live: LiveDesk) -> None:
    """The route table, the matrix and the OpenAPI document list the same calls."""
    known = {
        (call.method, call.path, call.access)
        for call in (*CALLS, *LIVE_CALLS)
        if call not in SANDBOX_CALLS and call.path != "/openapi.json"
    }

    assert known == {*served_calls(live.application)}
    document = live.get("/openapi.json").json["paths"]["/api/webhooks/stripe"]["post"]
    assert [one["name"] for one in document["parameters"]] == ["Stripe-Signature"]
    assert document["requestBody"]["required"] is True
    assert {*document["responses"]} == {"200", "400", "401", "408", "413", "503"}
    assert "security" not in document


def test_a_full_database_is_a_reason_to_come_again(
    live: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an event cannot be stored, the answer is not 200, so Stripe sends it again."""

    def busy(*_arguments: object) -> None:
        raise Unavailable("The database is busy.")

    monkeypatch.setattr("jara_webapi.resources.giving.receive_event", busy)
    body, signature, _ = good_event(live, id="evt_busy")

    assert live.deliver(body, signature).status_code == 503


def test_events_are_worked_on_while_the_server_runs(place: Path) -> None:
    """A contribution is in the books soon after Stripe's event."""
    with open_live_desk(place) as live:
        assert live.register().status_code == 201
        live.world.double.advance(minutes=2)
        assert live.hear_all() > 3
        tasks = start_tasks(live.application, RequestMetrics(None))

        def is_booked() -> bool:
            with live.application.context.store.read() as work:
                return work.journal.newest() is not None

        try:
            assert [each.name for each in tasks] == ["log", "mail", "votes", "requests", "events"]
            wait_until(is_booked)
        finally:
            for each in tasks:
                each.stop()


def test_the_sandbox_has_no_thread_for_events(desk: Desk) -> None:
    """The sandbox has no webhooks and no thread for them."""
    tasks = start_tasks(desk.application, RequestMetrics(None))
    for each in tasks:
        each.stop()

    assert [each.name for each in tasks] == ["log", "mail", "votes", "requests"]


def test_a_failing_round_is_told(
    place: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log tells the operator why an event waits."""
    monkeypatch.setattr(logging.getLogger("jara.web"), "propagate", True)
    with open_live_desk(place) as live:
        body, signature, _ = good_event(live)
        assert live.deliver(body, signature).status_code == 200
        live.world.double.fault("GET /v1/balance_transactions", "500")
        task = EventTask(live.application, seconds=0.02)
        task.start()
        try:
            wait_until(lambda: "events failed" in caplog.text)
        finally:
            task.stop()

    assert "1 events failed:" in caplog.text


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"livemode": True}, "livemode"), ({"account": "acct_stranger"}, "account")],
)
def test_events_of_another_mode_or_account_are_refused_and_counted(
    live: LiveDesk, changes: dict[str, object], reason: str
) -> None:
    """Test events and events of other accounts are refused, even with a valid signature."""
    registry = CollectorRegistry()
    live.client = testing.TestClient(
        create_app(live.application, metrics=RequestMetrics(registry), shown=registry)
    )
    body, signature, _ = good_event(live, id=f"evt_{reason}", **changes)

    is_refused(live, body, signature)

    counted = live.client.simulate_get("/metrics").text
    assert f'jara_webhooks_refused_total{{reason="{reason}"}} 1.0' in counted


def test_an_event_of_the_own_account_is_taken(live: LiveDesk) -> None:
    """``jara stripe setup`` stores the account's id."""
    context = live.application.context
    set_up_account(context, live.application.live_payments().account)
    body, signature, _ = good_event(live, id="evt_own", account=ACCOUNT_ID)

    assert live.deliver(body, signature).status_code == 200


@pytest.mark.parametrize("livemode", [None, "false", 0])
def test_an_event_says_its_mode(live: LiveDesk, livemode: object) -> None:
    """An event without ``livemode`` is refused."""
    body, signature, _ = good_event(live, id="evt_no_mode", livemode=livemode)

    is_refused(live, body, signature)


@pytest.mark.parametrize(
    ("filling", "status"),
    [
        ("[" * 3000 + "]" * 3000, 401),
        ("[" * 25 + "]" * 25, 400),
        ('"\\ud800"', 400),
        ('"a\\u0000b"', 400),
        ('{"a": 1, "a": 2}', 400),
        ("NaN", 400),
        ("9" * 40, 400),
    ],
)
@pytest.mark.parametrize("field", ["id", "filling"])
def test_signed_json_that_is_refused_elsewhere_is_refused_here(
    live: LiveDesk, filling: str, status: int, field: str
) -> None:
    """JSON that other calls refuse is not stored; on PostgreSQL it would fail for ever."""
    mark = rows_of(live.application.database)
    body, _, now = good_event(live, **{field: "FILLING"})
    body = body.replace(b'"FILLING"', filling.encode())

    answer = live.deliver(body, sign(body, now))

    wanted = {status, 401} if field == "id" else {status}
    assert answer.status_code in wanted, answer.text
    assert answer.json["success"] is False
    assert rows_of(live.application.database) == mark
