"""The scope of one verification: a state of the books, from a log index on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from jara.domain.checks.books import Finding
from jara.services.books.verified_point import VerifiedPoint
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class Scope(NamedTuple):
    """The transaction to read, and the point up to which everything was verified before.

    Args:
        context: whose books.
        work: the transaction.
        point: log rows before it are not read again; None reads all.
    """

    context: Context
    work: UnitOfWork
    point: VerifiedPoint | None = None

    @property
    def start(self) -> int:
        """The first log index to read."""
        return 0 if self.point is None else self.point.size


Check = Callable[[Scope], Iterable[Finding]]
