"""The outcome of an import, and its rejected items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

Progress = Callable[[int], None]
"""Called with the number of items done since the last call."""


class Fault(Protocol):
    """An item that could not be read."""

    @property
    def line(self) -> int:
        """Its line in the file."""
        ...

    @property
    def message(self) -> str:
        """What is wrong with it."""
        ...


class Rejected(NamedTuple):
    """An item that was not booked: its line (0 outside files), and why."""

    line: int
    message: str


class ImportOutcome(NamedTuple):
    """The outcome of an import, counted in items of the source.

    Each item read is posted, skipped (booked already, or not our money) or rejected;
    if the whole file was rejected, nothing is posted or skipped. ``waiting`` lists the
    skipped refunds and disputes whose payment is not booked yet.
    """

    read: int
    posted: int
    skipped: int
    rejected: tuple[Rejected, ...] = ()
    waiting: tuple[str, ...] = ()


class RejectedAsWhole(Exception):
    """Rolls back the transaction of an import with rejected items."""


def require_whole(faults: Sequence[object], *, partial: bool) -> None:
    """Roll back when an item was rejected, unless a partial import was asked for.

    Raises:
        RejectedAsWhole: an item was rejected, and `partial` is false.
    """
    if faults and not partial:
        raise RejectedAsWhole
