"""A member's statement: their payments in a period, and what those paid for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from jara.domain.books.account import FEES, Fund, is_below, nearest
from jara.domain.books.journal import EntryKind, PostedEntry
from jara.domain.books.trace_reads import trace_of_lot
from jara.domain.books.trace_rows import Pool, TraceRows
from jara.domain.giving.member import Member
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.statement import Statement, StatementLine, TraceFund, TracePayment
from jara.records.journal import EntryQuery
from jara.services.books.tracing import At, spending_account, spent_on, trace_rows
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara.services.reports.cut import ReportCut, make_cut
from jara.services.reports.facts import Payees, read_payees
from jara.store.unit_of_work import UnitOfWork

_NAMES = {
    "expenses:fees": "Card fees",
    "expenses:fees:tax": "Tax on card fees",
    "expenses:fees:bank": "Bank charges",
    "expenses:fx": "Exchange differences",
    "expenses:staff": "Staff",
    "expenses:marketing": "Marketing",
    "expenses:operations": "Operations",
    "equity:transfers": "Moved to another fund",
}
_PAYMENTS = (EntryKind.PLEDGE.value, EntryKind.GIFT.value)


def member_statement(
    context: Context, member: str, period: ReportPeriod, at: At = None
) -> Statement:
    """Report a member's payments of a period, and to the cent what they paid for.

    Args:
        context: the application's context.
        member: an id, an email, or a unique prefix of an id or key.
        period: the days of the payments.
        at: the state of the books; the newest by default.

    Raises:
        NotFound: there is no such member.
        InvalidInput: the log was never of that size, or the period has not begun.
    """
    with context.store.read() as work:
        person = work.members.find(member)
        cut = make_cut(work, period, at, today=context.today())
        identity = read_identity(context, work)
        payments = _payments(work, cut, person)
        returned = work.reporting.returned_cents([p.index for p in payments], cut.to_date)
        return Statement(
            organisation=identity.name,
            address=identity.address or context.rules.site_url,
            imprint=identity.imprint,
            member_name=f"{person.firstname} {person.lastname}",
            member_key=person.key,
            period=cut.period,
            books=cut.books,
            lines=tuple(_line(p, returned.get(p.index, 0)) for p in payments),
            trace=_trace(work, cut, person.key, {p.index for p in payments}),
        )


def _payments(work: UnitOfWork, cut: ReportCut, person: Member) -> list[PostedEntry]:
    query = EntryQuery(
        first_day=cut.period.first,
        last_day=cut.period.end,
        kinds=_PAYMENTS,
        member_key=person.key,
        size=cut.size,
    )
    found = list(work.journal.entries(query))
    mistakes = work.reporting.reversed_among([posted.index for posted in found], cut.to_date)
    return [posted for posted in found if posted.index not in mistakes]


def _line(posted: PostedEntry, refunded_cents: int) -> StatementLine:
    entry = posted.entry
    fees = [p.cents for p in entry.postings if is_below(p.account, FEES)]
    return StatementLine(
        day=entry.true_day or entry.day,
        kind=entry.kind.value,
        reference=posted.id,
        amount_cents=-sum(p.cents for p in entry.postings if p.account.startswith("income:")),
        refunded_cents=refunded_cents,
        fee_cents=sum(fees) if fees else None,
    )


def _trace(
    work: UnitOfWork, cut: ReportCut, member_key: str, payments: Collection[int]
) -> tuple[TraceFund, ...]:
    payees = read_payees(work, cut)
    return tuple(
        _trace_fund(work, payees, pool, _traced(rows, member_key, payments))
        for pool, rows in trace_rows(work, cut.size).items()
    )


def _traced(
    rows: TraceRows, member_key: str, payments: Collection[int]
) -> tuple[int, int, int, dict[int, int]]:
    """Add up the traces of the lots of some payments, and of the lots that restored them."""
    own: set[int] = set()
    received = refunded = waiting = 0
    paid: defaultdict[int, int] = defaultdict(int)
    for lot in rows.lots_of_member(member_key):
        if lot.entry not in payments and lot.restores not in own:
            continue
        own.add(lot.seq)
        traced = trace_of_lot(rows, lot.seq)
        received += traced.received_cents
        refunded += traced.refunded_cents
        waiting += traced.waiting_cents
        for index, cents in traced.paid:
            paid[index] += cents
    return received, refunded, waiting, dict(paid)


def _trace_fund(
    work: UnitOfWork, payees: Payees, pool: Pool, traced: tuple[int, int, int, dict[int, int]]
) -> TraceFund:
    received, refunded, waiting, paid = traced
    entries = work.journal.many(sorted(paid))
    return TraceFund(
        fund=Fund(pool.value),
        received_cents=received,
        refunded_cents=refunded,
        waiting_cents=waiting,
        paid=tuple(
            _trace_payment(entries[index], pool, payees, cents)
            for index, cents in sorted(paid.items())
        ),
    )


def _trace_payment(posted: PostedEntry, pool: Pool, payees: Payees, cents: int) -> TracePayment:
    account = spending_account(posted, pool)
    return TracePayment(
        day=posted.entry.day,
        account=account,
        project=_NAMES.get(nearest(account, _NAMES) or "") or payees.title_of(account),
        entry=posted.id,
        cents=cents,
        whole_cents=spent_on(posted, account),
        foreign=posted.entry.foreign,
    )
