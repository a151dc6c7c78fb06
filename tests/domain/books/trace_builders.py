"""Entries of the `projects` pool, and its trace."""

from __future__ import annotations

from datetime import UTC, date, datetime

from jara.domain.books.account import GIFTS, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, reversal_of
from jara.domain.books.trace import build_trace
from jara.domain.books.trace_reads import trace_of_lot
from jara.domain.books.trace_rows import MemoryTrace, Pool
from tests.domain.books.trace_histories import entry_of

WELL = "expenses:projects:well"
P, S, M, C = Fund.PROJECTS, Fund.STAFF, Fund.MARKETING, Fund.COMMITTED
OTHER = Fund.OTHER


def a_gift(cents: int, member: str | None) -> JournalEntry:
    """Return a gift to the projects."""
    return entry_of(EntryKind.GIFT, (GIFTS, P, -cents), member=member)


def an_expense(cents: int) -> JournalEntry:
    """Return an expense for the well."""
    return entry_of(EntryKind.EXPENSE, (WELL, P, cents))


def a_refund(cents: int, of: int | None) -> JournalEntry:
    """Return a refund of a gift."""
    return entry_of(EntryKind.REFUND, (GIFTS, P, cents), of=of)


def a_restoration(cents: int, of: int) -> JournalEntry:
    """Return a failed refund, which brings the money back."""
    return entry_of(EntryKind.REFUND_FAILURE, (GIFTS, P, -cents), of=of)


def a_reversal(history: list[JournalEntry], index: int) -> JournalEntry:
    """Return the reversal of an entry of a history."""
    posted = PostedEntry("x", index, datetime(2026, 3, 1, tzinfo=UTC), history[index])
    return reversal_of(posted, day=date(2026, 3, 2), why="slip")


def projects_pool(*history: JournalEntry) -> MemoryTrace:
    """Return the trace of the projects' pool after these entries."""
    return build_trace(enumerate(history))[Pool.PROJECTS]


def paid_by(rows: MemoryTrace, seq: int) -> dict[int, int]:
    """Return the amounts that a lot paid, by entry."""
    return dict(trace_of_lot(rows, seq).paid)
