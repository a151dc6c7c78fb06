"""An amount, followed: what the contributions of a month paid for, in proportion.

Money is spent first in, first out, so the cents of one contribution go to a few payments. An amount
of a month is shared like all the contributions of that month: it says where the month's money
went, and nothing about one giver.
"""

from __future__ import annotations

from typing import NamedTuple

from jara.domain.books.account import GIFTS, PLEDGES
from jara.domain.books.journal import EntryKind
from jara.domain.books.trace_reads import last_used_lot
from jara.domain.books.trace_rows import Pool
from jara.domain.dates import parse_month
from jara.domain.errors import NotFound
from jara.domain.reports.followed import FollowedFund, share_trace
from jara.domain.reports.parts import ReportPeriod
from jara.records.journal import EntryQuery
from jara.services.books.tracing import trace_rows
from jara.services.context import Context
from jara.services.reports.cut import make_cut
from jara.services.reports.facts import read_payees
from jara.services.reports.traced_money import trace_payments
from jara.store.unit_of_work import UnitOfWork

_KINDS = (EntryKind.PLEDGE.value, EntryKind.GIFT.value)


class Followed(NamedTuple):
    """An amount, and where it went.

    Args:
        month: the month whose contributions are followed; None without any.
        contributions: how many there were.
        received_cents: their sum.
        funds: where the amount went; nothing without contributions.
        months: every month that can be followed, newest first.
    """

    cents: int
    month: str | None
    contributions: int
    received_cents: int
    funds: tuple[FollowedFund, ...]
    months: tuple[str, ...]


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
