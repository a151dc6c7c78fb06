"""Counting votes: maintained counters against a recount of the ballots (goal V1)."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

import pytest

from jara.store.sqlite.database import SqliteDatabase
from jara.store.store import Store
from tests.benchmarks.bench_books import milliseconds_of
from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.sizes import BALLOTS

ROUNDS = 5
PROPOSAL = "prop_bench"
MADE_AT = datetime(2026, 1, 1, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One proposal with its ballots, as the service writes them."""
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
    return Store(database)


def test_a_tally_does_not_grow_with_the_ballots(store: Store) -> None:
    """Reading the counters is far faster than counting, with the same result."""

    def kept() -> tuple[int, int, int]:
        with store.read() as work:
            return work.ballots.counts(PROPOSAL)

    def counted() -> tuple[int, int, int]:
        with store.read() as work:
            return work.ballots.recount(PROPOSAL)

    assert kept() == counted()
    rounds = [(milliseconds_of(counted), milliseconds_of(kept, 100)) for _ in range(ROUNDS)]

    own = median_of([one for _, one in rounds], "ms", 3)
    other = median_of([one for one, _ in rounds], "ms", 1)
    ratios = [one / two for one, two in rounds]
    saw("V1.recount", ratios, f"{own} for {other}, {BALLOTS:,} ballots")
