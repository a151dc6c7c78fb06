"""Closing votes of 10,000 and 100,000 ballots: time, memory, and how long others wait (V3)."""

import os
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
_IN_0_2_0 = (
    ("0.2.0", "SQLite", "10,000", "6.5 s", "123 MiB", "3.79 s", "0", "12"),
    ("0.2.0", "SQLite", "100,000", "56.6 s", "497 MiB", "5.01 s", "10", "13"),
    ("0.2.0", "PostgreSQL", "10,000", "13.6 s", "105 MiB", "5.00 s", "2", "12"),
    ("0.2.0", "PostgreSQL", "100,000", "152.3 s", "411 MiB", "5.01 s", "29", "14"),
)
"""The close in one transaction, which the code before commit 6838c6b7 still had."""


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
    rows = list(_IN_0_2_0)
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
        load = f"{os.getloadavg()[0]:.0f}"
        rows.append(("now", engine, f"{ballots:,}", *cells, str(len(refused)), load))
    few, many = SIZES
    more = {engine: memory[engine, many] - memory[engine, few] for engine in longest}
    sizes = f"from {few:,} to {many:,} ballots"
    saw("V3.memory", [max(more.values())], f"{_told(more, 'MiB', 0)}, {sizes}")
    saw("V3.wait", [max(longest.values())], f"{_told(longest, 's', 2)}, {many:,} ballots")
    saw_table(
        "Closing a vote while another process writes",
        "The whole process of `jara proposals close`, and the longest wait of a writer that adds "
        "a row every 20 ms and is refused after 5 s. PostgreSQL's disk is synced. The rows of "
        "0.2.0 were measured on 29 November 2026, on two cores that other programs kept busy.",
        ("Version", "Engine", "Ballots", "Time", "Memory", "Longest wait", "Refused", "Load"),
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
