"""Payouts: their arrivals at the bank, and the sums that approval limits apply to.

Only the latest arrival of a payout counts; earlier ones are reversed. A limit counts the money that
a payee gets on one day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date

from jara.domain.books.journal import JournalEntry
from jara.domain.books.payouts import arrival_name, paid_out
from jara.domain.control.statement import spends_hash
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


def binder(entry: JournalEntry) -> Callable[[bytes], str]:
    """Return a function from the salt of an entry's leaf to the hash that binds an approval."""
    spends = paid_out(entry)
    return lambda salt: spends_hash(spends, salt)


class DaySums:
    """The money each payee gets on one day, by entry date and by posting date.

    Both count: otherwise a payment split into parts with different dates would go unnoticed.
    """

    def __init__(self, context: Context, work: UnitOfWork) -> None:
        """Start empty; payees are read on first use."""
        self._today = context.today()
        self._work = work
        self._sums: dict[str, Counter[date | None]] = {}

    def with_entry(self, entry: JournalEntry) -> int:
        """Return the largest daily sum of the entry's payees, including this entry."""
        sums = [
            cents + max(self._of(payee)[entry.day], self._of(payee)[None])
            for payee, cents in paid_out(entry).items()
        ]
        return max(sums, default=0)

    def add(self, entry: JournalEntry) -> None:
        """Add a newly posted entry."""
        for payee, cents in paid_out(entry).items():
            sums = self._of(payee)
            sums[entry.day] += cents
            sums[None] += cents

    def _of(self, payee: str) -> Counter[date | None]:
        """Return the sums of a payee by day; the key None is the sum posted today."""
        if payee not in self._sums:
            sums = self._sums[payee] = Counter[date | None]()
            for line in self._work.journal.register(payee, first_day=None, last_day=None):
                cents = paid_out(line.posted.entry).get(payee, 0)
                sums[line.posted.entry.day] += cents
                if line.posted.booked_at.date() == self._today:
                    sums[None] += cents
        return self._sums[payee]


def arrivals_of(work: UnitOfWork, payout_id: str) -> list[int]:
    """Return the log indexes of a payout's arrivals, oldest first."""
    indexes: list[int] = []
    while True:
        name = arrival_name(payout_id, len(indexes) + 1)
        index = work.journal.known_external_ids([name]).get(name)
        if index is None:
            return indexes
        indexes.append(index)
