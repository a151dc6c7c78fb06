"""The entry point for an operator's own gunicorn."""

import importlib
import logging
from pathlib import Path

import pytest
from falcon import testing


def test_the_app_is_built_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is opened before the first request; without a database it is not ready."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JARA_DATABASE_URL", str(tmp_path / "jara.db"))
    module = importlib.import_module("jara_webapi.wsgi")
    client = testing.TestClient(module.app)
    health, ready = client.simulate_get("/healthz"), client.simulate_get("/readyz")
    logging.getLogger("jara.web").handlers.clear()

    assert (health.status_code, ready.status_code) == (200, 503)
    assert "There is no organisation." in ready.json["message"]
    assert str(tmp_path) not in ready.text
