"""The worker that slow clients cannot block: complete requests, and deadlines."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest

from jara_webapi.server import deadline_worker
from jara_webapi.server.deadline_worker import (
    GATHER_BYTES_MAX,
    DeadlineWorker,
    GatheringSocket,
    is_complete,
)


@pytest.fixture
def pair() -> Iterator[tuple[GatheringSocket, socket.socket]]:
    """The two ends of a connection: server and client."""
    here, there = socket.socketpair()
    server = GatheringSocket(here.detach())
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
    """A thread is used only for requests that are complete, invalid or answered early."""
    assert complete is is_complete(gathered)


def test_arrived_bytes_are_gathered_without_waiting(
    pair: tuple[GatheringSocket, socket.socket],
) -> None:
    """Received data are read in pieces and returned in order, without waiting."""
    server, client = pair
    assert server.gather() is False
    client.sendall(b"GET / HTTP/1.1\r\nHost")
    assert server.gather() is False
    client.sendall(b": x\r\n\r\n")
    assert server.gather() is True

    assert [server.recv(4), server.recv(4)] == [b"GET ", b"/ HT"]


def test_a_client_that_left_is_not_waited_for(pair: tuple[GatheringSocket, socket.socket]) -> None:
    """If the client has disconnected, the parser sees the end of the data."""
    server, client = pair
    client.sendall(b"GET / HT")
    client.close()

    assert server.gather() is True


def test_a_flood_is_gathered_up_to_a_limit(
    pair: tuple[GatheringSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The buffer is bounded; further data stay in the kernel."""
    monkeypatch.setattr(deadline_worker, "GATHER_BYTES_MAX", 10)
    server, client = pair
    client.sendall(b"a" * 100)

    assert server.gather() is True
    assert len(server.gathered) <= GATHER_BYTES_MAX


def test_waiting_ends_at_the_deadline(pair: tuple[GatheringSocket, socket.socket]) -> None:
    """At the deadline, a read raises a connection reset, which the server handles."""
    server, client = pair
    server.deadline = time.monotonic() + 0.05
    with pytest.raises(ConnectionResetError, match="in time"):
        server.recv(10)
    with pytest.raises(ConnectionResetError, match="in time"):
        server.recv(10)
    server.deadline = None
    client.sendall(b"late")
    server.settimeout(1)

    assert server.recv(10) == b"late"


def test_sending_to_a_client_that_does_not_read_ends(
    pair: tuple[GatheringSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that never reads its answer does not hold a thread."""
    monkeypatch.setattr(deadline_worker, "SEND_SECONDS", 0.05)
    server, _client = pair

    server.sendall(b"head")
    with pytest.raises(ConnectionResetError, match="does not read"):
        server.sendall(b"a" * 10_000_000)


def test_a_long_answer_keeps_its_order(
    pair: tuple[GatheringSocket, socket.socket], tmp_path: Path
) -> None:
    """Pieces and files are sent completely and in order."""
    server, client = pair
    file = tmp_path / "photo"
    file.write_bytes(b"f" * 300_000)
    received: list[bytes] = []

    def read() -> None:
        while piece := client.recv(65536):
            received.append(piece)

    reader = threading.Thread(target=read)
    reader.start()
    server.sendall(b"head")
    server.sendall(b"b" * 700_000)
    server.sendall(b"head")
    with file.open("rb") as opened:
        assert server.sendfile(opened) == 300_000
    server.shutdown(socket.SHUT_WR)
    reader.join(10)

    assert b"".join(received) == b"head" + b"b" * 700_000 + b"head" + b"f" * 300_000


def test_only_the_socket_itself_says_when_it_waits(
    pair: tuple[GatheringSocket, socket.socket],
) -> None:
    """The server's setblocking and settimeout have no effect, also on a closed socket."""
    server, _client = pair
    server.setblocking(True)
    server.settimeout(None)
    assert server.gather() is False
    server.close()

    server.setblocking(True)


def test_a_request_arrives_with_its_first_bytes_not_with_its_connection() -> None:
    """A request arrives with its first bytes; the connection's time could make an answer stale."""
    here, there = socket.socketpair()
    conn = SimpleNamespace(sock=here)
    worker = DeadlineWorker.__new__(DeadlineWorker)
    worker.tpool = SimpleNamespace(submit=lambda *_task: Future())

    worker.enqueue_req(conn)
    assert not conn.sock.arrived
    before = time.monotonic()
    worker.enqueue_req(conn)
    assert before <= conn.sock.arrived <= time.monotonic()
    conn.sock.close()
    there.close()


def test_a_closing_connection_is_read_briefly(pair: tuple[GatheringSocket, socket.socket]) -> None:
    """Closing reads briefly, so that a reset does not lose the last answer."""
    server, client = pair
    client.sendall(b"more")
    client.shutdown(socket.SHUT_WR)

    assert deadline_worker._close(server) is False
    assert server.fileno() == -1
