"""Closing votes of 10,000 and 100,000 ballots: time, memory, and how long others wait (V3)."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest

from jara.bootstrap import Application, SystemClock
from jara.bootstrap.organisation import initialise
from jara.domain.errors import JaraError
from jara.services.samples.stage import StoryClock
from tests.benchmarks.figures import saw, saw_table
from tests.benchmarks.full_box import DROPPED_EVERY, fill_box
from tests.benchmarks.processes import JARA, run
from tests.benchmarks.sizes import BALLOTS
from tests.places import keep_on_server, open_place
from tests.postgres_server import PostgresServer

SIZES = (BALLOTS // 10, BALLOTS)
_PAUSE = 0.02
_BEFORE_AND_AFTER = (
    ("0.2.0", "SQLite", "10,000", "1.2 s", "95 MiB", "0.68 s", "0"),
    ("2d570e07", "SQLite", "10,000", "1.8 s", "75 MiB", "0.06 s", "0"),
    ("0.2.0", "SQLite", "100,000", "8.7 s", "278 MiB", "5.00 s", "1"),
    ("2d570e07", "SQLite", "100,000", "13.8 s", "126 MiB", "0.07 s", "0"),
    ("0.2.0", "PostgreSQL", "10,000", "4.4 s", "83 MiB", "3.80 s", "0"),
    ("2d570e07", "PostgreSQL", "10,000", "6.1 s", "82 MiB", "0.05 s", "0"),
    ("0.2.0", "PostgreSQL", "100,000", "42.7 s", "214 MiB", "5.00 s", "8"),
    ("2d570e07", "PostgreSQL", "100,000", "66.3 s", "119 MiB", "0.16 s", "0"),
)
"""Both programs in turn, in one run."""


def _ended_vote(folder: Path, ballots: int) -> Application:
    """Return an organisation whose vote ended yesterday, and is still open."""
    clock = StoryClock(SystemClock().now() - timedelta(days=2))
    application = open_place(folder, {}, any_mode=True, clock=clock)
    initialise(application)
    fill_box(application, f"{clock.at + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}", ballots)
    return application


def test_closing(tmp_path: Path) -> None:
    """`jara proposals close` lists every ballot that counts."""
    application = _ended_vote(tmp_path, BALLOTS)
    application.context.store.close()
    took = run([JARA, "proposals", "close"], tmp_path)

    with application.context.store.read() as work:
        (record,) = work.proposals.all()
        yes, no, void = work.ballots.counts(record.proposal.id)
    assert void == -(-BALLOTS // DROPPED_EVERY)
    assert yes + no == BALLOTS - void
    saw("V3.close", [took.cpu_seconds], f"{BALLOTS:,} ballots, {took.seconds:.1f} s in all")


def test_closing_beside_a_writer(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Close votes of growing size while another process writes."""
    rows = list(_BEFORE_AND_AFTER)
    memory, longest = {}, {}
    for engine, ballots in product(("SQLite", "PostgreSQL"), SIZES):
        folder = tmp_path_factory.mktemp("votes")
        with _server(engine, folder, monkeypatch):
            application = _ended_vote(folder, ballots)
            with _writing(application) as (waits, refused):
                took = run([JARA, "proposals", "close"], folder)
            application.context.store.close()
        memory[engine, ballots], longest[engine] = took.mib, max(waits)
        cells = f"{took.seconds:.1f} s", f"{took.mib:.0f} MiB", f"{max(waits):.2f} s"
        rows.append(("now", engine, f"{ballots:,}", *cells, str(len(refused))))
    few, many = SIZES
    more = {engine: memory[engine, many] - memory[engine, few] for engine in longest}
    sizes = f"from {few:,} to {many:,} ballots"
    saw("V3.memory", [max(more.values())], f"{_told(more, 'MiB', 0)}, {sizes}")
    saw("V3.wait", [max(longest.values())], f"{_told(longest, 's', 2)}, {many:,} ballots")
    saw_table(
        "Closing a vote while another process writes",
        "The whole process of `jara proposals close`, and the longest wait of a writer that adds "
        "a row every 20 ms and is refused after 5 s. PostgreSQL's disk is synced. 0.2.0 closed in "
        "one transaction, and since commit 2d570e07 a vote closes in steps: it takes half as long "
        "again, and nobody waits for it. The rows of these two are of one run on 30 November 2026, "
        "on a faster machine of two cores without other programs.",
        ("Version", "Engine", "Ballots", "Time", "Memory", "Longest wait", "Refused"),
        rows,
    )


def _told(figures: Mapping[str, float], unit: str, digits: int) -> str:
    return ", ".join(f"{name} {figure:.{digits}f} {unit}" for name, figure in figures.items())


@contextmanager
def _server(engine: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if engine == "SQLite":
        yield
        return
    server = PostgresServer(durable=True)
    try:
        url = server.create_database()
        keep_on_server(folder, url)
        monkeypatch.setenv("JARA_DATABASE_URL", url)
        yield
    finally:
        server.stop()


@contextmanager
def _writing(application: Application) -> Iterator[tuple[list[float], list[JaraError]]]:
    """Write in another thread; yield the seconds of each write, and the refusals."""
    waits: list[float] = []
    refused: list[JaraError] = []
    ended = threading.Event()

    def write() -> None:
        while not ended.wait(_PAUSE):
            began = time.perf_counter()
            try:
                with application.context.store.write() as work:
                    work.meta.put("bench.write", str(began))
            except JaraError as error:
                refused.append(error)
            waits.append(time.perf_counter() - began)
        application.context.store.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield waits, refused
    finally:
        ended.set()
        writer.join()
