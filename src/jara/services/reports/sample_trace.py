"""One anonymous contribution and what it paid for, shown to visitors before they join."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from jara.domain.books.account import project_slug
from jara.domain.books.journal import EntryKind, PostedEntry
from jara.domain.books.trace_reads import trace_of_lot
from jara.domain.books.trace_rows import Lot, Pool, TraceRows
from jara.domain.reports.parts import ReportPeriod
from jara.services.books.tracing import spending_account, trace_rows
from jara.services.context import Context
from jara.services.reports.cut import make_cut
from jara.services.reports.facts import Payees, read_payees
from jara.store.unit_of_work import UnitOfWork

USUAL_CENTS = 1000
_LOTS_MAX = 200
"""How many lots before the last spent one are examined."""
_BEST = (True, True)


class SamplePayment(NamedTuple):
    """A payment in the sample trace."""

    date: date
    account: str
    project: str
    cents: int


class SampleTrace(NamedTuple):
    """A contribution without its giver, and what it paid for.

    Its projects part is spent.

    Args:
        month: the month it came in, such as ``2026-10``; the day would say more about the giver.
        cents: the whole contribution.
        running_cents: its part for staff, marketing and other costs.
        paid: what the projects part paid for, in the order of the payments.
    """

    month: str
    cents: int
    running_cents: int
    paid: tuple[SamplePayment, ...]


def sample_trace(context: Context) -> SampleTrace | None:
    """Return a spent contribution: the newest of $10 that paid for a project.

    If there is none, use another amount or payee; None while no member's contribution is spent.
    """
    with context.store.read() as work:
        rows = trace_rows(work, None)[Pool.PROJECTS]
        today = context.today()
        period = ReportPeriod(today, today)
        cut = make_cut(work, period, today=today, language=context.language)
        payees = read_payees(work, cut)
        best: SampleTrace | None = None
        for lot in _spent_lots(rows):
            posted = work.journal.get(lot.entry)
            if posted.entry.kind is EntryKind.PLEDGE:
                traced = _traced(work, rows, lot, posted, payees)
                if best is None or _rank(traced) > _rank(best):
                    best = traced
                if _rank(best) == _BEST:
                    break
        return best


def _rank(trace: SampleTrace) -> tuple[bool, bool]:
    to_projects = any(project_slug(paid.account) is not None for paid in trace.paid)
    return to_projects, trace.cents == USUAL_CENTS


def _spent_lots(rows: TraceRows) -> list[Lot]:
    """Return the members' lots that were spent last, newest first.

    Lots are used in order, so a binary search over their running totals finds the last used one.
    Money taken back moves that end up, never down.
    """
    low, high = 0, rows.lot_count
    while low < high:
        middle = (low + high + 1) // 2
        if rows.lot(middle).total <= rows.used_cents:
            low = middle
        else:
            high = middle - 1
    lots = list(rows.lots_between(max(1, low - _LOTS_MAX), low)) if low else []
    return [lot for lot in reversed(lots) if _is_plain(lot) and _is_spent(rows, lot)]


def _is_plain(lot: Lot) -> bool:
    return lot.member is not None and not (lot.hole or lot.cut) and lot.restores is None


def _is_spent(rows: TraceRows, lot: Lot) -> bool:
    traced = trace_of_lot(rows, lot.seq)
    return not traced.waiting_cents and not traced.refunded_cents


def _traced(
    work: UnitOfWork, rows: TraceRows, lot: Lot, posted: PostedEntry, payees: Payees
) -> SampleTrace:
    paid = trace_of_lot(rows, lot.seq).paid
    entries = work.journal.many([index for index, _ in paid])
    whole = _cents_of(posted)
    return SampleTrace(
        month=f"{posted.entry.day:%Y-%m}",
        cents=whole,
        running_cents=whole - lot.cents,
        paid=tuple(_payment(entries[index], cents, payees) for index, cents in paid),
    )


def _payment(posted: PostedEntry, cents: int, payees: Payees) -> SamplePayment:
    account = spending_account(posted, Pool.PROJECTS)
    return SamplePayment(posted.entry.day, account, payees.title_of(account), cents)


def _cents_of(posted: PostedEntry) -> int:
    return -sum(p.cents for p in posted.entry.postings if p.account.startswith("income:"))
