"""What a check of the doctor answers, and what it is told of the environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from jara.services.context import Context


class Level(StrEnum):
    """How grave a check's answer is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check saw."""

    name: str
    level: Level
    message: str

    @property
    def ok(self) -> bool:
        """Whether nothing has to be done at once."""
        return self.level is not Level.ERROR


@dataclass(frozen=True, slots=True)
class Environment:
    """What the entry point knows and no port tells.

    Args:
        unknown_variables: variables that look like settings and are none.
        free_bytes: room on the disk of the database; None where it is on a server.
        has_pdf: whether the extra for PDF reports is installed.
        sends_mail: whether a mail server is set; else emails become files.
        postal_address: what every email must carry; empty when not set.
        trusted_proxies: networks whose word about a client's address is taken.
        media_problem: why photos and documents cannot be kept; empty when they can.
        exposed_settings: the file that holds keys and can be read by everybody, if any.
    """

    unknown_variables: tuple[str, ...] = ()
    free_bytes: int | None = 0
    has_pdf: bool = False
    sends_mail: bool = False
    postal_address: str = ""
    trusted_proxies: tuple[str, ...] = ()
    media_problem: str = ""
    exposed_settings: str = ""


Check = Callable[[Context, Environment], Iterable[CheckResult]]


def fine(name: str, message: str) -> CheckResult:
    """Return the answer of a check that found nothing."""
    return CheckResult(name, Level.OK, message)


def warning(name: str, message: str) -> CheckResult:
    """Return something to know."""
    return CheckResult(name, Level.WARNING, message)


def error(name: str, message: str) -> CheckResult:
    """Return something to be done at once."""
    return CheckResult(name, Level.ERROR, message)
