"""The worker that no slow client can stop: when a request is complete, and when it is over."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from jara_webapi import deadline_worker
from jara_webapi.deadline_worker import GATHER_BYTES_MAX, GatheringSocket, is_complete


@pytest.fixture
def pair() -> Iterator[tuple[GatheringSocket, socket.socket]]:
    """The server's end and the client's end of a connection."""
    here, there = socket.socketpair()
    server = GatheringSocket(fileno=here.detach())
    yield server, there
    server.close()
    there.close()


@pytest.mark.parametrize(
    ("gathered", "complete"),
    [
        (b"", False),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", False),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", True),
        (b"a" * 20_000, True),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab", False),
        (b"POST / HTTP/1.1\r\nCONTENT-length: 3\r\n\r\nabc", True),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\na", True),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", False),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", True),
        (b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n", True),
    ],
)
def test_a_thread_is_spent_on_complete_requests(gathered: bytes, *, complete: bool) -> None:
    """Or on those that are refused, or answered first, anyway."""
    assert complete is is_complete(gathered)


def test_what_has_arrived_is_gathered_without_waiting(
    pair: tuple[GatheringSocket, socket.socket],
) -> None:
    """Piece by piece, and handed out in order."""
    server, client = pair
    assert server.gather() is False
    client.sendall(b"GET / HTTP/1.1\r\nHost")
    assert server.gather() is False
    client.sendall(b": x\r\n\r\n")
    assert server.gather() is True

    assert [b"GET ", b"/ HT"] == [server.recv(4), server.recv(4)]


def test_a_client_that_left_is_not_waited_for(
    pair: tuple[GatheringSocket, socket.socket],
) -> None:
    """The parser sees the end, whatever is missing."""
    server, client = pair
    client.sendall(b"GET / HT")
    client.close()

    assert server.gather() is True


def test_a_flood_is_gathered_up_to_a_limit(
    pair: tuple[GatheringSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is bounded; the rest stays in the kernel."""
    monkeypatch.setattr(deadline_worker, "GATHER_BYTES_MAX", 10)
    server, client = pair
    client.sendall(b"a" * 100)

    assert server.gather() is True
    assert len(server.gathered) <= GATHER_BYTES_MAX


def test_waiting_ends_at_the_deadline(pair: tuple[GatheringSocket, socket.socket]) -> None:
    """As a connection that was reset, which the server takes calmly."""
    server, client = pair
    server.deadline = time.monotonic() + 0.05
    with pytest.raises(ConnectionResetError, match="in time"):
        server.recv(10)
    with pytest.raises(ConnectionResetError, match="in time"):
        server.recv(10)
    server.deadline = None
    client.sendall(b"late")
    server.settimeout(1)

    assert b"late" == server.recv(10)


def test_sending_to_a_client_that_does_not_read_ends(
    pair: tuple[GatheringSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No thread is kept by somebody who asks and never reads."""
    monkeypatch.setattr(deadline_worker, "SEND_SECONDS", 0.05)
    server, _client = pair

    with pytest.raises(ConnectionResetError, match="does not read"):
        server.sendall(b"a" * 10_000_000)


def test_ending_a_connection_reads_what_still_comes(
    pair: tuple[GatheringSocket, socket.socket],
) -> None:
    """For a moment, so that the last answer is not lost in a reset."""
    server, client = pair
    client.sendall(b"more")
    client.shutdown(socket.SHUT_WR)

    assert deadline_worker._end(server) is False
    assert server.fileno() == -1
