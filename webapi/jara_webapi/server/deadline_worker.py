"""A gunicorn worker that slow clients cannot block, and its answers to malformed requests.

gunicorn's threaded worker reads the head and the body of a request in one of its
threads, without a timeout: as many slow clients as there are threads block it. This worker
first gathers a request without blocking, and gives it to a thread once it is complete. All
of it must arrive within ten seconds.

To a request that its parser refuses, gunicorn would answer with an HTML page that repeats the
input; this worker answers in the JSON shape of all errors, with a request id and a log line.
"""

import errno
import http
import logging
import re
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gunicorn import util
from gunicorn.http import errors
from gunicorn.http.errors import LimitRequestHeaders, ParseException
from gunicorn.workers import gthread

from jara_webapi.calls.errors import error_of_status
from jara_webapi.middleware.security_headers import POLICY

REQUEST_SECONDS = 10.0
SEND_SECONDS = 30.0
GATHER_BYTES_MAX = 96 * 1024
"""Above the limits of head and body; the app refuses anything longer."""

_HEAD_BYTES_MAX = 16 * 1024
_DRAIN_BYTES_MAX = 16 * 1024 * 1024
_LINGER_SECONDS = 0.5
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,12})[ \t]*\r\n", re.IGNORECASE)
_ANSWER_FIRST = re.compile(rb"\r\nexpect:", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_MORE_TO_COME = re.compile(rb"\r\n(content-length|expect|transfer-encoding):", re.IGNORECASE)


class GatheringSocket(socket.socket):
    """A non-blocking socket that returns gathered bytes first and keeps to a deadline.

    It waits only inside `recv`, `sendall` and `sendfile`, each with its own timeout.
    """

    def __init__(self, fileno: int) -> None:
        super().__init__(fileno=fileno)
        super().settimeout(0.0)
        self.gathered = b""
        self.deadline: float | None = None
        self.arrived = 0.0

    def settimeout(self, value: float | None) -> None:
        """Ignore gunicorn's setting: this socket decides when to wait."""

    def setblocking(self, flag: bool) -> None:  # noqa: FBT001 - Python's own
        """Ignore gunicorn's setting: this socket decides when to wait."""

    def gather(self) -> bool:
        """Read what has arrived; return whether it is complete or nothing more will be read."""
        while len(self.gathered) <= GATHER_BYTES_MAX:
            try:
                piece = super().recv(65536)
            except (BlockingIOError, InterruptedError):
                return is_complete(self.gathered)
            self.gathered += piece
            if not piece or is_complete(self.gathered):
                return True
        return True

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Return gathered bytes, then wait for more, never beyond the deadline."""
        if self.gathered:
            piece, self.gathered = self.gathered[:size], self.gathered[size:]
            return piece
        left = REQUEST_SECONDS if self.deadline is None else self.deadline - time.monotonic()
        with self._waiting(left, "the request did not arrive in time"):
            return super().recv(size, flags)

    def sendall(self, data: Any, flags: int = 0) -> None:  # noqa: ANN401 - any buffer
        """Send; give up on a client that does not read."""
        try:
            sent = super().send(data, flags)
        except (BlockingIOError, InterruptedError):
            sent = 0
        if sent < len(data):
            with self._waiting(SEND_SECONDS, "the client does not read the answer"):
                super().sendall(memoryview(data)[sent:], flags)

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:  # noqa: ANN401 - any file
        """Send a file; give up on a client that does not read."""
        with self._waiting(SEND_SECONDS, "the client does not read the answer"):
            return super().sendfile(file, offset, count)

    @contextmanager
    def _waiting(self, seconds: float, otherwise: str) -> Iterator[None]:
        """Set a timeout of the socket inside the block."""
        if seconds <= 0:
            raise ConnectionResetError(errno.ECONNRESET, otherwise)
        super().settimeout(seconds)
        try:
            yield
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, otherwise) from None
        finally:
            super().settimeout(0.0)


class DeadlineWorker(gthread.ThreadWorker):  # type: ignore[misc] # gunicorn has no types
    """gunicorn's threaded worker; a request reaches a thread once it has arrived whole."""

    wsgi: Any

    def enqueue_req(self, conn: Any) -> None:  # noqa: ANN401 - gunicorn's connection
        """Give a new connection a gathering socket, and record when a request arrives."""
        if isinstance(conn.sock, GatheringSocket):
            conn.sock.arrived = time.monotonic()  # the first bytes of a request are here
        else:
            conn.sock = GatheringSocket(conn.sock.detach())
        super().enqueue_req(conn)

    def init_process(self) -> None:
        """Look up the settings once: gunicorn does so a dozen times per request.

        gunicorn looks them up in `__getattr__`, which Python calls only for what is not in
        `__dict__`. Without this a third of the throughput is lost (goal W1).
        """
        self.cfg.__dict__.update({name: one.get() for name, one in self.cfg.settings.items()})
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the app; after a refused body its answer says that the connection ends."""
        super().load_wsgi()
        app = self.wsgi

        def serve(environ: Any, start_response: Any) -> Any:  # noqa: ANN401 - of WSGI
            def start(status: str, *more: Any) -> Any:  # noqa: ANN401 - of WSGI
                if status.startswith("413"):
                    start_response.__self__.force_close()  # gunicorn's response
                return start_response(status, *more)

            return app(environ, start)

        self.wsgi = serve

    def handle(self, conn: Any) -> Any:  # noqa: ANN401 - gunicorn's connection
        """Serve a request if it is complete; else let the connection wait in the poller."""
        sock = conn.sock
        now = time.monotonic()
        if conn.parser is not None:
            sock.gathered = conn.parser.unreader.take_buffered() + sock.gathered
        if sock.deadline is None:
            sock.deadline = now + REQUEST_SECONDS
        try:
            if not sock.gather():
                if now < sock.deadline:
                    return gthread._DEFER  # noqa: SLF001 - gunicorn's sign for 'not yet'
                util.close(sock)  # no lingering for a client that never finished its request
                return False
        except OSError:
            util.close(sock)
            return False
        if has_long_head(sock.gathered):
            self.handle_error(None, sock, None, LimitRequestHeaders("all of them"))
            return _close(sock)
        conn.data_ready = True
        keeps = super().handle(conn)
        sock.deadline = None
        if keeps is not True:
            return _close(sock)
        # The poller cannot see bytes of the next request that were read already;
        # gunicorn looks for them in the parser's buffer.
        unreader = conn.parser.unreader
        unreader.unread(unreader.take_buffered() + sock.gathered)
        sock.gathered = b""
        return True

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:  # noqa: ANN401 - gunicorn's own
        """Answer a malformed request with an error in the usual JSON shape."""
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        with suppress(OSError):
            client.sendall(answer_to_malformed(exc))


def is_complete(gathered: bytes) -> bool:
    """Return whether a thread can serve the gathered bytes without waiting for more."""
    end = gathered.find(b"\r\n\r\n")
    if end < 0:
        return len(gathered) > _HEAD_BYTES_MAX  # the parser will refuse it
    head = gathered[: end + 2]
    if _MORE_TO_COME.search(head) is None:
        return True
    if _ANSWER_FIRST.search(head):
        return True
    if _CHUNKED.search(head):
        return b"0\r\n\r\n" in gathered[end + 4 :]
    length = _LENGTH.search(head)
    wanted = int(length[1]) if length is not None else 0
    return wanted > GATHER_BYTES_MAX or len(gathered) - end - 4 >= wanted


def _close(sock: GatheringSocket) -> bool:
    """Close a connection from the thread that served it; the main loop must not wait.

    Read for a moment what the client is still sending: otherwise the kernel would reset the
    connection, and the client could lose the answer (RFC 9112 §9.6).
    """
    sock.gathered = b""
    sock.deadline = time.monotonic() + _LINGER_SECONDS
    util.close_graceful(sock, timeout=_LINGER_SECONDS, max_drain=_DRAIN_BYTES_MAX)
    return False


HEADERS_BYTES_MAX = 8 * 1024
"""Limit for all headers of a request together."""

_STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (errors.LimitRequestLine, 414),
    (errors.LimitRequestHeaders, 431),
    (errors.ExpectationFailed, 417),
    (errors.UnsupportedTransferCoding, 501),
)


def has_long_head(gathered: bytes) -> bool:
    """Return whether the headers that have arrived exceed the limit for all of them."""
    begin, end = gathered.find(b"\r\n"), gathered.find(b"\r\n\r\n")
    return (len(gathered) if end < 0 else end) - max(begin, 0) > HEADERS_BYTES_MAX


def answer_to_malformed(error: Exception) -> bytes:
    """Return the whole response to a malformed request, and log it."""
    status = next((status for kind, status in _STATUSES if isinstance(error, kind)), 400)
    request_id = secrets.token_hex(16)
    fields = {"request": request_id, "method": "other", "route": "(none)", "status": status}
    logging.getLogger("jara.web.requests").info("request", extra={"fields": fields})
    body = error_of_status(status)
    head = (
        f"HTTP/1.1 {status} {http.HTTPStatus(status).phrase}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        f"Content-Security-Policy: {POLICY}",
        f"X-Request-Id: {request_id}",
        "",
        "",
    )
    return "\r\n".join(head).encode("ascii") + body
