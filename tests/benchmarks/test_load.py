"""Thousands of members at once in the last minute of a vote, on the demonstration.

A real ``jara serve`` with two processes and its default limits. The benchmark measures each kind
of call, and asserts that responses are success, 409 after the end, 429 or 503 only, and that the
count is correct.
"""

import json
import math
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.config.loading import load_settings
from jara.security.passwords import ArgonHasher
from jara.services.ballots.counting import count_vote
from jara.services.proposals.closing import close_due_votes
from tests.benchmarks.crowd import BROKEN, Seen
from tests.benchmarks.figures import saw, saw_table
from tests.benchmarks.processes import JARA, run
from tests.benchmarks.sizes import CROWD, CROWD_SECONDS
from tests.faults.fault_world import (
    GENEROUS,
    Server,
    Voter,
    add_voters,
    put_to_vote,
    reopen,
    serving,
)
from tests.webapi.desk import PASSWORD

ROOT = Path(__file__).parents[2]
SIGNING_IN = 4
"""One in so many signs in; the others are signed in already."""

LATE = 20
"""One in so many votes too late."""

LATE_SECONDS = 5.0
SECONDS_THERE = (3.0, 8.0)
"""How long before voting a member arrives."""

SECONDS_TO_START = 10
CLOSED = 409
KINDS = ("public pages and figures", "signing in", "a member's own pages", "voting")
HEAD = ("Call", "Calls", "Done", "409 after the end", "429", "503", "Else", "p50", "p99", "Longest")


@dataclass(frozen=True)
class Evening:
    """The crowd's calls, and the database afterwards."""

    folder: Path
    proposal: str
    ends: float
    seen: list[Seen]
    counted: int
    planned_late: int
    most_at_once: int


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Run the last minute of a vote on the demo with more members."""
    place = tmp_path_factory.mktemp("load")
    run([JARA, "demo", "--no-serve", "--members", "200", "--seed", "7"], place)
    folder = place / "jara-demo"
    application = reopen(folder)
    voters = add_voters(application, CROWD)
    known = ArgonHasher().hash(PASSWORD)
    with application.context.store.write() as work:
        for voter in voters[::SIGNING_IN]:
            work.members.set_password_hash(voter.member.id, known)
    with as_it_comes(folder) as server:
        in_time = timedelta(seconds=CROWD_SECONDS + SECONDS_TO_START)
        closes = application.context.now() + in_time
        proposal = put_to_vote(application, "last-minute", ends=f"{closes:%Y-%m-%dT%H:%M:%SZ}")
        ends = time.monotonic() + (closes - application.context.clock.now()).total_seconds()
        members = planned(voters, ends)
        plan = {"port": server.port, "proposal": proposal, "password": PASSWORD, "members": members}
        seen = let_in(plan, place)
    close_due_votes(application.context)  # unless the server has done so, 15 s after the end
    with application.context.store.read() as work:
        tally = count_vote(application.context, work, work.proposals.find(proposal))
    application.context.store.close()
    late = sum(one["votes"] > ends for one in members)
    return Evening(folder, proposal, ends, seen, tally.yes + tally.no, late, most_at_once(members))


@contextmanager
def as_it_comes(folder: Path) -> Iterator[Server]:
    """Serve with the default limits."""
    settings = load_settings({})
    usual = {name: str(getattr(settings, name.removeprefix("JARA_").lower())) for name in GENEROUS}
    with serving(folder, **usual) as server:
        yield server


def planned(voters: Sequence[Voter], ends: float) -> list[dict[str, Any]]:
    """Plan the arrivals: more towards the end, a few too late."""
    dice = random.Random(7)
    members = []
    for number, voter in enumerate(voters):
        votes = ends - CROWD_SECONDS * (1 - math.sqrt(dice.random()))
        if number % LATE == 1:
            votes = ends + dice.uniform(0, LATE_SECONDS)
        members.append(
            {
                "comes": votes - dice.uniform(*SECONDS_THERE),
                "votes": votes,
                "address": f"127.{1 + number // 60_000}.{number // 250 % 240}.{1 + number % 250}",
                "email": "" if number % SIGNING_IN else voter.member.email,
                "token": voter.token if number % SIGNING_IN else "",
                "nonce": voter.nonce,
                "choice": dice.choice(("upvote", "downvote")),
            }
        )
    return members


def most_at_once(members: Sequence[dict[str, Any]]) -> int:
    """Return the planned maximum of members at the same time."""
    steps = sorted([(one["comes"], 1) for one in members] + [(one["votes"], -1) for one in members])
    there = most = 0
    for _, step in steps:
        there += step
        most = max(most, there)
    return most


def let_in(plan: dict[str, Any], folder: Path) -> list[Seen]:
    """Run the crowd in a separate process."""
    plan_file, out = folder / "plan.json", folder / "seen.json"
    plan_file.write_text(json.dumps(plan), encoding="utf-8")
    command = [sys.executable, "-m", "tests.benchmarks.crowd", str(plan_file), str(out)]
    subprocess.run(command, cwd=ROOT, check=True)
    return [Seen(**one) for one in json.loads(out.read_text("utf-8"))]


def test_a_crowd_in_the_last_minute(evening: Evening) -> None:
    """Every call gets a response, or 429 or 503."""
    saw_table(
        "A crowd in the last minute of a vote",
        f"{CROWD:,} members of the demo arrive within {CROWD_SECONDS} s, more and more towards "
        f"the end, up to {evening.most_at_once:,} at the same time. One in {SIGNING_IN} signs in; "
        f"one in {LATE} votes too late. Each has an IP address and a connection of their own, and "
        "arrives as planned, however slow the server is. Calls refused with 429 or 503 are "
        "retried after `Retry-After`. The times are those of successful calls. The server has "
        "2 processes of 8 threads and its default limits.",
        HEAD,
        [row_of(kind, [one for one in evening.seen if one.kind == kind]) for kind in KINDS],
    )
    wrong = Counter(outcome(one) for one in evening.seen)["else"]
    early = [
        one
        for one in evening.seen
        if one.status == CLOSED and one.began + one.seconds < evening.ends
    ]
    counts = Counter(one.status for one in evening.seen)
    told = ", ".join(f"{status or 'broken'}: {count:,}" for status, count in counts.most_common())
    saw("Load.errors", [wrong + len(early)], told)

    assert wrong == 0
    assert early == []


def row_of(kind: str, seen: Sequence[Seen]) -> list[str]:
    """Return the row of a kind of call."""
    counted = Counter(outcome(one) for one in seen)
    done = sorted(one.seconds * 1000 for one in seen if outcome(one) == "done")
    outcomes = [counted[name] for name in ("done", "late", "429", "503", "else")]
    times = [f"{value:,.0f} ms" for value in times_of(done)]
    return [kind, *(f"{count:,}" for count in (len(seen), *outcomes)), *times]


def times_of(sorted_times: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 99th percentile and the maximum."""
    place = math.ceil(len(sorted_times) * 0.99) - 1
    return statistics.median(sorted_times), sorted_times[place], sorted_times[-1]


def outcome(one: Seen) -> str:
    """Return the outcome of a call."""
    if 200 <= one.status < 400:
        return "done"
    if one.status == CLOSED and one.kind == "voting":
        return "late"
    return str(one.status) if one.status in {429, 503} else "else"


def test_the_count_is_the_truth(evening: Evening) -> None:
    """Every confirmed vote counts, none sent after the end does, and the books verify."""
    votes = [one for one in evening.seen if one.kind == "voting"]
    confirmed = [one for one in votes if outcome(one) == "done"]
    late = [one for one in confirmed if one.began > evening.ends]
    unknown = sum(one.status == BROKEN for one in votes)
    saw(
        "Load.votes",
        [abs(len(confirmed) - evening.counted) + len(late)],
        f"{len(confirmed):,} confirmed, {evening.counted:,} counted, "
        f"{sum(outcome(one) == 'late' for one in votes):,} refused as too late, "
        f"{evening.planned_late:,} of them as planned",
    )

    assert unknown == 0
    assert evening.counted == len(confirmed)
    assert late == []
    jara = [JARA, "--db", str(evening.folder / "jara.db")]
    run([*jara, "votes", "verify", evening.proposal], evening.folder)
    run([*jara, "ledger", "verify"], evening.folder)
