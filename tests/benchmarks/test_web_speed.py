"""The web API under load: durable votes, and readers while others sign in (V2, P1).

wrk loads the server over 32 connections; it has two processes of eight threads.
"""

import re
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.sizes import VOTERS
from tests.faults.fault_world import Server, Voter, add_voters, found, put_to_vote, serving
from tests.webapi.desk import PASSWORD, registration

ROUNDS = 5
SECONDS = 2
_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(frozen=True)
class Pressed:
    """The results of wrk."""

    per_second: float
    p99_ms: float
    refused: int


@dataclass(frozen=True)
class Stage:
    """Jara's server with its organisation."""

    server: Server
    voters: list[Voter]
    proposals: list[str]
    folder: Path


def press(address: str, *options: str) -> Pressed:
    """Load an address over 32 connections."""
    command = ["wrk", "-t1", "-c32", f"-d{SECONDS}s", "--timeout", "10s", "--latency", *options]
    said = subprocess.run([*command, address], capture_output=True, text=True, check=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    slow = re.search(r"^\s+99%\s+([\d.]+)(us|ms|s|m)\s*$", said, re.MULTILINE)
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    assert rate is not None, said
    assert slow is not None, said
    p99_ms = float(slow[1]) * _MILLISECONDS[slow[2]]
    return Pressed(float(rate[1]), p99_ms, int(bad[1]) if bad else 0)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Create members and votes, and start the server."""
    folder = tmp_path_factory.mktemp("web")
    application = found(folder)
    voters = add_voters(application, VOTERS)
    proposals = [put_to_vote(application, f"vote-{number}") for number in range(ROUNDS + 1)]
    application.context.store.close()
    generous = {f"JARA_LIMIT_{name}": "1000000/h" for name in ("VOTE_MEMBER", "SIGN_IN_ACCOUNT")}
    with serving(folder, **generous) as server:
        yield Stage(server, voters, proposals, folder)


def test_voting(stage: Stage) -> None:
    """Durable votes through HTTP by 32 clients (V2)."""
    warm, *proposals = stage.proposals
    vote_all(stage, warm)
    rounds = [vote_all(stage, one) for one in proposals]

    rate = median_of([one.per_second for one in rounds], "votes/s", 0)
    saw("V2.tail", [one.p99_ms for one in rounds], rate)


def vote_all(stage: Stage, proposal: str) -> Pressed:
    """Vote as one member after another, over 32 connections."""
    tokens = stage.folder / "tokens.txt"
    tokens.write_text("".join(f"{voter.token}\n" for voter in stage.voters))
    script = stage.folder / "votes.lua"
    script.write_text(_VOTES_SCRIPT.format(tokens=tokens, proposal=proposal))
    address = f"http://127.0.0.1:{stage.server.port}/api/user/votes"
    pressed = press(address, "-s", str(script))
    assert pressed.refused == 0, "too few voters for this machine; raise JARA_BENCH_VOTERS"
    return pressed


_VOTES_SCRIPT = """
local tokens, last = {{}}, 0
for line in io.lines("{tokens}") do tokens[#tokens + 1] = line end
function request()
  last = math.min(last + 1, #tokens)
  local headers = {{["token"] = tokens[last], ["Content-Type"] = "application/json"}}
  return wrk.format("POST", nil, headers, '{{"id": "{proposal}", "voteType": "upvote"}}')
end
"""


def test_reading_while_others_sign_in(stage: Stage) -> None:
    """Hashing passwords leaves readers their turn (P1)."""
    form = registration()
    assert stage.server.live.call("POST", "/register", form).status == 201
    body = {"email": form["email"], "password": PASSWORD}

    def sign_in() -> None:
        while stage.server.live.call("POST", "/user/login", body).status != 200:
            time.sleep(0.01)  # the queue is full

    slower = [slowdown(stage, sign_in) for _ in range(ROUNDS)]
    medians = [median_of([each[which] * 1000 for each in slower], "ms", 1) for which in (1, 0)]
    ratios = [pressed / quiet for quiet, pressed in slower]
    saw("P1.reads", ratios, f"{medians[0]} for {medians[1]}, the median of 100 requests")


def slowdown(stage: Stage, sign_in: Callable[[], None]) -> tuple[float, float]:
    """Return the median seconds of a read: alone, and while others sign in."""
    ended = threading.Event()

    def keep_signing_in() -> None:
        while not ended.is_set():
            sign_in()

    def median_read() -> float:
        return statistics.median(_seconds_of_a_read(stage) for _ in range(100))

    quiet = median_read()
    with ThreadPoolExecutor(8) as pool:
        crowd = [pool.submit(keep_signing_in) for _ in range(8)]
        pressed = median_read()
        ended.set()
        for one in crowd:
            one.result()
    return quiet, pressed


def _seconds_of_a_read(stage: Stage) -> float:
    begin = time.perf_counter()
    assert stage.server.live.call("GET", "/user/get-cash-overviews").status == 200
    return time.perf_counter() - begin
