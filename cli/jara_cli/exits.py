"""Exit statuses, and the one table from a kind of error to its status (contract)."""

from __future__ import annotations

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


class ExitCode(IntEnum):
    """What a script learns from a command without reading a word of it."""

    DONE = 0
    NO = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    UNAVAILABLE = 5
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
    BrokenPipeError: ExitCode.DONE,  # the reader has all it wanted
    KeyboardInterrupt: ExitCode.INTERRUPTED,
    BaseException: ExitCode.UNAVAILABLE,
}


def explain(error: BaseException) -> tuple[ExitCode, str]:
    """Choose the status of an error, and the sentence for the person; "" says nothing."""
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
                "(a defect of Jara; with JARA_DEBUG=1 it shows where)"
            )
