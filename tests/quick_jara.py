"""A program ``jara`` that starts at once, for tests that type many commands or start servers.

A server has imported Jara and forks for each command, which gets the caller's arguments, folder,
environment and streams, and the signals that the caller gets. Each command is a process of its
own; only the imports are shared. ``python -m tests.quick_jara FOLDER`` puts the program into a
folder and serves it until a signal.
"""

import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NoReturn

import jara
import jara_cli
import jara_webapi

DELAY = "DELAY_SECONDS"
"""The variable that says how much later than now a command runs; not a setting of Jara."""
NOW = "NOW"
"""The variable that says what is now, if that is not the time of the computer's clock."""

_CLIENT = """#!{python} -SE
import _signal, json, os, socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.connect({address!r})
call = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [call], [0, 1, 2])
process = int(server.recv(20))
for number in (_signal.SIGTERM, _signal.SIGINT):
    _signal.signal(number, lambda number, _: os.kill(process, number))
sys.exit(int(server.recv(4) or 255))
"""
_CALL_MAX = 100_000
_PATIENCE_SECONDS = 20
_HAS_MAIN = ("__main__", ".wsgi")
_METRICS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""prometheus_client looks when it is imported whether it is set, later only what it says."""


@contextmanager
def quick_jara(folder: Path) -> Iterator[Path]:
    """Give a folder with a program ``jara``, to put on the path."""
    command = [sys.executable, "-m", __name__, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        yield folder
        server.terminate()


def _serve(folder: Path) -> None:
    os.environ[_METRICS_VARIABLE] = os.devnull
    for package in (jara, jara_cli, jara_webapi):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith(_HAS_MAIN):
                importlib.import_module(module.name)
    gc.freeze()  # the collector would copy the shared memory
    address, program = str(folder / "socket"), folder / "jara"
    program.write_text(_CLIENT.format(python=sys.executable, address=address))
    program.chmod(0o755)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit())
    os.write(1, b"ready\n")
    with suppress(SystemExit):
        while True:
            caller = listener.accept()[0]
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                listener.close()
                _run(caller)
            caller.close()
    signal.alarm(_PATIENCE_SECONDS)  # for a server that nobody stopped
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
    time.tzset()
    _set_clock(environ.get(NOW), timedelta(seconds=float(environ.get(DELAY, 0))))
    process = os.getpid()
    caller.send(str(process).encode())

    def end(status: object) -> NoReturn:
        if isinstance(status, str):  # a message
            sys.stderr.write(f"{status}\n")
            status = 1
        sys.stdout.flush()
        sys.stderr.flush()
        if os.getpid() == process:  # not one that it forked
            with suppress(OSError):  # the caller was killed
                caller.send(str(status or 0).encode())
        os._exit(0)

    def become(_program: str, words: Sequence[str]) -> NoReturn:
        sys.argv = list(words[2:])
        try:
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        except SystemExit as status:
            end(status.code)
        end(0)

    os.execv = become  # type: ignore[assignment] # only Jara's own server is started so
    try:
        run()
    except SystemExit as status:
        end(status.code)


def _set_clock(text: str | None, delay: timedelta) -> None:
    from jara.bootstrap import SystemClock  # noqa: PLC0415 - imported before

    now = SystemClock.now
    moved = timedelta(0) if text is None else datetime.fromisoformat(text) - now(SystemClock())

    def shown(self: SystemClock) -> datetime:
        return now(self) + moved + delay

    SystemClock.now = shown  # type: ignore[method-assign] # this process is the command


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
