"""Sums, parts and traces of entries that the tests compare."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime

from jara.domain.books.account import GIFTS, STRIPE, AccountType, Fund, is_below
from jara.domain.books.balances import Totals
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, fund_sums, reversal_of
from jara.domain.books.trace import build_trace, trace_of_lot
from jara.domain.books.trace_rows import MemoryTrace, Pool
from tests.domain.books.trace_histories import entry_of


def by_account(totals: Totals) -> dict[str, int]:
    """Return each account's own balance, by name."""
    sums: Counter[str] = Counter()
    for row in totals.rows:
        sums[row.account] += row.cents
    return dict(sorted(sums.items()))


def cells_of(totals: Totals, fund: Fund) -> dict[str, int]:
    """Return a fund's balance on each asset account, by name."""
    sums: Counter[str] = Counter()
    for row in totals.rows:
        if row.fund is fund and is_below(row.account, AccountType.ASSETS):
            sums[row.account] += row.cents
    return dict(sorted(sums.items()))


def fund_totals(totals: Totals) -> dict[Fund, int]:
    """Return what each fund may spend, in the funds' order."""
    return {fund: totals.fund_cents(fund) for fund in Fund}


def stripe_parts(entries: Iterable[JournalEntry]) -> dict[Fund, int]:
    """Return what each fund gets from a payout of these entries."""
    return fund_sums(p for entry in entries for p in entry.postings if p.account == STRIPE)


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
