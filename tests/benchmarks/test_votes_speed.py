"""A vote with many ballots: counting while it is open, and closing it (goals V1 and V3)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jara.bootstrap import Application, SystemClock
from jara.bootstrap.organisation import initialise
from jara.domain.voting.tally import Tally
from jara.services.ballots.counting import count_vote
from jara.services.context import Context, OpenCounts
from jara.services.samples.stage import StoryClock
from tests.benchmarks.bench_books import milliseconds_of
from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.full_box import DROPPED_EVERY, fill_box
from tests.benchmarks.processes import JARA, run
from tests.benchmarks.sizes import BALLOTS
from tests.places import open_place

ROUNDS = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The place of an organisation whose vote ended yesterday, and is still open."""
    return tmp_path_factory.mktemp("votes")


@pytest.fixture(scope="module")
def application(folder: Path) -> Application:
    """The organisation, and its ballots."""
    clock = StoryClock(SystemClock().now() - timedelta(days=2))
    application = open_place(folder, {}, any_mode=True, clock=clock)
    initialise(application)
    fill_box(application, f"{clock.at + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}", BALLOTS)
    return application


def test_a_tally_does_not_grow_with_the_ballots(application: Application) -> None:
    """Counting what is new is far faster than opening every ballot, with the same result."""
    known = application.context

    def counted() -> Tally:
        return tally_of(replace(known, open_counts=OpenCounts()))

    def kept() -> Tally:
        return tally_of(known)

    assert kept() == counted()
    firsts = [cpu_milliseconds_of(counted) for _ in range(ROUNDS)]
    rounds = [(milliseconds_of(counted), milliseconds_of(kept, 100)) for _ in range(ROUNDS)]

    own = median_of([one for _, one in rounds], "ms", 3)
    other = median_of([one for one, _ in rounds], "ms", 1)
    ratios = [one / two for one, two in rounds]
    saw("V1.recount", ratios, f"{own} for {other}, {BALLOTS:,} ballots")
    saw("V1.first", firsts, f"{BALLOTS:,} ballots")


def test_closing(application: Application, folder: Path) -> None:
    """`jara proposals close` lists every ballot that counts, and keeps to its memory."""
    application.context.store.close()
    bare = run([JARA, "proposals", "list"], folder)
    took = run([JARA, "proposals", "close"], folder)

    with application.context.store.read() as work:
        (record,) = work.proposals.all()
        yes, no, void = work.ballots.counts(record.proposal.id)
    assert void == -(-BALLOTS // DROPPED_EVERY)
    assert yes + no == BALLOTS - void
    saw("V3.close", [took.cpu_seconds], f"{BALLOTS:,} ballots, {took.seconds:.1f} s in all")
    saw("V3.memory", [took.mib], f"{bare.mib:.0f} MiB for `jara proposals list`")


def tally_of(context: Context) -> Tally:
    """Count the vote."""
    with context.store.read() as work:
        (record,) = work.proposals.all()
        return count_vote(context, work, record)


def cpu_milliseconds_of(act: Callable[[], object]) -> float:
    """Return the CPU time of an act, which other programs on the machine hardly change."""
    begin = time.process_time()
    act()
    return (time.process_time() - begin) * 1000
