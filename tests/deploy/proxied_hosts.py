"""A reverse proxy in front of hosts that count requests, and calls through it."""

import http.client
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, NamedTuple

from tests.sizes import PATIENCE_SECONDS

SITE = "give.example.org"


class Hosts(ThreadingHTTPServer):
    """A server whose clients may leave."""

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


class Host(BaseHTTPRequestHandler):
    """A host of Jara that counts requests; one that is broken drops the connection instead."""

    requests: ClassVar[list[tuple[int, dict[str, str]]]]
    broken: ClassVar[int]

    def answer(self) -> None:
        """Answer, or break off once the request is here."""
        port = int(self.connection.getsockname()[1])
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.requests.append((port, dict(self.headers)))
        if port == self.broken:
            self.connection.close()
            return
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 - the names of the base class

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def two_hosts() -> Iterator[list[int]]:
    """Run two hosts, of which the first is broken; yield their ports."""
    hosts = [Hosts(("127.0.0.1", 0), Host) for _ in range(2)]
    ports = [int(host.server_address[1]) for host in hosts]
    Host.requests, Host.broken = [], ports[0]
    for host in hosts:
        threading.Thread(target=host.serve_forever, daemon=True).start()
    try:
        yield ports
    finally:
        for host in hosts:
            host.shutdown()
            host.server_close()


class Reply(NamedTuple):
    """What came back through the proxy."""

    status: int
    headers: dict[str, str]


class Proxy(NamedTuple):
    """A proxy that runs: its port, the certificate that its own is checked with, its name."""

    port: int
    authority: Path
    name: str = SITE

    def ask(
        self,
        method: str = "GET",
        path: str = "/api/user/votes",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        address: str = "127.0.0.1",
    ) -> Reply:
        """Make a call to the site by its name, over TLS."""
        context = ssl.create_default_context(cafile=str(self.authority))
        with socket.create_connection((address, self.port), timeout=PATIENCE_SECONDS) as plain:
            connection = http.client.HTTPConnection(self.name)
            connection.sock = context.wrap_socket(plain, server_hostname=self.name)
            body = b"{}" if body is None and method != "GET" else body
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            response.read()
            connection.close()
            return Reply(response.status, dict(response.getheaders()))


@contextmanager
def running(command: Sequence[str], port: int, authority: Path, *, folder: Path) -> Iterator[Proxy]:
    """Run a proxy, with its log in a folder, until the block ends; it answers from the start."""
    log = folder / "proxy.log"
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out) as program:
        try:
            _wait(Proxy(port, authority), program, log)
            yield Proxy(port, authority)
        finally:
            program.terminate()


def _wait(proxy: Proxy, program: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a proxy has its certificate and takes connections."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and program.poll() is None:
        try:
            context = ssl.create_default_context(cafile=str(proxy.authority))
            with (
                socket.create_connection(("127.0.0.1", proxy.port), timeout=5) as plain,
                context.wrap_socket(plain, server_hostname=SITE),
            ):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"the proxy did not start: {log.read_text('utf-8')}")


def check_one_host_down(proxy: Proxy, method: str) -> None:
    """Check that visitors see nothing of a broken host, and that no change is sent twice."""
    statuses = [proxy.ask(method).status for _ in range(4)]

    tried = [port for port, _ in Host.requests]
    assert tried.count(Host.broken) == 1
    if method == "GET":
        assert (statuses, len(tried)) == ([200] * 4, 5)
    else:
        assert (sorted(statuses), len(tried)) == ([200, 200, 200, 502], 4)
