"""A gunicorn worker that no slow client can stop.

gunicorn's threaded worker reads the head and the body of a request in one of its
threads, without a limit: as many idle or dripping clients as there are threads stop it.
Here a request is gathered first, in pieces and without waiting; a thread is kept busy
only once the request is complete. All of it must arrive within ten seconds.
"""

from __future__ import annotations

import re
import socket
import time
from typing import Any

from gunicorn import util
from gunicorn.workers import gthread

REQUEST_SECONDS = 10.0
SEND_SECONDS = 30.0
GATHER_BYTES_MAX = 96 * 1024
"""More than head and body may have; whatever is longer is refused by the app."""

_HEAD_BYTES_MAX = 16 * 1024
_LINGER_SECONDS = 0.5
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,12})[ \t]*\r\n", re.IGNORECASE)
_ANSWER_FIRST = re.compile(rb"\r\nexpect:", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)


class GatheringSocket(socket.socket):
    """A socket that hands out what was gathered first, and gives up at its deadline."""

    gathered = b""
    deadline: float | None = None

    def gather(self) -> bool:
        """Read what has arrived; tell whether a whole request has, or nothing more will."""
        self.settimeout(0.0)
        while len(self.gathered) <= GATHER_BYTES_MAX:
            try:
                piece = super().recv(65536)
            except (BlockingIOError, InterruptedError):
                return is_complete(self.gathered)
            if not piece:
                return True
            self.gathered += piece
        return True

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Return gathered bytes, then wait for more, never beyond the deadline."""
        if self.gathered:
            piece, self.gathered = self.gathered[:size], self.gathered[size:]
            return piece
        if self.deadline is not None:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise ConnectionResetError("the request did not arrive in time")
            self.settimeout(left)
        try:
            return super().recv(size, flags)
        except TimeoutError:
            raise ConnectionResetError("the request did not arrive in time") from None

    def sendall(self, data: Any, flags: int = 0) -> None:  # noqa: ANN401 - any buffer
        """Send, and give up on a client that does not read."""
        self.settimeout(SEND_SECONDS)
        try:
            super().sendall(data, flags)
        except TimeoutError:
            raise ConnectionResetError("the client does not read the answer") from None


class DeadlineWorker(gthread.ThreadWorker):  # type: ignore[misc] # gunicorn has no types
    """gunicorn's threaded worker, with requests gathered before a thread is spent on them."""

    def enqueue_req(self, conn: Any) -> None:  # noqa: ANN401 - gunicorn's connection
        """Give a new connection a socket that gathers."""
        if not isinstance(conn.sock, GatheringSocket):
            conn.sock = GatheringSocket(fileno=conn.sock.detach())
            conn.sock.settimeout(0.0)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:  # noqa: ANN401 - gunicorn's connection
        """Serve a request if it is here; else let the connection wait in the poller."""
        sock = conn.sock
        now = time.monotonic()
        if conn.parser is not None:
            # What the parser has read of the next request belongs to the gathering again.
            sock.gathered = conn.parser.unreader.take_buffered() + sock.gathered
        if sock.deadline is None:
            sock.deadline = now + REQUEST_SECONDS
        try:
            if not sock.gather():
                if now < sock.deadline:
                    return gthread._DEFER  # noqa: SLF001 - the one word for 'later'
                util.close(sock)  # at once: nothing is owed to a client that never asked
                return False
        except OSError:
            util.close(sock)
            return False
        conn.data_ready = True
        keeps = super().handle(conn)
        sock.deadline = None
        return keeps if keeps is True else _end(sock)

    def finish_request(self, conn: Any, fs: Any) -> None:  # noqa: ANN401 - gunicorn's own
        """Go on at once with a request that was gathered together with the last one."""
        served = not fs.cancelled() and fs.exception() is None and fs.result() is True
        if served and conn.sock.gathered:
            self.enqueue_req(conn)
            return
        super().finish_request(conn, fs)


def is_complete(gathered: bytes) -> bool:
    """Tell whether a thread can work on what was gathered without waiting for more."""
    end = gathered.find(b"\r\n\r\n")
    if end < 0:
        return len(gathered) > _HEAD_BYTES_MAX  # the parser will refuse it
    head = gathered[: end + 2]
    if _ANSWER_FIRST.search(head):
        return True
    if _CHUNKED.search(head):
        return b"0\r\n\r\n" in gathered[end + 4 :]
    length = _LENGTH.search(head)
    wanted = int(length[1]) if length is not None else 0
    return wanted > GATHER_BYTES_MAX or len(gathered) - end - 4 >= wanted


def _end(sock: GatheringSocket) -> bool:
    """Close a connection from the thread that served it; the main loop must not wait.

    The client may still be sending: its bytes are read for a moment, so that our last
    bytes are not lost in a reset (RFC 9112 §9.6).
    """
    sock.gathered = b""
    try:
        sock.shutdown(socket.SHUT_WR)
        sock.deadline = time.monotonic() + _LINGER_SECONDS
        while sock.recv(65536):
            pass
    except OSError:
        pass
    util.close(sock)
    return False
