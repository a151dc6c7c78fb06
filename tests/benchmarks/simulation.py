"""An organisation of ten million members on PostgreSQL, as far as it fits on one machine.

``python -m tests.benchmarks.simulation`` creates a small and a large organisation with
Jara's schema, fills them, measures both, and prints the tables of docs/postgresql.md. It writes
all members, and as many payments and ballots as requested. The size of a full year is
extrapolated from the bytes of a row.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from jara.bootstrap import build_from_environ
from jara.domain.voting.proposal import ProposalStatus
from jara.services.ballots.casting import ballot_key
from jara.services.books.verification import verify_books
from jara_webapi.middleware import response_cache
from tests.benchmarks.answers import Site, measure
from tests.benchmarks.grown_organisation import grow
from tests.benchmarks.simulated_acts import Acts, best_rates
from tests.benchmarks.simulated_rows import Amount, Simulation, Step
from tests.benchmarks.simulated_tables import (
    Filled,
    Held,
    Size,
    compared,
    growth,
    held_rows,
    index_levels,
)
from tests.postgres_server import PostgresServer

Sizes = dict[str, Size]
SMALL = Amount(members=10_000, payments=10_000, ballots=6_000, beside=True)
SETTINGS = (
    "shared_buffers=1GB",
    "work_mem=64MB",
    "max_wal_size=2GB",
    "checkpoint_timeout=30min",
    "wal_level=minimal",
    "max_wal_senders=0",
)
_SIZES = (
    "SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class "
    "WHERE relkind = 'r' AND relnamespace = CAST('public' AS regnamespace)"
)


def main() -> None:
    """Read the command line, create both organisations, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=10_000_000)
    parser.add_argument("--payments", type=int, default=1_000_000)
    parser.add_argument("--ballots", type=int, default=1_000_000)
    asked = parser.parse_args()
    amount = Amount(asked.members, asked.payments, asked.ballots, packed=True)
    server = PostgresServer(settings=SETTINGS)
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            small = simulate(server, Path(folder) / "small", SMALL)
            check(small)
            large = simulate(server, Path(folder) / "large", amount)
            server.restart_durably()
            for line in tables(small, large):
                _say(line)
        finally:
            server.stop()


def simulate(server: PostgresServer, folder: Path, amount: Amount) -> Held:
    """Create an organisation with the services, and fill it."""
    environ = grow(folder, 1000, url=server.create_database())
    url = environ["JARA_DATABASE_URL"]
    context = build_from_environ(environ).context
    with context.store.read() as work:
        proposal = work.proposals.all(ProposalStatus.OPEN)[0].proposal.id
    filled, before = [], sizes_of(url)
    for step in Simulation(url, amount, proposal, ballot_key(context, proposal)).fill():
        _say(f"{step.table}: {step.rows:,} rows in {step.seconds:.0f} s")
        after = sizes_of(url)
        filled.append(Filled(step, after[step.table].since(before[step.table])))
        before = after
    return Held(amount, environ, filled)


def tables(small: Held, large: Held) -> Iterator[str]:
    """Measure both organisations, and return the lines of all tables."""
    members = large.amount.members
    yield from ("", *held_rows(large))
    response_cache.ENTRIES_MAX = 0  # no response is cached
    seen = measure([Site(small.environ), Site(large.environ)])
    first, second = ({name: row[place] for name, row in seen.items()} for place in (0, 1))
    yield from ("", *compared(first, second, "answers, least milliseconds", 2))
    few, many = (Acts(held.environ, payments=held.amount.payments) for held in (small, large))
    drawn = "of members drawn by lot, median milliseconds"
    yield from ("", *compared(few.random_ms(), many.random_ms(), drawn, 2))
    yield from ("", *index_levels(few.depths(), many.depths(), members))
    rates = best_rates(few, many)
    yield from ("", *compared(*rates, "a second, durable, the best of three", 0))
    booked = rates[1]["payments, 1,000 a transaction"]
    yield ""
    yield f"A charge of all {members:,} members, reckoned: {members / booked / 3600:.1f} hours."
    url = small.environ["JARA_DATABASE_URL"]
    before = sizes_of(url)
    closing = few.closing_seconds()
    yield from ("", *growth(small, members, listed(small.amount, before, sizes_of(url))), "")
    yield (
        f"Closing a vote of {small.amount.members:,} members, {small.amount.ballots:,} of whom "
        f"voted: {closing:.1f} s; of {members:,}, reckoned: "
        f"{closing * members / small.amount.members / 60:.0f} minutes."
    )


def listed(amount: Amount, before: Sizes, after: Sizes) -> list[Filled]:
    """Return what the close of a vote has added to the tables that keep it."""
    rows = {
        "ballots": amount.ballots,
        "log": amount.ballots,
        "log_nodes": amount.ballots,
        "rolls": amount.members,
    }
    return [
        Filled(Step(table, number, 0.0), after[table].since(before[table]))
        for table, number in rows.items()
    ]


def check(held: Held) -> None:
    """Check every rule of the books, so that the figures are those of consistent rows."""
    verified = verify_books(build_from_environ(held.environ).context)
    assert verified.ok, verified.findings


def sizes_of(url: str) -> Sizes:
    """Return the size of every table."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(_SIZES.encode()).fetchall()
    return {name: Size(table, indexes) for name, table, indexes in rows}


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
