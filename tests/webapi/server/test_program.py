"""The ways to start the server check what the command checks."""

import importlib
import logging
import sys
from pathlib import Path

import pytest
from falcon import testing

from jara_cli.main import execute
from jara_webapi.__main__ import main


@pytest.mark.parametrize("words", [["--host", "0.0.0.0"], []])  # noqa: S104 - to be refused
def test_the_server_and_the_command_refuse_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """A public sandbox and an organisation of another mode are refused in one line."""
    monkeypatch.chdir(tmp_path)
    assert execute(["init"]) == 0
    if not words:
        monkeypatch.setenv("JARA_STRIPE_SECRET_KEY", "sk_live_x")
        monkeypatch.setenv("JARA_STRIPE_PUBLISHABLE_KEY", "pk_live_x")
        monkeypatch.setenv("JARA_STRIPE_WEBHOOK_SECRET", "whsec_Nobody7Kq2Zt9Vw4Lm1Xb6Hd3")
    monkeypatch.setattr(sys, "argv", ["jara_webapi", *words])

    with pytest.raises(SystemExit, match=r"error: .*sandbox"):
        main()


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
