"""Results of the doctor's checks, and the environment they check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import NamedTuple

from jara.domain.progress import Progress
from jara.services.books.verification import Reopen
from jara.services.context import Context


class Level(StrEnum):
    """The severity of a result."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class CheckResult(NamedTuple):
    """The result of one check."""

    name: str
    level: Level
    message: str

    @property
    def ok(self) -> bool:
        """Whether it is not an error."""
        return self.level is not Level.ERROR


class Environment(NamedTuple):
    """Facts about the installation that the entry point collects.

    Args:
        unknown_variables: JARA_ variables that are not settings.
        free_bytes: free space on the database's disk; None for a database server.
        has_pdf: whether the extra for PDF reports is installed.
        sends_mail: whether a mail server is set; else emails become files.
        postal_address: of the settings, required in every email; the organisation may set its own.
        trusted_proxies: networks trusted to report a client's address.
        media_problem: why photos and documents cannot be stored; empty when they can.
        exposed_settings: a world-readable file with keys, if any.
        progress: called with the rows that the check of the books reads.
        reopen: lets other processes check large books too.
    """

    unknown_variables: tuple[str, ...] = ()
    free_bytes: int | None = 0
    has_pdf: bool = False
    sends_mail: bool = False
    postal_address: str = ""
    trusted_proxies: tuple[str, ...] = ()
    media_problem: str = ""
    exposed_settings: str = ""
    progress: Progress | None = None
    reopen: Reopen | None = None


Check = Callable[[Context, Environment], Iterable[CheckResult]]


def fine(name: str, message: str) -> CheckResult:
    """Return the result of a check without findings."""
    return CheckResult(name, Level.OK, message)


def warning(name: str, message: str) -> CheckResult:
    """Return a warning."""
    return CheckResult(name, Level.WARNING, message)


def error(name: str, message: str) -> CheckResult:
    """Return an error, which needs immediate action."""
    return CheckResult(name, Level.ERROR, message)
