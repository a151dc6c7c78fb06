"""The web API against bare Falcon, raw SQLite and bare argon2, in one run (W1, W2, W4, V2, P1).

Server and peer are pressed in turn by wrk at 32 connections, on the same two processes of
eight threads; a line gives the median of the ratios of the rounds, and the goal.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest
from pysqlite3 import dbapi2 as sqlite3

from jara.security.passwords import ArgonHasher
from tests.faults.fault_world import Server, Voter, add_voters, found, put_to_vote, serving
from tests.journeys.live_server import free_port
from tests.webapi.desk import PASSWORD, registration

ROUNDS = 5
SECONDS = 2
VOTES = int(os.environ.get("JARA_BENCH_VOTES", "600"))
"""Of one round; each is another member's."""

SIGN_INS = 60
MIB = 1024 * 1024
_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(frozen=True)
class Pressed:
    """What wrk saw."""

    per_second: float
    p99_ms: float
    refused: int


@dataclass(frozen=True)
class Stage:
    """Our server with its organisation, and the bare one beside it."""

    server: Server
    bare: str
    voters: list[Voter]
    proposals: list[str]
    folder: Path


def press(address: str, *, token: str | None = None, seconds: int = SECONDS) -> Pressed:
    """Ask for an address with 32 connections."""
    headers = ["-H", f"token: {token}"] if token else []
    command = ["wrk", "-t1", "-c32", f"-d{seconds}s", "--timeout", "10s", "--latency", *headers]
    said = subprocess.run([*command, address], capture_output=True, text=True, check=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    slow = re.search(r"^\s+99%\s+([\d.]+)(us|ms|s|m)\s*$", said, re.MULTILINE)
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    assert rate is not None, said
    assert slow is not None, said
    p99_ms = float(slow[1]) * _MILLISECONDS[slow[2]]
    return Pressed(float(rate[1]), p99_ms, int(bad[1]) if bad else 0)


def report(line: str) -> None:
    """Print a figure."""
    sys.stdout.write(f"\n{line}\n")


@contextmanager
def bare_server(folder: Path) -> Iterator[str]:
    """Serve bare Falcon under our gunicorn settings."""
    port = free_port()
    program = str(Path(__file__).with_name("bare_web.py"))
    process = subprocess.Popen([sys.executable, program, str(port), str(folder / "bare.db")])
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/read")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            with urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"nobody answers at {address}")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Members, votes, and both servers."""
    folder = tmp_path_factory.mktemp("web")
    application = found(folder)
    voters = add_voters(application, VOTES)
    proposals = [put_to_vote(application, f"vote-{number}") for number in range(ROUNDS + 1)]
    application.context.store.close()
    generous = {f"JARA_LIMIT_{name}": "1000000/h" for name in ("VOTE_MEMBER", "SIGN_IN_ACCOUNT")}
    with serving(folder, **generous) as server, bare_server(folder) as bare:
        yield Stage(server, bare, voters, proposals, folder)


@pytest.mark.parametrize(
    ("goal", "path", "peer", "signed", "wanted"),
    [
        ("W1 public GET", "/user/get-cash-overviews", "/media", False, 0.9),
        ("W1 public GET", "/user/get-proposals", "/media", False, 0.9),
        ("W2 member GET", "/user/votes", "/read", True, 0.75),
        ("W2 member GET", "/user/get-profile", "/read", True, 0.75),
    ],
)
def test_reading(
    stage: Stage, goal: str, path: str, peer: str, signed: bool, wanted: float
) -> None:
    """A reading call against the same request on bare Falcon."""
    ours = f"http://127.0.0.1:{stage.server.port}/api{path}"
    token = stage.voters[0].token if signed else None
    press(ours, token=token, seconds=1)
    press(f"{stage.bare}{peer}", seconds=1)
    rounds = [(press(ours, token=token), press(f"{stage.bare}{peer}")) for _ in range(ROUNDS)]

    ratio = statistics.median(own.per_second / other.per_second for own, other in rounds)
    own = statistics.median(one.per_second for one, _ in rounds)
    p99_ms = statistics.median(one.p99_ms for one, _ in rounds)
    report(f"{goal} {path}: {ratio:.2f} x bare (goal {wanted}); {own:,.0f}/s, p99 {p99_ms:.0f} ms")
    assert [0] * ROUNDS == [one.refused for one, _ in rounds]
