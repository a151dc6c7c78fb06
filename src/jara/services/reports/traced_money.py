"""Where the money of some payments went: fund by fund, with the titles of what it paid for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

from jara.domain.books.account import PAYEE_PARENTS, Fund, account_of, nearest
from jara.domain.books.trace_reads import Traced, trace_of_entries
from jara.domain.books.trace_rows import Pool
from jara.domain.reports.statement import TraceFund
from jara.domain.texts import tr
from jara.services.books.tracing import trace_payment, trace_rows
from jara.services.reports.facts import Payees
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

    Args:
        payees: the titles of what was paid.
        payments: the log indexes of the payments.
        size: a log size; None for the whole log.
        returned: what the report's period gave back of each pool; by default all that ever was.
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
