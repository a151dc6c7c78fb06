"""Slow, endless or invalid witnesses cause no delay."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from jara.services.ports.outside import WitnessAnswer
from jara.witness.network import HttpWitnesses

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


@contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Listen on a port and handle each connection with a function."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        connection.recv(65536)
                        answer(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def silent(_: socket.socket) -> None:
    """Send nothing for longer than the timeout."""
    time.sleep(3)


def drip(connection: socket.socket) -> None:
    """Send single bytes slowly."""
    connection.sendall(HEAD + b"\r\n")
    for _ in range(30):
        connection.sendall(b"x")
        time.sleep(0.1)


def flood(connection: socket.socket) -> None:
    """Send without end."""
    connection.sendall(HEAD + b"\r\n")
    for _ in range(1000):
        connection.sendall(b"x" * 65536)


def redirect(connection: socket.socket) -> None:
    """Send a redirect."""
    connection.sendall(
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    )


def babble(connection: socket.socket) -> None:
    """Send something that is not HTTP."""
    connection.sendall(b"hello\r\n\r\n")


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (silent, 0, "did not answer"),
        (drip, 0, "did not answer"),
        (flood, 0, "answered with too much"),
        (redirect, 302, ""),
        (babble, 0, "cannot be reached"),
    ],
)
def test_a_strange_witness_is_heard_in_time(
    answer: Callable[[socket.socket], None], status: int, words: str
) -> None:
    """The timeout is half a second here and five in production; redirects are not followed."""
    heard: list[WitnessAnswer] = []
    with listening(answer) as url:
        begin = time.monotonic()
        HttpWitnesses(seconds=0.5).offer(
            {"w": url}, {"w": b"x"}, lambda _name, said: heard.append(said)
        )
        took = time.monotonic() - begin

    (said,) = heard
    assert said.status == status
    assert words in said.body
    assert took < 1.5
