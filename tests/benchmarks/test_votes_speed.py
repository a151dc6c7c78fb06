"""Counting votes: maintained counters against a recount of the ballots (goal V1)."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest

from jara.store.sqlite import SqliteDatabase
from jara.store.unit_of_work import SqlStore

BALLOTS = int(os.environ.get("JARA_BENCH_BALLOTS", "100000"))
PROPOSAL = "prop_bench"
MADE_AT = datetime(2026, 1, 1, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SqlStore:
    """One proposal with all its ballots, written as the service writes them."""
    database = SqliteDatabase(tmp_path_factory.mktemp("votes") / "jara.db", durable=False)
    database.create()
    with database.transaction(write=True) as sql:
        sql.run(
            "INSERT INTO proposals (id, slug, title, status, ends_at, doc, created_at) "
            "VALUES (:id, :id, :id, 'open', :at, '{}', :at)",
            {"id": PROPOSAL, "at": MADE_AT},
        )
        for number in range(BALLOTS):
            voter = sha256(str(number).encode()).hexdigest()
            sql.append(
                "INSERT INTO log (idx, hash, body, type) VALUES (:idx, x'00', x'00', 'ballot')",
                (number,),
            )
            sql.append(
                "INSERT INTO ballots (proposal, voter, choice, log_index) "
                "VALUES (:proposal, :voter, :choice, :idx)",
                (PROPOSAL, voter, "up" if number % 3 else "down", number),
            )
        yes = sum(1 for number in range(BALLOTS) if number % 3)
        sql.run(
            "INSERT INTO tallies (proposal, yes, no, void) VALUES (:proposal, :yes, :no, 0)",
            {"proposal": PROPOSAL, "yes": yes, "no": BALLOTS - yes},
        )
    return SqlStore(database)


def least_ms(act: Callable[[], object], rounds: int) -> float:
    """Return the least milliseconds that an act took."""
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        act()
        taken.append((time.perf_counter() - begin) * 1000)
    return min(taken)


def test_a_tally_does_not_grow_with_the_ballots(store: SqlStore, benchmark: Any) -> None:
    """Reading the counters is far faster than counting, and gives the same."""
    with store.read() as work:
        assert work.ballots.counts(PROPOSAL) == work.ballots.recount(PROPOSAL)
        kept = benchmark.pedantic(
            least_ms, args=(lambda: work.ballots.counts(PROPOSAL), 200), rounds=1
        )
        counted = least_ms(lambda: work.ballots.recount(PROPOSAL), 5)

    ratio = counted / kept
    benchmark.extra_info["ratio"] = round(ratio, 1)
    sys.stdout.write(f"\nrecount / counters: {ratio:.0f} (goal >= 200, {BALLOTS:,} ballots)\n")
