"""`jara serve` says what is missing on a site that others can reach."""

import json
import os
from pathlib import Path

import pytest

from jara_cli.main import execute
from tests.journeys.live_server import serve

ALL = ["payments", "site", "proxies", "mail", "legal", "operators", "daily", "backup"]
PUBLIC = {
    "JARA_PUBLIC_SANDBOX": "true",
    "JARA_SITE_URL": "https://give.example.org",
    "JARA_TRUSTED_PROXIES": "127.0.0.1",
    "JARA_SMTP_URL": "smtp://127.0.0.1:9",
    "JARA_MAIL_FROM": "hello@give.example.org",
}


@pytest.fixture
def folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without settings; the server itself is not started."""
    monkeypatch.setattr(os, "execv", lambda _path, _arguments: None)
    monkeypatch.setattr("jara_cli.commands.serve.require_free", lambda _place: None)
    monkeypatch.setenv("JARA_DATABASE_URL", "")  # the command writes it; the test restores it
    return folder


def missing(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Return the names of what `jara serve` says is missing."""
    capsys.readouterr()
    assert execute(["serve", *words]) == 0
    lines = capsys.readouterr().err.splitlines()
    return [line.strip().partition(":")[0] for line in lines if line.startswith("  ")]


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])  # noqa: S104 - behind a proxy
@pytest.mark.usefixtures("folder")
def test_a_new_site_in_the_open_lacks_everything(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Each thing is said in one line; a proxy on this machine opens the site too."""
    monkeypatch.setenv("JARA_PUBLIC_SANDBOX", "true")
    assert execute(["init"]) == 0

    assert missing(capsys, "--host", host, "--behind-proxy") == ALL


@pytest.mark.usefixtures("folder")
def test_existing_settings_are_not_listed_as_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With TLS, mail, a proxy, a daily run and a backup, what is left is said."""
    for name, value in PUBLIC.items():
        monkeypatch.setenv(name, value)
    assert execute(["init"]) == 0
    assert execute(["organisation", "set", "--address", "1 Main Street"]) == 0
    assert missing(capsys) == ["payments", "legal", "operators", "daily", "backup"]

    for words in (["run", "daily"], ["backup", "first.backup"]):
        assert execute(words) == 0

    assert missing(capsys) == ["payments", "legal", "operators"]


@pytest.mark.usefixtures("folder")
def test_nothing_is_missing_on_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    """A server that only this machine reaches says nothing of it."""
    assert execute(["init"]) == 0

    assert missing(capsys) == []


def test_the_log_says_it_once(tmp_path: Path, programs: Path) -> None:
    """The server's log has a line for each, whatever the number of processes."""
    open_to_all = {"JARA_PUBLIC_SANDBOX": "true", "JARA_SITE_URL": "http://give.example.org"}
    with serve(tmp_path, [str(programs / "jara")], **open_to_all) as on:
        lines = on.log.read_text("utf-8").splitlines()

    logged = [json.loads(line) for line in lines if line.startswith("{")]
    assert [line["check"] for line in logged if "check" in line] == ALL
