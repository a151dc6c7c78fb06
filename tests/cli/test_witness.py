"""`jara witness` and `jara proofs witnesses`."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jara.bootstrap import build_from_environ
from jara.bootstrap.witness import open_cosigner
from jara.services.log_keys import verification_key
from jara_cli.exits import ExitCode
from jara_cli.main import execute
from jara_webapi.witness import create_witness_app
from tests.fakes.witness_servers import served
from tests.journeys.live_server import free_port

NAME = "w.example/1"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with an organisation."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("JARA_"):
            monkeypatch.delenv(name)
    assert ExitCode.DONE == execute(["init"])
    return tmp_path


def log_key() -> str:
    """Return the published key of the organisation's log."""
    return verification_key(build_from_environ({}).context).text()


@pytest.fixture
def url() -> Iterator[str]:
    """The URL of a witness that follows the organisation's log."""
    assert ExitCode.DONE == execute(["witness", "init", NAME, "--log", log_key()])
    cosigner = open_cosigner(Path("jara-witness"))
    with served(create_witness_app(cosigner)) as address:
        yield address


def read(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """Run a command with --json and return its document."""
    capsys.readouterr()
    assert ExitCode.DONE == execute([*words, "--json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_a_witness_has_a_private_key_and_is_made_once(folder: Path) -> None:
    """The key file has mode 0600 and its folder 0700; a second run keeps it."""
    assert ExitCode.DONE == execute(["witness", "init", NAME])

    place = folder / "jara-witness"
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (place, place / "witness.key")]
    assert [0o700, 0o600] == modes
    assert ExitCode.CONFLICT == execute(["witness", "init", NAME])


def test_a_key_without_its_state_signs_nothing(folder: Path) -> None:
    """A key without its state is refused; after losing the state, a new witness is needed."""
    assert ExitCode.DONE == execute(["witness", "init", NAME])
    (folder / "jara-witness" / "witness.db").unlink()

    assert ExitCode.NOT_FOUND == execute(["witness", "serve"])
    assert ExitCode.NOT_FOUND == execute(["witness", "status"])
    assert ExitCode.CONFLICT == execute(["witness", "init", NAME])


def test_logs_are_added_later(capsys: pytest.CaptureFixture[str]) -> None:
    """A log is added by its key; other text is refused."""
    assert ExitCode.DONE == execute(["witness", "init", NAME])
    assert ExitCode.DONE == execute(["witness", "add", log_key()])

    (log,) = read(capsys, "witness", "status")["logs"]
    assert (0, None) == (log["size"], log["seenAt"])
    assert ExitCode.USAGE == execute(["witness", "add", "no key"])
    assert ExitCode.UNAVAILABLE == execute(["witness", "add", "http://127.0.0.1:1"])


def test_a_witness_sees_each_checkpoint(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A witness cosigns checkpoints after it is added; the terminal shows how many saw the log."""
    key = str(read(capsys, "witness", "status")["key"])
    assert ExitCode.DONE == execute(["proofs", "checkpoint"])
    assert ExitCode.DONE == execute(["proofs", "witnesses", "add", url, key])

    status = read(capsys, "proofs", "status")
    assert (1, 1, 1, status["size"]) == tuple(
        status[name] for name in ("seen", "of", "quorum", "witnessedSize")
    )
    assert ExitCode.DONE == execute(["run", "daily"])
    (log,) = read(capsys, "witness", "status")["logs"]
    assert read(capsys, "proofs", "status")["witnessedSize"] == log["size"]


def test_a_witness_that_is_away_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The checkpoint is still created, and the unreachable witness is named."""
    assert ExitCode.DONE == execute(["witness", "init", NAME])
    key = str(read(capsys, "witness", "status")["key"])
    assert ExitCode.DONE == execute(["proofs", "witnesses", "add", "http://127.0.0.1:1", key])
    assert ExitCode.DONE == execute(["proofs", "checkpoint"])

    assert f"The witness {NAME} cannot be reached" in capsys.readouterr().err
    assert ExitCode.DONE == execute(["proofs", "status"])
    assert "0 of 1" in capsys.readouterr().out
    assert ExitCode.DONE == execute(["proofs", "witnesses", "quorum", "1"])
    assert ExitCode.DONE == execute(["proofs", "witnesses", "list"])
    assert NAME in capsys.readouterr().out
    assert ExitCode.DONE == execute(["proofs", "witnesses", "remove", NAME])
    assert ExitCode.NOT_FOUND == execute(["proofs", "witnesses", "remove", NAME])


def test_the_process_becomes_the_witness(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server listens on this machine, or behind a proxy."""
    begun: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, arguments: begun.append(arguments))
    assert ExitCode.DONE == execute(["witness", "init", NAME])

    assert ExitCode.CONFLICT == execute(["witness", "serve", "--host", "0.0.0.0"])  # noqa: S104 - refused
    port = str(free_port())
    assert ExitCode.DONE == execute(["witness", "serve", "--port", port])

    place = str(folder / "jara-witness")
    words = ["-m", "jara_webapi.witness", "--folder", place, "--host", "127.0.0.1", "--port"]
    assert [[sys.executable, *words, port]] == begun
    assert f"{NAME} is at http://127.0.0.1:{port}" in capsys.readouterr().err
