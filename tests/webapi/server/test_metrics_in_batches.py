"""Requests that are written down together are counted one by one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from falcon import testing
from prometheus_client import CollectorRegistry

from jara_webapi.app import create_app
from jara_webapi.middleware.request_metrics import Observing
from tests.webapi.desk import open_desk


def test_each_request_of_a_round_counts(tmp_path: Path) -> None:
    """Two rounds add up, and requests of another route or status are counted apart."""
    registry = CollectorRegistry()
    observing = Observing(registry, now=lambda: datetime(2026, 11, 20, tzinfo=UTC), held=True)
    client = testing.TestClient(create_app(open_desk(tmp_path).application, observing=observing))

    def counted(route: str, status: str) -> float | None:
        names = {"method": "GET", "route": route, "status": status}
        return registry.get_sample_value("jara_http_requests_total", names)

    for path in ("/healthz", "/healthz", "/readyz", "/api/user/get-profile"):
        client.simulate_get(path)
    assert counted("/healthz", "200") is None
    observing.write_down()
    client.simulate_get("/healthz")
    observing.write_down()
    observing.write_down()

    assert (3, 1) == (counted("/healthz", "200"), counted("/readyz", "200"))
    assert 1 == counted("/api/user/get-profile", "401")
    of_route = {"route": "/healthz"}
    assert 3 == registry.get_sample_value("jara_http_request_seconds_count", of_route)
