"""A real server in a separate process, and a client that uses a socket."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.places import database_of
from tests.sizes import PATIENCE_SECONDS


@dataclass(frozen=True)
class LiveServer:
    """The server's address, its process, and its log."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Answer:
        """Make a call on a separate connection."""
        headers = {"token": token} if token else {}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        return self.send(method, path, data, headers)

    def send(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Answer:
        """Send a request with the given body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, f"/api{path}", body=data, headers=headers)
            response = connection.getresponse()
            raw = response.read()
        finally:
            connection.close()
        return Answer(response.status, dict(response.getheaders()), raw)

    def connect(self) -> socket.socket:
        """Open a connection without sending anything."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)


@dataclass(frozen=True)
class Answer:
    """The server's answer."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        """The body as a JSON document."""
        return json.loads(self.raw)


JARA = (sys.executable, "-c", "from jara_cli.main import run; run()")


@contextmanager
def serve(folder: Path, jara: Sequence[str] = JARA, **settings: str) -> Iterator[LiveServer]:
    """Create an organisation in a folder, serve it with the command line, and stop it."""
    environ = {**os.environ, "JARA_DATABASE_URL": database_of(folder), **settings}
    if not (folder / "jara.secrets").exists():
        subprocess.run([*jara, "init"], env=environ, cwd=folder, check=True, capture_output=True)
    port = free_port()
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*jara, "serve", "--port", str(port), "--workers", "2", "--threads", "4"],
            env=environ,
            cwd=folder,
            stdout=out,
            stderr=out,
        )
    server = LiveServer(port, process, log)
    try:
        wait_until_ready(server)
        yield server
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE_SECONDS)


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_ready(server: LiveServer) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            break
        try:
            if server.call("GET", "/config").status == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"the server did not start: {server.log.read_text()}")
