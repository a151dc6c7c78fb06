"""`jara witness` and `jara proofs witnesses`."""

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
    assert execute(["init"]) == ExitCode.DONE
    return tmp_path


def log_key() -> str:
    """Return the published key of the organisation's log."""
    return verification_key(build_from_environ(os.environ).context).text()


@pytest.fixture
def url() -> Iterator[str]:
    """The URL of a witness that follows the organisation's log."""
    assert execute(["witness", "init", NAME, "--log", log_key()]) == ExitCode.DONE
    cosigner = open_cosigner(Path("jara-witness"))
    with served(create_witness_app(cosigner)) as address:
        yield address


def read(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """Run a command with --json and return its document."""
    capsys.readouterr()
    assert execute([*words, "--json"]) == ExitCode.DONE
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_a_witness_has_a_private_key_and_is_made_once(folder: Path) -> None:
    """The key file has mode 0600 and its folder 0700; a second run keeps it."""
    assert execute(["witness", "init", NAME]) == ExitCode.DONE

    place = folder / "jara-witness"
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (place, place / "witness.key")]
    assert modes == [0o700, 0o600]
    assert execute(["witness", "init", NAME]) == ExitCode.CONFLICT


def test_a_key_without_its_state_signs_nothing(folder: Path) -> None:
    """A key without its state is refused; after losing the state, a new witness is needed."""
    assert execute(["witness", "init", NAME]) == ExitCode.DONE
    (folder / "jara-witness" / "witness.db").unlink()

    assert execute(["witness", "serve"]) == ExitCode.NOT_FOUND
    assert execute(["witness", "status"]) == ExitCode.NOT_FOUND
    assert execute(["witness", "init", NAME]) == ExitCode.CONFLICT


def test_logs_are_added_later(capsys: pytest.CaptureFixture[str]) -> None:
    """A log is added by its key; other text is refused."""
    assert execute(["witness", "init", NAME]) == ExitCode.DONE
    assert execute(["witness", "add", log_key()]) == ExitCode.DONE

    (log,) = read(capsys, "witness", "status")["logs"]
    assert (log["size"], log["seenAt"]) == (0, None)
    assert execute(["witness", "add", "no key"]) == ExitCode.USAGE
    assert execute(["witness", "add", "http://127.0.0.1:1"]) == ExitCode.UNAVAILABLE


def test_a_witness_sees_each_checkpoint(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A witness cosigns checkpoints after it is added; the terminal shows how many saw the log."""
    key = str(read(capsys, "witness", "status")["key"])
    assert execute(["proofs", "checkpoint"]) == ExitCode.DONE
    assert execute(["proofs", "witnesses", "add", url, key]) == ExitCode.DONE

    status = read(capsys, "proofs", "status")
    assert tuple(status[name] for name in ("seen", "of", "quorum", "witnessedSize")) == (
        1,
        1,
        1,
        status["size"],
    )
    assert execute(["run", "daily"]) == ExitCode.DONE
    (log,) = read(capsys, "witness", "status")["logs"]
    assert read(capsys, "proofs", "status")["witnessedSize"] == log["size"]


def test_a_witness_that_is_away_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The checkpoint is still created, and the unreachable witness is named."""
    assert execute(["witness", "init", NAME]) == ExitCode.DONE
    key = str(read(capsys, "witness", "status")["key"])
    assert execute(["proofs", "witnesses", "add", "http://127.0.0.1:1", key]) == ExitCode.DONE
    assert execute(["proofs", "checkpoint"]) == ExitCode.DONE

    assert f"The witness {NAME} cannot be reached" in capsys.readouterr().err
    assert execute(["proofs", "status"]) == ExitCode.DONE
    assert "0 of 1" in capsys.readouterr().out
    assert execute(["proofs", "witnesses", "quorum", "1"]) == ExitCode.DONE
    assert execute(["proofs", "witnesses", "list"]) == ExitCode.DONE
    assert NAME in capsys.readouterr().out
    assert execute(["proofs", "witnesses", "remove", NAME]) == ExitCode.DONE
    assert execute(["proofs", "witnesses", "remove", NAME]) == ExitCode.NOT_FOUND


def test_the_process_becomes_the_witness(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server listens on this machine, or behind a proxy."""
    begun: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, arguments: begun.append(arguments))
    assert execute(["witness", "init", NAME]) == ExitCode.DONE

    assert execute(["witness", "serve", "--host", "0.0.0.0"]) == ExitCode.CONFLICT  # noqa: S104 - refused
    port = str(free_port())
    assert execute(["witness", "serve", "--port", port]) == ExitCode.DONE

    place = str(folder / "jara-witness")
    words = ["-m", "jara_webapi.witness", "--folder", place, "--host", "127.0.0.1", "--port"]
    assert begun == [[sys.executable, *words, port]]
    assert f"{NAME} is at http://127.0.0.1:{port}" in capsys.readouterr().err
