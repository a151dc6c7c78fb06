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

from jara_webapi.pages import page_frames
from tests.journeys.live_server import free_port
from tests.sizes import PATIENCE_SECONDS
from tests.webapi.pages.site_world import Site, open_site

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


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A website with an open vote."""
    return open_site(tmp_path)


def test_a_long_answer_stays_behind(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has what is visible first, and the browser requests the rest."""
    monkeypatch.setattr(page_frames, "ANSWER_BYTES_MAX", 300)

    page = site.page("/proposals")
    assert "/user/get-proposals" not in page.live
    assert "Bees & hives" in page.plain
    assert "<h1>Bees &amp; hives</h1>" in page.answer.text


def test_a_long_answer_is_short_when_compressed(site: Site) -> None:
    """A dozen votes are over 16 kB, but much less when compressed."""
    story = "".join(f"<p>{number} hives need {number * 7} frames.</p>" for number in range(30))
    for number in range(12):
        site.desk.open_vote(slug=f"vote-{number}", title=f"Vote {number}", storySections=story)

    votes = site.page("/proposals").live["/user/get-proposals"]
    assert len(votes) == 13
    assert len(str(votes)) > 16_000
