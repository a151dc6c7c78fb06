"""Exit codes, and the table from error classes to exit codes."""

import os
import sys
import traceback
from enum import IntEnum

from jara.domain.errors import (
    CardDeclined,
    Conflict,
    InvalidInput,
    JaraError,
    NotFound,
    Refused,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
)
from jara_cli.output import abandon_stdout, show_line


class ExitCode(IntEnum):
    """Exit codes of ``jara``, documented in docs/commands.md."""

    DONE = 0
    NO = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    UNAVAILABLE = 5
    WAITING = 6
    INTERRUPTED = 130


_CODES: dict[type[BaseException], ExitCode] = {
    InvalidInput: ExitCode.USAGE,
    NotFound: ExitCode.NOT_FOUND,
    Conflict: ExitCode.CONFLICT,
    Refused: ExitCode.CONFLICT,
    Unauthenticated: ExitCode.CONFLICT,
    CardDeclined: ExitCode.CONFLICT,
    TooManyRequests: ExitCode.UNAVAILABLE,
    Unavailable: ExitCode.UNAVAILABLE,
    FileNotFoundError: ExitCode.NOT_FOUND,
    BrokenPipeError: ExitCode.DONE,  # the reader closed the pipe
    KeyboardInterrupt: ExitCode.INTERRUPTED,
    BaseException: ExitCode.UNAVAILABLE,
}


def explain(error: BaseException) -> tuple[ExitCode, str]:
    """Return the exit code and the message of an error; "" prints nothing."""
    code = next(_CODES[kind] for kind in type(error).__mro__ if kind in _CODES)
    match error:
        case JaraError():
            return code, error.message
        case BrokenPipeError():
            return code, ""
        case KeyboardInterrupt():
            return code, "Interrupted."
        case OSError(strerror=str(reason)):
            place = f"'{error.filename}': " if error.filename is not None else ""
            return code, f"{place}{reason}."
        case _:
            return code, (
                f"{type(error).__name__}: {error} "
                "(this is a bug in Jara; set JARA_DEBUG=1 for details)"
            )


def report_error(error: BaseException) -> ExitCode:
    """Print one line that says what failed; ``JARA_DEBUG=1`` adds the traceback."""
    try:
        sys.stdout.flush()
    except OSError:
        abandon_stdout()
    code, sentence = explain(error)
    if os.environ.get("JARA_DEBUG") == "1":
        traceback.print_exception(error)
    if sentence:
        sys.stderr.write(f"error: {show_line(sentence)}\n")
    return code
