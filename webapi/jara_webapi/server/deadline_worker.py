"""A gunicorn worker that no slow client can stop.

gunicorn's threaded worker reads the head and the body of a request in one of its
threads, without a limit: as many idle or dripping clients as there are threads stop it.
Here a request is gathered first, in pieces and without waiting; a thread is kept busy
only once the request is complete. All of it must arrive within ten seconds.
"""

from __future__ import annotations

import errno
import re
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any

from gunicorn import util
from gunicorn.http.errors import LimitRequestHeaders, ParseException
from gunicorn.workers import gthread

from jara_webapi.server.answer import answer_request
from jara_webapi.server.malformed_requests import answer_to_malformed, has_long_head

REQUEST_SECONDS = 10.0
SEND_SECONDS = 30.0
GATHER_BYTES_MAX = 96 * 1024
"""More than head and body may have; whatever is longer is refused by the app."""

_HEAD_BYTES_MAX = 16 * 1024
_HELD_BYTES_MAX = 64 * 1024
_LINGER_SECONDS = 0.5
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,12})[ \t]*\r\n", re.IGNORECASE)
_ANSWER_FIRST = re.compile(rb"\r\nexpect:", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_MORE_TO_COME = re.compile(rb"\r\n(content-length|expect|transfer-encoding):", re.IGNORECASE)


class GatheringSocket(socket.socket):
    """A socket that hands out what was gathered first, and gives up at its deadline.

    It waits only where it has to, and says itself how long: gunicorn's many changes between
    waiting and not waiting are left out, for each would be a call of the system. The head
    and the body of an answer leave in one piece.
    """

    def __init__(self, fileno: int) -> None:
        """Take over a connection."""
        super().__init__(fileno=fileno)
        super().settimeout(0.0)
        self.gathered = b""
        self.deadline: float | None = None
        self.arrived = 0.0
        self._held = b""

    def settimeout(self, value: float | None) -> None:
        """Leave it as it is: this socket knows when to wait."""

    def setblocking(self, flag: bool) -> None:  # noqa: FBT001 - Python's own
        """Leave it as it is: this socket knows when to wait."""

    def gather(self) -> bool:
        """Read what has arrived; tell whether a whole request has, or nothing more will."""
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
        self.flush()
        left = REQUEST_SECONDS if self.deadline is None else self.deadline - time.monotonic()
        with self._waiting(left, "the request did not arrive in time"):
            return super().recv(size, flags)

    def sendall(self, data: Any) -> None:  # type: ignore[override] # noqa: ANN401 - any buffer
        """Send, at the latest when the answer is whole; see `flush`."""
        if len(self._held) + len(data) <= _HELD_BYTES_MAX:
            self._held += data
        else:
            self.flush()
            self._send(data)

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:  # noqa: ANN401 - any file
        """Send a file."""
        self.flush()
        with self._waiting(SEND_SECONDS, "the client does not read the answer"):
            return super().sendfile(file, offset, count)

    def flush(self) -> None:
        """Send what is held back; give up on a client that does not read."""
        held, self._held = self._held, b""
        if held:
            self._send(held)

    def _send(self, data: bytes) -> None:
        try:
            sent = super().send(data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        if sent < len(data):
            with self._waiting(SEND_SECONDS, "the client does not read the answer"):
                super().sendall(memoryview(data)[sent:])

    @contextmanager
    def _waiting(self, seconds: float, otherwise: str) -> Iterator[None]:
        """Let what is done inside wait so long."""
        if seconds <= 0:
            raise ConnectionResetError(errno.ECONNRESET, otherwise)
        super().settimeout(seconds)
        try:
            yield
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, otherwise) from None
        finally:
            super().settimeout(0.0)


class Hands:
    """The threads of a worker: what is handed over is done by the next one that is free.

    A pool of the standard library keeps account of each task, which costs more than giving
    it to a thread; here nobody asks what became of one.
    """

    def __init__(self, count: int) -> None:
        """Begin so many threads."""
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Callable[[], None]) -> None:
        """Let a task be done; it raises nothing."""
        self._tasks.put(task)

    def shutdown(self, *, wait: bool) -> None:
        """End once everything that was handed over is done."""
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()


class DeadlineWorker(gthread.ThreadWorker):  # type: ignore[misc] # gunicorn has no types
    """gunicorn's threaded worker, with requests gathered before a thread is spent on them."""

    def init_process(self) -> None:
        """Look every setting up once: gunicorn asks for a dozen and more at each request."""
        self.cfg.__dict__.update({name: one.get() for name, one in self.cfg.settings.items()})
        super().init_process()

    def get_thread_pool(self) -> Hands:
        """Use threads of our own."""
        return Hands(self.cfg.threads)

    def enqueue_req(self, conn: Any) -> None:  # noqa: ANN401 - gunicorn's connection
        """Give a new connection a socket that gathers."""
        if isinstance(conn.sock, GatheringSocket):
            conn.sock.arrived = time.monotonic()  # the first bytes of a request are here
        else:
            conn.sock = GatheringSocket(conn.sock.detach())
        self.tpool.submit(partial(self._serve, conn))

    def _serve(self, conn: Any) -> None:  # noqa: ANN401 - gunicorn's connection
        """Serve a request, and let the connection wait for the next one.

        The thread puts it back into the poller itself, for waking the main loop to do so
        would cost as much as the request; whatever is rarer is left to the main loop.
        """
        served: Future[Any] = Future()
        try:
            keeps = self.handle(conn)
            if keeps is True and self.alive:
                self._wait_for_the_next(conn)
                return
            served.set_result(keeps)
        except Exception as error:  # noqa: BLE001 - the main loop closes the connection
            served.set_exception(error)
        self.method_queue.defer(self.finish_request, conn, served)

    def _wait_for_the_next(self, conn: Any) -> None:  # noqa: ANN401 - gunicorn's connection
        if conn.sock.gathered or conn.parser.unreader.buf.getvalue():
            self.enqueue_req(conn)  # it came together with the last one
            return
        conn.set_timeout()
        self.keepalived_conns.append(conn)
        again = partial(self.on_client_socket_readable, conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, again)

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
        if has_long_head(sock.gathered):
            self.handle_error(None, sock, None, LimitRequestHeaders("all of them"))
            with suppress(OSError):
                sock.flush()
            return _end(sock)
        conn.data_ready = True
        keeps = super().handle(conn)
        try:
            sock.flush()
        except OSError:
            keeps = False
        sock.deadline = None
        if keeps is not True:
            return _end(sock)
        conn.parser.mesg = None  # its body is read; the parser would look for it once more
        return True

    def handle_request(self, req: Any, conn: Any) -> bool:  # noqa: ANN401 - gunicorn's own
        """Answer a request; tell whether another may follow on the connection."""
        more = self.alive and len(self.keepalived_conns) < self.max_keepalived
        return answer_request(self.wsgi, req, conn, closing=not more)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:  # noqa: ANN401 - gunicorn's own
        """Refuse what the parser did not understand, in the shape of every other refusal."""
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        with suppress(OSError):
            client.sendall(answer_to_malformed(exc))


def is_complete(gathered: bytes) -> bool:
    """Tell whether a thread can work on what was gathered without waiting for more."""
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
