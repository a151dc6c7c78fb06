"""Where money went: that of some payments, of one anonymous contribution, of the amount of a month.

Money is spent first in, first out, so the cents of one contribution go to a few payments. An amount
of a month is shared like all the contributions of that month: it says where the month's money
went, and nothing about one giver.
"""

from collections.abc import Collection, Mapping
from datetime import date
from functools import partial
from typing import NamedTuple

from jara.domain.books.account import (
    GIFTS,
    PAYEE_PARENTS,
    PLEDGES,
    AccountType,
    Fund,
    account_of,
    nearest,
    project_slug,
)
from jara.domain.books.journal import EntryKind, PostedEntry, total_of
from jara.domain.books.trace import Traced, last_used_lot, trace_of_entries, trace_of_lot
from jara.domain.books.trace_rows import Lot, Pool, TraceRows
from jara.domain.dates import parse_month
from jara.domain.errors import NotFound
from jara.domain.reports.followed import FollowedFund, share_trace
from jara.domain.reports.parts import ReportPeriod, Title
from jara.domain.reports.statement import TraceFund
from jara.domain.texts import tr
from jara.records.journal import EntryQuery
from jara.services.books.tracing import spending_account, trace_payment, trace_rows
from jara.services.context import Context
from jara.services.reports.facts import Payees, make_cut, read_payees
from jara.store.unit_of_work import UnitOfWork


def trace_payments(
    work: UnitOfWork,
    payees: Payees,
    payments: Collection[int],
    *,
    size: int | None = None,
    returned: Mapping[Pool, int] | None = None,
) -> tuple[TraceFund, ...]:
    """Trace payments, given by log index, through every fund.

    `payees` has the titles of what was paid; `size` is a log size, None for the whole log.
    `returned` is what the report's period gave back of each pool; by default all that ever was.
    """
    return tuple(
        _trace_fund(work, payees, pool, trace_of_entries(rows, payments), returned)
        for pool, rows in trace_rows(work, size).items()
    )


def name_of(account: str, payees: Payees) -> str:
    """Return the title of a payee, or that of another account."""
    named = None if nearest(account, PAYEE_PARENTS) else account_of(account)
    return payees.title_of(account) if named is None else tr(named.title)


def _trace_fund(
    work: UnitOfWork,
    payees: Payees,
    pool: Pool,
    traced: Traced,
    returned: Mapping[Pool, int] | None,
) -> TraceFund:
    in_period = traced.refunded_cents if returned is None else returned.get(pool, 0)
    entries = work.journal.many(index for index, _ in traced.paid)
    return TraceFund(
        fund=Fund(pool.value),
        received_cents=traced.received_cents,
        refunded_cents=in_period,
        other_refunds_cents=traced.refunded_cents - in_period,
        waiting_cents=traced.waiting_cents,
        paid=tuple(
            trace_payment(pool, entries[index], cents, partial(name_of, payees=payees))
            for index, cents in traced.paid
        ),
    )


_KINDS = (EntryKind.PLEDGE.value, EntryKind.GIFT.value)


class Followed(NamedTuple):
    """An amount, and where it went."""

    cents: int
    month: str | None  # the month whose contributions are followed; None without any
    contributions: int
    received_cents: int  # their sum
    funds: tuple[FollowedFund, ...]  # where the amount went; nothing without contributions
    months: tuple[str, ...]  # every month that can be followed, newest first


def follow(context: Context, cents: int, month: str | None = None) -> Followed:
    """Follow an amount of a month, by default of the newest one whose projects money is spent.

    Raises:
        NotFound: nobody gave anything in that month.
    """
    today = context.today()
    with context.store.read() as work:
        months = _months(work)
        if month is None:
            month = _spent_month(work, months)
        elif month not in months:
            raise NotFound(f"Nobody gave anything in {month}, so there is nothing to follow.")
        if month is None:
            return Followed(cents, None, 0, 0, (), ())
        cut = make_cut(work, ReportPeriod(today, today), today=today, language=context.language)
        query = EntryQuery(*parse_month(month, today=today), kinds=_KINDS)
        payments = {posted.index for posted in work.journal.entries(query)}
        payees = read_payees(work, cut)
        funds = trace_payments(work, payees, payments)
        return Followed(
            cents,
            month,
            len(payments),
            sum(fund.received_cents for fund in funds),
            share_trace(cents, funds, payees.project_of),
            months,
        )


def _months(work: UnitOfWork) -> tuple[str, ...]:
    rows = work.journal.balances(accounts=(PLEDGES, GIFTS), by_month=True)
    return tuple(sorted({row.month for row in rows if row.month and row.cents < 0}, reverse=True))


def _spent_month(work: UnitOfWork, months: tuple[str, ...]) -> str | None:
    """Return the newest month whose projects money is all spent; else the oldest month."""
    used = last_used_lot(trace_rows(work, None)[Pool.PROJECTS])
    newest = "" if used is None else f"{work.journal.get(used.entry).entry.day:%Y-%m}"
    return next((month for month in months if month < newest), months[-1] if months else None)


USUAL_CENTS = 1000
_LOTS_MAX = 200
"""How many lots before the last used one are examined."""
_BEST = (True, True)


class SamplePayment(NamedTuple):
    """A payment in the sample trace."""

    date: date
    account: str
    project: Title
    cents: int


class SampleTrace(NamedTuple):
    """A contribution without its giver, and what it paid for.

    Its projects part is spent.
    """

    month: str  # the month it came in, such as ``2026-10``; the day would say more about the giver
    cents: int  # the whole contribution
    running_cents: int  # its part for staff, marketing and other costs
    paid: tuple[SamplePayment, ...]  # what the projects part paid for, in the order of the payments


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
    """Return the members' lots that were spent last, newest first."""
    used = last_used_lot(rows)
    if used is None:
        return []
    lots = list(rows.lots_between(max(1, used.seq - _LOTS_MAX), used.seq))
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
    whole = -total_of(posted.entry, AccountType.INCOME)
    return SampleTrace(
        month=f"{posted.entry.day:%Y-%m}",
        cents=whole,
        running_cents=whole - lot.cents,
        paid=tuple(_payment(entries[index], cents, payees) for index, cents in paid),
    )


def _payment(posted: PostedEntry, cents: int, payees: Payees) -> SamplePayment:
    account = spending_account(posted, Pool.PROJECTS)
    return SamplePayment(posted.entry.day, account, payees.title_of(account), cents)
