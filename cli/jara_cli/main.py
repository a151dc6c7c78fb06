"""The front door: answers ``--version`` at once, and turns every failure into one line.

Nothing heavy is imported up here, because this module decides what is needed at all.
"""

from __future__ import annotations

import gc
import os
import sys

from jara import __version__


def run() -> None:
    """Answer the command line of this process and leave with its exit status."""
    gc.disable()  # until the command is found: what starting makes is no garbage
    _open_missing_streams()
    sys.exit(execute(sys.argv[1:]))


def execute(argv: list[str]) -> int:
    """Run one command line; whatever happens, the answer is an exit status."""
    try:
        status = _answer(argv)
        sys.stdout.flush()  # while an error of the pipe or the disk can still be reported
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - nobody sees a traceback
        return _report(error)
    return status


def _answer(argv: list[str]) -> int:
    if argv in (["--version"], ["-V"]):
        sys.stdout.write(f"jara {__version__}\n")
        return 0
    from jara_cli.root import run_command

    return run_command(argv)


def _report(error: BaseException) -> int:
    """Say in one line what failed; ``JARA_DEBUG=1`` shows where."""
    from jara_cli.exits import explain
    from jara_cli.output import abandon_stdout, show_line

    try:
        sys.stdout.flush()
    except OSError:
        abandon_stdout()
    status, sentence = explain(error)
    if os.environ.get("JARA_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    if sentence:
        sys.stderr.write(f"error: {show_line(sentence)}\n")
    return int(status)


def _open_missing_streams() -> None:
    """Give a process that was started with closed streams somewhere to write to.

    Otherwise the database could be opened as file 1, and a stray print would end up in it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - for good
    for stream in (sys.stdout, sys.stderr):
        # What we write is UTF-8 wherever it goes; a broken file name never stops a report.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr] # None was replaced above
