"""What one verification looks at: a state of the books, from a place of the log on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from jara.domain.checks.finding import Finding
from jara.services.books.verified_point import VerifiedPoint
from jara.services.context import Context
from jara.services.ports.database import UnitOfWork


class Scope(NamedTuple):
    """The transaction that is read, and the point up to which all was verified before.

    Args:
        context: whose books.
        work: the transaction.
        point: rows of the log before it are not read again; None for all of them.
    """

    context: Context
    work: UnitOfWork
    point: VerifiedPoint | None = None

    @property
    def start(self) -> int:
        """The first index of the log that is read."""
        return 0 if self.point is None else self.point.size


Check = Callable[[Scope], Iterable[Finding]]
