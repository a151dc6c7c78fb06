"""Entry point of the program ``jara``: one command line in, one exit status out."""

import gc
import os
import sys
from importlib.util import find_spec

from jara import build_name

NO_WINDOWS = "error: Jara runs on Linux and macOS; on Windows, use it in WSL or in a container."


def run() -> None:
    """Run the command line of this process and exit with its status."""
    if find_spec("fcntl") is None:  # the locks of files
        sys.exit(NO_WINDOWS)
    _open_missing_streams()
    gc.disable()  # until a verb runs: what an import makes is no garbage
    sys.exit(execute(sys.argv[1:]))


def execute(argv: list[str]) -> int:
    """Run one command line; return an exit status whatever happens."""
    try:
        status = _answer(argv)
        sys.stdout.flush()  # while an error of the pipe or the disk can still be reported
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - no user sees a traceback
        from jara_cli.exits import report_error  # noqa: PLC0415 - --version does not need it

        return report_error(error)
    return status


def _answer(argv: list[str]) -> int:
    if argv in (["--version"], ["-V"]):
        sys.stdout.write(f"jara {build_name()}\n")
        return 0
    from jara_cli.root import run_command  # noqa: PLC0415 - --version does not need it

    return run_command(argv)


def _open_missing_streams() -> None:
    """Open /dev/null for streams that the parent process closed.

    Otherwise the database could be opened as file 1, and printed text would end up in it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - never closed
    for stream in (sys.stdout, sys.stderr):
        # Output is UTF-8 in every locale; an undecodable file name must not break a report.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr] # None was replaced above
