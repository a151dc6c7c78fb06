"""A program ``jara`` that starts at once, for tests that type many commands in a real shell.

A server has imported Jara and forks for each command, which gets the caller's arguments, folder,
environment and streams. Each command is a process of its own; only the imports are shared.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

import jara
import jara_cli

DELAY = "DELAY_SECONDS"
"""The variable that says how much later than now a command runs; not a setting of Jara."""
NOW = "NOW"
"""The variable that says what is now, if that is not the time of the computer's clock."""

_CLIENT = """#!{python} -SE
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.connect({address!r})
call = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [call], [0, 1, 2])
sys.exit(int(server.recv(4) or 255))
"""
_CALL_MAX = 100_000


@contextmanager
def quick_jara(folder: Path) -> Iterator[Path]:
    """Give a new folder with a program ``jara``, to put on the path."""
    address, program = str(folder / "socket"), folder / "jara"
    program.write_text(_CLIENT.format(python=sys.executable, address=address))
    program.chmod(0o755)
    command = [sys.executable, "-m", __name__, address]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        yield folder
        server.terminate()


def _serve(address: str) -> None:
    for package in (jara, jara_cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    gc.freeze()  # the collector would copy the shared memory
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    os.write(1, b"ready\n")
    with suppress(SystemExit):
        while True:
            caller = listener.accept()[0]
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                listener.close()
                _run(caller)
            caller.close()
    with suppress(ChildProcessError):  # so that the time they took is counted
        while True:
            os.wait()


def _run(caller: socket.socket) -> None:
    """Run a command for a caller; end this process."""
    from jara_cli.main import run  # noqa: PLC0415 - imported before

    call, streams, _, _ = socket.recv_fds(caller, _CALL_MAX, 3)
    for at, stream in enumerate(streams):
        os.dup2(stream, at)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(at, mode) for at, mode in enumerate("rww"))
    sys.argv, here, environ = json.loads(call)
    os.chdir(here)
    os.environ.clear()
    os.environ.update(environ)
    _set_clock(environ.get(NOW), timedelta(seconds=float(environ.get(DELAY, 0))))
    status: object = 255
    try:
        run()
    except SystemExit as end:
        status = end.code
    sys.stdout.flush()
    sys.stderr.flush()
    caller.send(str(status).encode())
    os._exit(0)


def _set_clock(text: str | None, delay: timedelta) -> None:
    from jara.bootstrap import SystemClock  # noqa: PLC0415 - imported before

    now = SystemClock.now
    moved = timedelta(0) if text is None else datetime.fromisoformat(text) - now(SystemClock())

    def shown(self: SystemClock) -> datetime:
        return now(self) + moved + delay

    SystemClock.now = shown  # type: ignore[method-assign] # this process is the command


if __name__ == "__main__":
    _serve(sys.argv[1])
