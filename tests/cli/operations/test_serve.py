"""Tests of `jara serve`: problems are reported in one line before the server starts."""

import os
import socket
import sys
from pathlib import Path

import pytest

from jara_cli.main import execute


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the arguments of the server process."""
    programs: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, arguments: programs.append(arguments))
    # The command writes the database to the environment; the test restores it.
    monkeypatch.setenv("JARA_DATABASE_URL", "")
    return programs


@pytest.mark.usefixtures("folder")
def test_there_must_be_a_database(
    begun: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a database, the exit status is 3, and the message names `jara init`."""
    assert execute(["serve"]) == 3
    assert "jara init" in capsys.readouterr().err
    assert begun == []


def test_a_port_that_is_taken_is_told(
    folder: Path, begun: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A port in use gives exit status 5, with host and port."""
    del folder
    assert execute(["init"]) == 0
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert execute(["serve", "--port", str(port)]) == 5
    assert f"cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err
    assert begun == []


@pytest.mark.usefixtures("folder", "begun")
@pytest.mark.parametrize("words", [["--port", "70000"], ["--port", "0"], ["--threads", "0"]])
def test_numbers_obey_their_rules(words: list[str]) -> None:
    """An invalid number gives exit status 2."""
    assert execute(["serve", *words]) == 2


@pytest.mark.usefixtures("folder")
def test_the_server_runs_in_the_present(
    begun: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Another time is refused, not forgotten."""
    assert execute(["init"]) == 0
    assert execute(["--now", "2100-01-01", "serve"]) == 2
    assert "--now is for other commands" in capsys.readouterr().err
    assert begun == []


def test_the_process_becomes_the_server(
    folder: Path, begun: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The server gets the command's database, settings file and numbers."""
    (folder / "my.toml").write_text("")
    assert execute(["--db", "own.db", "init"]) == 0
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    words = ["--db", "own.db", "--config", "my.toml", "serve", "--port", port, "--workers", "3"]
    assert execute(words) == 0

    assert f"http://127.0.0.1:{port}" in capsys.readouterr().err
    assert begun == [
        [
            *(sys.executable, "-m", "jara_webapi", "--host", "127.0.0.1", "--port", port),
            *("--workers", "3", "--threads", "8", "--config", str(folder / "my.toml")),
        ]
    ]
    assert os.environ["JARA_DATABASE_URL"] == f"sqlite:///{folder / 'own.db'}"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "give.example.org"])  # noqa: S104 - to be refused
def test_a_public_address_needs_a_proxy(
    begun: list[list[str]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    host: str,
) -> None:
    """Slow clients can block a server without a proxy, so the operator must confirm the proxy."""
    monkeypatch.setattr("jara_cli.commands.serve.require_free", lambda _place: None)
    monkeypatch.setenv("JARA_PUBLIC_SANDBOX", "true")
    assert execute(["init"]) == 0

    assert execute(["serve", "--host", host]) == 4
    told = capsys.readouterr().err
    assert begun == []
    assert execute(["serve", "--host", host, "--behind-proxy"]) == 0

    assert "docs/deploy/nginx.conf" in told
    assert "--behind-proxy" in told
    assert "--behind-proxy" in begun[0]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost"])
def test_this_machine_needs_no_proxy(
    begun: list[list[str]], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """A local address needs no proxy, because no other machine can reach it."""
    monkeypatch.setattr("jara_cli.commands.serve.require_free", lambda _place: None)
    monkeypatch.setenv("JARA_PUBLIC_SANDBOX", "")
    assert execute(["init"]) == 0

    assert execute(["serve", "--host", host]) == 0

    assert len(begun) == 1
