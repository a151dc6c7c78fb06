"""The web API compared with bare Falcon, raw SQLite and bare argon2 (W1, W2, W4, V2, P1).

wrk loads server and peer in turn over 32 connections, each with two processes of eight threads.
Sometimes one process accepts all connections, which halves a server's rate. So there are many
short rounds, compared by rank: the best of one side with the best of the other.
"""

from __future__ import annotations

import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from pysqlite3 import dbapi2 as sqlite3

from jara.security.passwords import ArgonHasher
from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.sizes import VOTERS
from tests.faults.fault_world import Server, Voter, add_voters, found, put_to_vote, serving
from tests.journeys.live_server import free_port
from tests.webapi.desk import PASSWORD, registration

ROUNDS = 5
SECONDS = 2
READING_ROUNDS = 15
READING_SECONDS = 1
SIGN_INS = 60
MIB = 1024 * 1024
KIB_PER_MIB = 1024
_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(frozen=True)
class Pressed:
    """The results of wrk."""

    per_second: float
    p99_ms: float
    refused: int


@dataclass(frozen=True)
class Stage:
    """Jara's server with its organisation, and the bare server."""

    server: Server
    bare: str
    voters: list[Voter]
    proposals: list[str]
    folder: Path


def press(address: str, *options: str, seconds: int = SECONDS) -> Pressed:
    """Load an address over 32 connections."""
    command = ["wrk", "-t1", "-c32", f"-d{seconds}s", "--timeout", "10s", "--latency", *options]
    said = subprocess.run([*command, address], capture_output=True, text=True, check=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    slow = re.search(r"^\s+99%\s+([\d.]+)(us|ms|s|m)\s*$", said, re.MULTILINE)
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    assert rate is not None, said
    assert slow is not None, said
    p99_ms = float(slow[1]) * _MILLISECONDS[slow[2]]
    return Pressed(float(rate[1]), p99_ms, int(bad[1]) if bad else 0)


@contextmanager
def bare_server(folder: Path) -> Iterator[str]:
    """Serve bare Falcon with Jara's gunicorn settings."""
    port = free_port()
    program = str(Path(__file__).with_name("bare_web.py"))
    process = subprocess.Popen([sys.executable, program, str(port), str(folder / "bare.db")])
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=2):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"nobody listens at {port}")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Create members and votes, and start both servers."""
    folder = tmp_path_factory.mktemp("web")
    application = found(folder)
    voters = add_voters(application, VOTERS)
    proposals = [put_to_vote(application, f"vote-{number}") for number in range(ROUNDS + 1)]
    application.context.store.close()
    generous = {f"JARA_LIMIT_{name}": "1000000/h" for name in ("VOTE_MEMBER", "SIGN_IN_ACCOUNT")}
    with serving(folder, **generous) as server, bare_server(folder) as bare:
        yield Stage(server, bare, voters, proposals, folder)


@pytest.mark.parametrize(
    ("goal", "path", "peer", "signed"),
    [
        ("W1.overview", "/user/get-cash-overviews", "/media", False),
        ("W1.proposals", "/user/get-proposals", "/media", False),
        ("W2.votes", "/user/votes", "/read", True),
        ("W2.profile", "/user/get-profile", "/read", True),
    ],
)
def test_reading(stage: Stage, goal: str, path: str, peer: str, signed: bool) -> None:
    """A read, compared with the same request on bare Falcon."""
    ours = f"http://127.0.0.1:{stage.server.port}/api{path}"
    header = ["-H", f"token: {stage.voters[0].token}"] if signed else []
    press(ours, *header, seconds=1)
    press(f"{stage.bare}{peer}", seconds=1)

    rounds = [
        (
            press(ours, *header, seconds=READING_SECONDS),
            press(f"{stage.bare}{peer}", seconds=READING_SECONDS),
        )
        for _ in range(READING_ROUNDS)
    ]

    assert {one.refused for one, _ in rounds} == {0}
    owns = sorted(one.per_second for one, _ in rounds)
    others = sorted(one.per_second for _, one in rounds)
    told = f"{median_of(owns, 'requests/s', 0)} for {median_of(others, 'requests/s', 0)}"
    p99 = median_of([one.p99_ms for one, _ in rounds], "ms", 0)
    ratios = [one / two for one, two in zip(owns, others, strict=True)]
    saw(goal, ratios, f"{told}, p99 {p99}")


def test_voting(stage: Stage) -> None:
    """Durable votes through HTTP by 32 clients, compared with one-insert transactions (V2).

    The raw loop has neither HTTP nor clients. The bare server only stores a row for each vote, in
    shared transactions: it is the limit of this server.
    """
    warm, *proposals = stage.proposals
    ours, bare = f"http://127.0.0.1:{stage.server.port}/api/user/votes", f"{stage.bare}/vote"
    vote_all(stage, ours, warm)
    vote_all(stage, bare, warm)
    rounds = [
        (
            vote_all(stage, ours, one),
            raw_inserts_per_second(stage.folder / f"raw-{one}.db"),
            vote_all(stage, bare, one),
        )
        for one in proposals
    ]

    own = median_of([one.per_second for one, _, _ in rounds], "votes/s", 0)
    inserts = median_of([raw for _, raw, _ in rounds], "inserts/s", 0)
    others = median_of([other.per_second for _, _, other in rounds], "votes/s", 0)
    saw("V2.raw", [one.per_second / raw for one, raw, _ in rounds], f"{own} for {inserts}")
    saw("V2.tail", [one.p99_ms for one, _, _ in rounds], own)
    to_bare = [one.per_second / other.per_second for one, _, other in rounds]
    saw("V2.bare", to_bare, f"{own} for {others}")


def vote_all(stage: Stage, address: str, proposal: str) -> Pressed:
    """Vote as one member after another, over 32 connections."""
    tokens = stage.folder / "tokens.txt"
    tokens.write_text("".join(f"{voter.token}\n" for voter in stage.voters))
    script = stage.folder / "votes.lua"
    script.write_text(_VOTES_SCRIPT.format(tokens=tokens, proposal=proposal))
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


def raw_inserts_per_second(file: Path) -> float:
    """Insert one vote in each durable transaction, in a loop."""
    connection = sqlite3.connect(str(file), isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE vote (member INTEGER PRIMARY KEY, choice INTEGER)")
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO vote VALUES (?, ?)", (count, count % 2))
        connection.execute("COMMIT")
        count += 1
    seconds = time.perf_counter() - begin
    connection.close()
    return count / seconds


def test_memory(stage: Stage) -> None:
    """The memory of the server's processes after all of the above (W4)."""
    master, *workers = (statuses_of(pid) for pid in sorted(stage.server.processes()))
    shares = sum(one["Pss"] for one in (master, *workers))
    saw("W4.memory", [shares / KIB_PER_MIB], f"{len(workers)} workers and what started them")
    held = " and ".join(f"{one['Rss'] / KIB_PER_MIB:.0f} MiB" for one in workers)
    saw("W4.resident", [sum(one["Rss"] for one in workers) / KIB_PER_MIB], held)


def statuses_of(pid: int) -> dict[str, int]:
    """Return the memory figures of a process by name, in KiB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()[1:]
    return {line.split(":")[0]: int(line.split()[1]) for line in lines}


def test_signing_in(stage: Stage) -> None:
    """Parallel sign-ins, compared with bare verifications on one thread per core (P1)."""
    form = registration()
    assert stage.server.live.call("POST", "/register", form).status == 201
    body = {"email": form["email"], "password": PASSWORD}
    kept = ArgonHasher().hash(PASSWORD)

    def sign_in() -> None:
        while stage.server.live.call("POST", "/user/login", body).status != 200:
            time.sleep(0.01)  # the queue is full

    def verify() -> None:
        assert ArgonHasher().verify(kept, PASSWORD)

    def sign_ins_per_second() -> float:
        return SIGN_INS / seconds_of(sign_in, SIGN_INS, hands=8)

    before = stage.server.memory_bytes()
    sign_ins_per_second()
    cores = os.cpu_count() or 1
    rounds = [
        (sign_ins_per_second(), SIGN_INS / seconds_of(verify, SIGN_INS, hands=cores))
        for _ in range(ROUNDS)
    ]
    grown = (stage.server.memory_bytes() - before) / MIB

    own = median_of([one for one, _ in rounds], "sign-ins/s", 0)
    other = median_of([bare for _, bare in rounds], "hashes/s", 0)
    saw("P1.rate", [one / bare for one, bare in rounds], f"{own} for {other}")
    saw("P1.memory", [grown / (19 * cores)], f"{grown:+.0f} MiB for {19 * cores} MiB")
    slower = [slowdown(stage, sign_in) for _ in range(ROUNDS)]
    medians = [median_of([each[which] * 1000 for each in slower], "ms", 1) for which in (1, 0)]
    ratios = [pressed / quiet for quiet, pressed in slower]
    saw("P1.reads", ratios, f"{medians[0]} for {medians[1]}, the median of 100 requests")


def seconds_of(act: Callable[[], None], times: int, *, hands: int) -> float:
    """Run an act several times on several threads; return the seconds."""
    begin = time.perf_counter()
    with ThreadPoolExecutor(hands) as pool:
        for done in [pool.submit(act) for _ in range(times)]:
            done.result()
    return time.perf_counter() - begin


def slowdown(stage: Stage, sign_in: Callable[[], None]) -> tuple[float, float]:
    """Return the median seconds of a read: alone, and while others sign in."""
    ended = threading.Event()

    def keep_signing_in() -> None:
        while not ended.is_set():
            sign_in()

    def median_read() -> float:
        return statistics.median(seconds_of(lambda: _read(stage), 1, hands=1) for _ in range(100))

    quiet = median_read()
    with ThreadPoolExecutor(8) as pool:
        crowd = [pool.submit(keep_signing_in) for _ in range(8)]
        pressed = median_read()
        ended.set()
        for one in crowd:
            one.result()
    return quiet, pressed


def _read(stage: Stage) -> None:
    assert stage.server.live.call("GET", "/user/get-cash-overviews").status == 200
