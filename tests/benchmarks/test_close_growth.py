"""Closing votes of 10,000 and 100,000 ballots: the memory, and how long others wait meanwhile."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from jara.bootstrap import Application, SystemClock
from jara.bootstrap.organisation import initialise
from jara.domain.errors import JaraError
from jara.services.samples.stage import StoryClock
from tests.benchmarks.figures import saw_table
from tests.benchmarks.full_box import fill_box
from tests.benchmarks.processes import JARA, run
from tests.places import keep_on_server, open_place
from tests.postgres_server import PostgresServer

SIZES = (10_000, 100_000)
_PAUSE = 0.02


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_closing_beside_a_writer(
    engine: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Close votes of growing size while another process writes."""
    rows = []
    for ballots in SIZES:
        folder = tmp_path_factory.mktemp("votes")
        with _server(engine, folder, monkeypatch):
            clock = StoryClock(SystemClock().now() - timedelta(days=2))
            application = open_place(folder, {}, any_mode=True, clock=clock)
            initialise(application)
            fill_box(application, f"{clock.at + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}", ballots)
            with _writing(application) as waits:
                took = run([JARA, "proposals", "close"], folder)
            application.context.store.close()
        cells = (f"{took.seconds:.1f} s", f"{took.mib:.0f} MiB", f"{max(waits):.2f} s")
        rows.append((engine, f"{ballots:,}", *cells))
    saw_table(
        f"Closing a vote while another process writes: {engine}",
        "The whole process of `jara proposals close`, and the longest wait of a writer that adds "
        "a row every 20 ms.",
        ("Engine", "Ballots", "Time", "Memory", "Longest wait"),
        rows,
    )


@contextmanager
def _server(engine: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if engine == "sqlite":
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
def _writing(application: Application) -> Iterator[list[float]]:
    """Write in another thread, and yield the seconds that each write took."""
    waits: list[float] = []
    ended = threading.Event()

    def write() -> None:
        while not ended.wait(_PAUSE):
            began = time.perf_counter()
            try:
                with application.context.store.write() as work:
                    work.meta.put("bench.write", str(began))
            except JaraError:
                pass  # it waited for as long as a writer waits
            waits.append(time.perf_counter() - began)
        application.context.store.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield waits
    finally:
        ended.set()
        writer.join()
