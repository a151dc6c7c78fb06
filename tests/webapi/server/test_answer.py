"""Answers of our worker: what gunicorn checks, checked once; a failure never follows a success."""

from __future__ import annotations

import io
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import InvalidResponseHeader
from gunicorn.http.parser import RequestParser

from jara_webapi.middleware.security_headers import CONSTANT
from jara_webapi.server.answer import _GOOD, answer_request
from jara_webapi.server.deadline_worker import GatheringSocket

StartResponse = Callable[[str, list[tuple[str, str]]], Any]
PLAIN = ("Content-Type", "text/plain")


@pytest.fixture
def ends() -> Iterator[tuple[GatheringSocket, socket.socket]]:
    """The server's end of a connection, and the client's."""
    here, there = socket.socketpair()
    there.settimeout(5)
    server = GatheringSocket(here.detach())
    with closing(server), closing(there):
        yield server, there


def answer(app: Any, ends: tuple[GatheringSocket, socket.socket], *, last: bool = False) -> Any:
    """Let an app answer a request; tell whether another may follow."""
    cfg = Config()
    req = next(RequestParser(cfg, iter([b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"]), ("127.0.0.1", 5)))
    place = ("127.0.0.1", 80)
    conn = SimpleNamespace(sock=ends[0], client=("127.0.0.1", 5), server=place, cfg=cfg)
    try:
        return answer_request(app, req, conn, closing=last)
    finally:
        with suppress(OSError):
            ends[0].flush()


def saying(*pieces: bytes, headers: list[tuple[str, str]]) -> Any:
    """Return an app that says these things."""

    def app(environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        assert environ["wsgi.multithread"]
        length = ("Content-Length", str(sum(map(len, pieces))))
        start("200 OK", [*headers, length])
        return pieces

    return app


def test_constant_headers_are_checked_once_and_sent_each_time(
    ends: tuple[GatheringSocket, socket.socket],
) -> None:
    """All of them are such as gunicorn takes unchanged, and none is lost or doubled."""
    assert frozenset(CONSTANT) == _GOOD
    headers = [PLAIN, CONSTANT[0], ("X-Own", "mine "), CONSTANT[1]]

    assert answer(saying(b"good ", b"day", headers=headers), ends)

    head, _, body = ends[1].recv(65536).decode().partition("\r\n\r\n")
    assert "good day" == body
    lines = head.split("\r\n")
    for line in ("X-Own: mine", "Content-Length: 8", *map(": ".join, CONSTANT[:2])):
        assert 1 == lines.count(line)


def test_a_header_that_would_split_the_answer_is_refused(
    ends: tuple[GatheringSocket, socket.socket],
) -> None:
    """Whatever is not known to be good is checked by gunicorn, also under a known name."""
    name = CONSTANT[0][0]
    with pytest.raises(InvalidResponseHeader):
        answer(saying(headers=[(name, "nosniff\r\nSet-Cookie: a=b")]), ends)


def test_the_last_answer_says_so(ends: tuple[GatheringSocket, socket.socket]) -> None:
    """A connection that will be closed is not promised to the client."""
    assert not answer(saying(b"bye", headers=[PLAIN]), ends, last=True)

    assert b"Connection: close\r\n" in ends[1].recv(65536)


def test_a_file_is_sent_and_closed(ends: tuple[GatheringSocket, socket.socket]) -> None:
    """Whatever the app hands over is closed in the end."""
    file = io.BytesIO(b"a photo")

    def app(environ: dict[str, Any], start: StartResponse) -> Any:
        start("200 OK", [PLAIN, ("Content-Length", "7")])
        return environ["wsgi.file_wrapper"](file)

    assert answer(app, ends)
    assert ends[1].recv(65536).endswith(b"\r\n\r\na photo")
    assert file.closed


def test_a_failure_in_the_midst_of_an_answer_ends_the_connection(
    ends: tuple[GatheringSocket, socket.socket],
) -> None:
    """Another answer behind the first half would be taken for the second half."""

    def app(environ: dict[str, Any], start: StartResponse) -> Iterator[bytes]:
        del environ
        start("200 OK", [PLAIN])
        yield b"half"
        raise ValueError

    with pytest.raises(StopIteration):
        answer(app, ends)
    assert b"500" not in ends[1].recv(65536)


@pytest.mark.parametrize("error", [ValueError, ConnectionResetError])
def test_a_failure_before_an_answer_is_handed_on(
    ends: tuple[GatheringSocket, socket.socket], error: type[Exception]
) -> None:
    """The worker answers it, or closes the connection."""

    def app(environ: dict[str, Any], start: StartResponse) -> list[bytes]:
        raise error

    with pytest.raises(error):
        answer(app, ends)
