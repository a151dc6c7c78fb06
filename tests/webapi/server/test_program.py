"""Tests of `python -m jara_webapi`, which makes the same checks as the command."""

import sys
from pathlib import Path

import pytest

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
