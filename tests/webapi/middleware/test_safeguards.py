"""What surrounds every call: headers, the cache, the log, failures."""

import io
import json
import logging
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from falcon import testing
from prometheus_client import CollectorRegistry

from jara.domain.errors import Conflict, JaraError, NotFound, Unavailable
from jara.files.drawing_turns import Turns
from jara.services.reports.figures import site_figures
from jara.store.store import Store
from jara_webapi.app import create_app
from jara_webapi.middleware.request_metrics import RequestMetrics, log_to
from jara_webapi.middleware.response_cache import PublicDataCache
from jara_webapi.server.background_tasks import MetricsTask
from tests.webapi.desk import PASSWORD, Desk, later, open_desk, registration
from tests.webapi.pages.site_world import open_site


def test_every_answer_carries_the_security_headers(desk: Desk) -> None:
    """Successful, failed and not-found answers have the headers."""
    for path in ("/config", "/none", "/user/get-profile"):
        headers = desk.get(path).headers

        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith(
            "default-src 'none'; script-src 'self'"
        )
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["cross-origin-opener-policy"] == "same-origin-allow-popups"
        assert {"referrer-policy", "permissions-policy", "x-request-id"} <= set(headers)
        assert "access-control-allow-origin" not in headers
        assert "strict-transport-security" not in headers


def test_cors_and_hsts_are_as_configured(place: Path) -> None:
    """Only the configured origin may call, with its token; HSTS is sent if the site uses TLS."""
    desk = open_desk(place, cors_origins="https://jara.example", site_url="https://jara.example")
    ours = {"Origin": "https://jara.example"}
    before = desk.call(
        "OPTIONS", "/user/votes", headers={**ours, "Access-Control-Request-Method": "POST"}
    )
    asked = desk.get("/config", headers=ours)
    other = desk.get("/config", headers={"Origin": "https://evil.example"})

    assert before.status_code == 204
    assert "token" in before.headers["access-control-allow-headers"]
    assert asked.headers["access-control-allow-origin"] == "https://jara.example"
    assert "token" in asked.headers["access-control-expose-headers"]
    assert "access-control-allow-origin" not in other.headers
    assert all("Origin" in answer.headers["vary"] for answer in (asked, other))
    assert asked.headers["strict-transport-security"].startswith("max-age=")


def test_a_valid_request_id_is_reused(desk: Desk) -> None:
    """A valid request id of a proxy is used; an invalid one is replaced."""
    given = desk.get("/config", headers={"X-Request-Id": "proxy-0123456789"})
    odd = desk.get("/config", headers={"X-Request-Id": "a b\tc"})

    assert given.headers["x-request-id"] == "proxy-0123456789"
    assert len(odd.headers["x-request-id"]) == 32


def test_the_memory_of_answers_is_bounded(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests with ever-new parameters cannot fill the memory."""
    monkeypatch.setattr("jara_webapi.middleware.response_cache.ENTRIES_MAX", 2)
    cache: PublicDataCache[int] = PublicDataCache(desk.application)
    for number in range(5):
        cache.get(number, time.monotonic(), lambda: 1)
    stored = [key for key in range(5) if cache.find(key, 0.0)]

    assert stored == [3, 4]


def test_chosen_values_push_out_no_shared_answer(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever follows a thousand amounts does not make the home page slower for others."""
    monkeypatch.setattr("jara_webapi.middleware.response_cache.ENTRIES_MAX", 2)
    desk, made = open_desk(place), []

    def counting(context: Any) -> object:
        made.append(context)
        return site_figures(context)

    monkeypatch.setattr("jara_webapi.resources.reports.site_figures", counting)
    desk.get("/user/all-users")
    for cents in range(1000, 1010):
        assert desk.get("/follow", query_string=f"cents={cents}").status_code == 200
    desk.get("/user/all-users")

    assert len(made) == 1


@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        ("/api/follow?cents=1234", (503, 200)),
        ("/api/projects/none", (503, 404)),
        ("/embed/projects/none", (503, 404)),
        ("/previews/follow/2026-10-1000.png", (503, 404)),
        ("/projects/school", (200, 200)),
        ("/api/user/all-users", (200, 200)),
    ],
)
def test_few_chosen_values_are_computed_at_once(
    place: Path, path: str, statuses: tuple[int, int]
) -> None:
    """Beyond them a visitor comes again; a page is sent without data, shared answers go on."""
    site = open_site(place)
    turns = site.desk.application.value_turns
    path, _, query = path.partition("?")
    with ExitStack() as stack:
        while turns._places.acquire(blocking=False):
            stack.callback(turns._places.release)
        busy = site.client.simulate_get(path, query_string=query)
    free = site.client.simulate_get(path, query_string=query)

    assert (busy.status_code, free.status_code) == statuses
    assert ("retry-after" in busy.headers) is (busy.status_code == 503)
    assert turns._places.acquire(blocking=False)


@pytest.mark.parametrize(
    ("turns", "path", "body", "status"),
    [
        ("giving_turns", "/register", registration(), 201),
        ("giving_turns", "/gifts", {"amountCents": 1500, "paymentMethodId": "pm_card_visa"}, 201),
        ("mail_turns", "/user/forgot-password", {}, 202),
        ("mail_turns", "/newsletter", {}, 200),
        ("sign_in_turns", "/user/login", {"password": PASSWORD}, 401),
        ("own_file_turns", "/user/statement.html", None, 200),
        ("own_file_turns", "/user/export", None, 200),
    ],
)
def test_few_costly_requests_are_carried_out_at_once(
    place: Path, turns: str, path: str, body: dict[str, object] | None, status: int
) -> None:
    """Beyond a few, one is refused at once and may come again; others are served."""
    desk = open_desk(place)
    queue: Turns = getattr(desk.application, turns)
    method = "GET" if body is None else "POST"
    form = {"email": "kofi@example.org", **body} if body is not None else None
    token = desk.join() if body is None else None
    with ExitStack() as stack:
        while queue._places.acquire(blocking=False):
            stack.callback(queue._places.release)
        busy = desk.call(method, path, form, token=token)
        other = desk.get("/config")

    assert (busy.status_code, busy.json["code"], other.status_code) == (503, "busy", 200)
    assert "retry-after" in busy.headers
    assert desk.call(method, path, form, token=token).status_code == status


def test_a_token_is_renewed_in_a_header(place: Path) -> None:
    """If less than half of its life is left, the answer contains a new token."""
    desk = open_desk(place)
    token = desk.join()
    assert "token" not in desk.get("/user/get-profile", token=token).headers
    later(desk, hours=7)
    renewed = desk.get("/user/get-profile", token=token).headers["token"]
    later(desk, hours=6)

    assert desk.get("/user/get-profile", token=token).status_code == 401
    assert desk.get("/user/get-profile", token=renewed).status_code == 200
    assert "token" not in desk.post("/user/logout", token=renewed).headers


def test_a_defect_is_told_without_a_traceback(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is 500 with the request id; the log has the rest on one line."""
    stream = io.StringIO()
    log_to(stream)

    def broken(_context: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("jara_webapi.resources.reports.site_figures", broken)
    answer = desk.get("/user/all-users", query_string="n=broken")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    logging.getLogger("jara.web").handlers.clear()

    assert (answer.status_code, answer.json["code"]) == (500, "internal_error")
    assert "secret" not in answer.text
    assert answer.headers["x-request-id"] in answer.json["message"]
    assert any("secret detail" in line.get("traceback", "") for line in lines)


@pytest.mark.parametrize(
    ("error", "status"),
    [(Unavailable("The database is locked."), 503), (ConnectionResetError("slow"), 408)],
)
def test_outside_failures_have_their_own_statuses(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    """A database failure is 503 with Retry-After; an incomplete request is 408."""

    def failing(_context: object) -> None:
        raise error

    monkeypatch.setattr("jara_webapi.resources.reports.site_figures", failing)
    answer = desk.get("/user/all-users", query_string=f"n={status}")

    assert answer.status_code == status
    assert ("retry-after" in answer.headers) is (status == 503)


def test_the_log_names_no_person_and_no_secret(place: Path) -> None:
    """Each request is one JSON line with the route, no query, and no member for a vote."""
    stream = io.StringIO()
    log_to(stream)
    desk, form = open_desk(place), registration(email="ama.mensah@example.org")
    token = desk.post("/register", form).json["token"]
    name = desk.open_vote()
    desk.post("/user/votes", {"id": name, "voteType": "upvote"}, token=token)
    desk.get("/ledger/transactions", token=token, query_string="q=ama.mensah@example.org")
    desk.get("/projects/ama.mensah@example.org")
    desk.client.simulate_get("/reset-password", query_string="code=abc")
    text = stream.getvalue()
    logging.getLogger("jara.web").handlers.clear()
    lines = [json.loads(line) for line in text.splitlines()]

    for secret in ("ama", PASSWORD, token, "pm_card", "code=", name):
        assert secret not in text
    assert [line["route"] for line in lines] == [
        "/api/register",
        "/api/user/votes",
        "/api/ledger/transactions",
        "/api/projects/{name}",
        "(website)",
    ]
    assert set(lines[1]) == {
        "time",
        "level",
        "message",
        "request",
        "method",
        "route",
        "status",
        "ms",
    }


def test_requests_are_logged_in_batches_and_none_is_lost(place: Path) -> None:
    """A request does not wait for its log line; the process flushes all lines at its end."""
    stream, desk = io.StringIO(), open_desk(place)
    log_to(stream)
    registry = CollectorRegistry()
    metrics = RequestMetrics(registry, buffered=True)
    client = testing.TestClient(create_app(desk.application, metrics=metrics))
    task = MetricsTask(desk.application, metrics)

    names = [client.simulate_get("/healthz").headers["x-request-id"] for _ in range(2)]
    assert not stream.getvalue()
    metrics.flush()
    names.append(client.simulate_get("/healthz").headers["x-request-id"])
    task.start()
    task.stop()
    logging.getLogger("jara.web").handlers.clear()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]

    assert names == [line["request"] for line in lines]
    assert [line["route"] for line in lines] == ["/healthz"] * 3
    labels = {"method": "GET", "route": "/healthz", "status": "200"}
    assert registry.get_sample_value("jara_http_requests_total", labels) == 3


def test_health_readiness_and_metrics_are_available(place: Path) -> None:
    """Health, readiness and, for this machine only, metrics are available."""
    desk = open_desk(place)
    registry = CollectorRegistry()
    app = create_app(desk.application, metrics=RequestMetrics(registry), shown=registry)
    client = testing.TestClient(app)
    assert client.simulate_get("/healthz").json == {"ok": True}
    assert client.simulate_get("/readyz").status_code == 200
    (desk.application.secrets.folder / "token.key").write_text("00" * 32)
    not_ready = client.simulate_get("/readyz")
    local = client.simulate_get("/metrics")

    assert (not_ready.status_code, not_ready.json["ok"]) == (503, False)
    assert str(desk.application.secrets.folder) not in not_ready.text
    assert 'route="/readyz",status="503"' in local.text
    assert client.simulate_get("/metrics", remote_addr="192.0.2.1").status_code == 404
    through = client.simulate_get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"})
    assert through.status_code == 404


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NotFound("There is no database /var/lib/jara/jara.db."), "There is no organisation."),
        (Conflict("The database /var/lib/jara/jara.db has an older version."), "does not fit"),
        (Unavailable("The key /var/lib/jara/jara.secrets/log.key is missing."), "cannot be used"),
    ],
)
def test_readiness_names_no_file(
    place: Path, caplog: pytest.LogCaptureFixture, error: JaraError, said: str
) -> None:
    """The public answer names no file; the log has the complete message."""
    desk = open_desk(place)

    class Broken(Store):
        """A store that raises on reading."""

        def read(self) -> Any:
            raise error

    context = replace(desk.application.context, store=Broken(desk.application.database))
    app = create_app(replace(desk.application, context=context))

    answer = testing.TestClient(app).simulate_get("/readyz")

    assert answer.status_code == 503
    assert said in answer.json["message"]
    assert "/var" not in answer.text
    assert error.message in caplog.text
