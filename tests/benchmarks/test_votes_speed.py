"""Closing a vote with many ballots (goal V3)."""

from datetime import timedelta
from pathlib import Path

import pytest

from jara.bootstrap import Application, SystemClock
from jara.bootstrap.organisation import initialise
from jara.services.samples.stage import StoryClock
from tests.benchmarks.figures import saw
from tests.benchmarks.full_box import DROPPED_EVERY, fill_box
from tests.benchmarks.processes import JARA, run
from tests.benchmarks.sizes import BALLOTS
from tests.places import open_place


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


def test_closing(application: Application, folder: Path) -> None:
    """`jara proposals close` lists every ballot that counts."""
    application.context.store.close()
    took = run([JARA, "proposals", "close"], folder)

    with application.context.store.read() as work:
        (record,) = work.proposals.all()
        yes, no, void = work.ballots.counts(record.proposal.id)
    assert void == -(-BALLOTS // DROPPED_EVERY)
    assert yes + no == BALLOTS - void
    saw("V3.close", [took.cpu_seconds], f"{BALLOTS:,} ballots, {took.seconds:.1f} s in all")
