"""Runs ``jara`` as a process of its own at a terminal.

The process is a fork of this one, which has imported Jara.
"""

import os
import pty
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from jara_cli.main import run

SECONDS_TO_ANSWER = 300.0


class PtyProgram:
    """A process with its own terminal of 80 columns."""

    def __init__(self, folder: Path, *words: str, **settings: str) -> None:
        """Start ``jara`` in a folder that is also its home."""
        self.seen = ""
        self._at = 0
        environ = {"PATH": "", "HOME": str(folder), "COLUMNS": "80", "TERM": "xterm", **settings}
        pid, self._terminal = pty.fork()
        if pid == 0:
            # A shell in the background ignores Ctrl+C, and so would all that it starts.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            _become_jara(folder, words, environ)
        self._pid = pid

    def wait_for(self, text: str) -> None:
        """Read until a text appears after the one that was waited for before."""
        end = time.monotonic() + SECONDS_TO_ANSWER
        while (place := self.seen.find(text, self._at)) < 0:
            assert time.monotonic() < end, f"no {text!r} in:\n{self.seen}"
            assert self._read(), f"it ended without {text!r}:\n{self.seen}"
        self._at = place + len(text)

    def type(self, line: str) -> None:
        """Type a line, and Enter."""
        os.write(self._terminal, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl+C."""
        os.write(self._terminal, b"\x03")

    def kill(self) -> None:
        """Kill the process."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._terminal)

    def end(self) -> int:
        """Read all until the process ends; return its exit status."""
        while self._read():
            pass
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def _read(self) -> bool:
        if not select.select([self._terminal], [], [], SECONDS_TO_ANSWER)[0]:
            return False
        try:
            data = os.read(self._terminal, 1 << 16)
        except OSError:  # Linux: the other side is closed
            return False
        self.seen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


def _become_jara(folder: Path, words: Sequence[str], environ: Mapping[str, str]) -> NoReturn:
    """Do what the program does that was started in a folder with these words; end with it."""
    status: object = 1
    try:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environ)
        sys.argv = ["jara", *words]
        sys.stdin = os.fdopen(0, encoding="utf-8")
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        run()
    except SystemExit as end:
        status = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status if isinstance(status, int) else int(status is not None))
