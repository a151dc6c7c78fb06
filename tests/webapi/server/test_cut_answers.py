"""Clients see when an answer was cut, and when the connection ends after it."""

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.journeys.live_server import free_port
from tests.sizes import PATIENCE_SECONDS

APP = """
def app(environ, start_response):
    if environ["REQUEST_METHOD"] == "POST":
        start_response("413 Content Too Large", [("Content-Length", "2")])
        yield b"no"
        return
    start_response("200 OK", [("Content-Type", "application/x-ndjson")])
    yield b"the first lines\\n"
    raise OSError("the database went away")
"""
WORKER = "jara_webapi.server.deadline_worker.DeadlineWorker"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a server of the app."""
    (tmp_path / "cut.py").write_text(APP)
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-k", WORKER, "-b", f"127.0.0.1:{port}", "cut:app"]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=tmp_path, stderr=log)
    try:
        _wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE_SECONDS)


def connect(port: int) -> closing[http.client.HTTPConnection]:
    """Return a connection that is closed after its block."""
    return closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS))


def test_a_client_sees_that_an_answer_was_cut(port: int) -> None:
    """The last chunk is missing; the same worker serves the next client."""
    for _ in range(2):
        with connect(port) as client:
            client.request("GET", "/")
            answer = client.getresponse()
            with closing(answer), pytest.raises(http.client.IncompleteRead) as cut:
                answer.read()
        assert (answer.status, cut.value.partial) == (200, b"the first lines\n")


def test_a_refused_body_ends_the_connection_and_the_answer_says_so(port: int) -> None:
    """After a 413 the server closes, so the answer does not say keep-alive."""
    with connect(port) as client:
        client.request("POST", "/", body=b"x" * 200_000)
        answer = client.getresponse()
        with closing(answer):
            assert (answer.status, answer.read()) == (413, b"no")

    assert answer.headers["Connection"] == "close"


def _wait_for(port: int) -> None:
    """Wait until the server listens."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS).close()
            return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")
