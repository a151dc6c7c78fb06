"""Payouts: their arrivals at the bank. Only the latest one counts; earlier ones are reversed."""

from __future__ import annotations

from jara.domain.books.payouts import arrival_name
from jara.store.unit_of_work import UnitOfWork


def arrivals_of(work: UnitOfWork, payout_id: str) -> list[int]:
    """Return the log indexes of a payout's arrivals, oldest first."""
    indexes: list[int] = []
    while True:
        name = arrival_name(payout_id, len(indexes) + 1)
        index = work.journal.known_external_ids([name]).get(name)
        if index is None:
            return indexes
        indexes.append(index)
