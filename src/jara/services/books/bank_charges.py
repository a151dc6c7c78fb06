"""Bank charges: paid by the funds that pay card fees, never by a payee."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from jara.domain.books.fund_policy import policy_in_force
from jara.domain.books.journal import PostedEntry
from jara.domain.books.spending import bank_charge_entry
from jara.domain.errors import Conflict
from jara.domain.money import format_cents
from jara.services.audit import record_act
from jara.services.authority import limits_in_force, read_control
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


def post_bank_charge(
    context: Context,
    *,
    cents: int,
    day: date | None = None,
    external_id: str | None = None,
    note: str | None = None,
) -> PostedEntry:
    """Book a bank charge, split across the funds that pay the card fees.

    Raises:
        Conflict: the amount needs approval.
    """
    with context.store.write() as work:
        require_small_charge(context, work, cents)
        return charge_within(
            context,
            work,
            Books(context, work),
            cents=cents,
            day=day or context.today(),
            external_id=external_id,
            note=note,
        )


def require_small_charge(context: Context, work: UnitOfWork, cents: int) -> None:
    """Check that a bank charge needs no approval of its own.

    Raises:
        Conflict: it needs approval.
    """
    limits = limits_in_force(context, read_control(context, work))
    if limits.reach(cents, lambda: cents):
        raise Conflict(
            f"A bank charge of {format_cents(cents)} needs another operator's approval; use "
            "`jara ledger post` with --kind fee."
        )


def charge_within(
    context: Context,
    work: UnitOfWork,
    books: Books,
    *,
    cents: int,
    day: date,
    external_id: str | None = None,
    note: str | None = None,
) -> PostedEntry:
    """Book a bank charge in a transaction; see `post_bank_charge`."""
    weights = policy_in_force(books.policies, day).fee_weights
    entry = bank_charge_entry(day, cents, weights, external_id=external_id)
    posted = books.post(replace(entry, note=note))
    record_act(context, work, "ledger.bank_charge", posted.id)
    return posted
