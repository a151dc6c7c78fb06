"""Refunds: each request once, over the limit only with a second operator's approval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from jara.domain.books.payment_state import PaymentState
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.money import format_cents
from jara.records.operations import Approval
from jara.records.payments import PaymentRecord
from jara.services.approvals import require_approval
from jara.services.audit import record_act
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.payments import receiving
from jara.services.payments.importing import collect_movements
from jara.services.payments.listing import find_payment
from jara.store.unit_of_work import UnitOfWork

ACTION = "pledges.refund"
"""The approval action that `refund_approved` carries out."""


class Refunded(NamedTuple):
    """A refund that was made."""

    refund_id: str
    charge_id: str
    cents: int


def refund_payment(
    context: Context, text: str, *, cents: int | None = None, why: str, key: str | None = None
) -> Refunded | Approval:
    """Refund a payment fully or in part; over the limit the refund waits for approval.

    Repeated and concurrent requests with the same key are one refund. Without a key, requests are
    the same if they have the same payment, amount and sum returned before; that sum is read
    before waiting for other writers.

    Args:
        context: the application's context.
        text: the charge's id, or the id of the payment's entry or a prefix of it.
        cents: how much; None for the rest.
        why: the reason, for the audit log.
        key: an idempotency key; the same key is the same refund.

    Raises:
        NotFound: no payment has that id.
        InvalidInput: the amount is not positive, or the reason is missing.
        Conflict: less of the payment is left, or it was not made through the provider.
    """
    if not why.strip():
        raise InvalidInput("A refund needs a reason; say why.")
    return _refund(context, text, cents, why=why, wish=None if key is None else f"key:{key}")


def refund_approved(context: Context, payload: Mapping[str, Any]) -> Refunded | Approval:
    """Carry out a refund that a second operator approved."""
    return _refund(
        context,
        payload["charge"],
        payload["cents"],
        why="approved by a second operator",
        wish=payload.get("wish"),
    )


def _refund(
    context: Context, text: str, cents: int | None, *, why: str, wish: str | None
) -> Refunded | Approval:
    with context.store.read() as work:
        payment, charge_id = _refundable(work, text)
        is_by_card = receiving.is_by_card(work, payment)
    amount = _amount(payment, cents)
    wish = wish or f"{payment.returned_cents}:{amount}"
    with context.store.write() as work:
        waiting = require_approval(
            context,
            work,
            action=ACTION,
            payload={"charge": charge_id, "cents": amount, "wish": wish},
            why=why,
            cents=amount,
            day_cents=lambda: amount + _refunded_today(context, work, charge_id),
            is_outside=is_by_card,
        )
        if waiting is not None:
            return waiting
        record_act(context, work, ACTION, charge_id, why=why, facts={"cents": amount})
        if not is_by_card:
            return _book_refund(context, work, charge_id, amount, name=f"refund:{charge_id}:{wish}")
    refund_id = context.gateway.refund(charge_id, amount, key=f"refund:{charge_id}:{wish}")
    collect_movements(context)
    return Refunded(refund_id, charge_id, amount)


def _book_refund(
    context: Context, work: UnitOfWork, charge_id: str, cents: int, *, name: str
) -> Refunded:
    """Book a refund that an operator pays, in cash or by transfer."""
    index = work.journal.known_external_ids([name]).get(name)
    if index is not None:
        return Refunded(work.journal.get(index).id, charge_id, cents)
    payment = work.payments.by_source([charge_id])[charge_id]
    _amount(payment, cents)  # another refund may have come first
    books = Books(context, work)
    posted = receiving.post_refund(
        work, books, payment, cents=cents, day=context.today(), name=name
    )
    receiving.follow_payer(context, work, payment.member_key)
    return Refunded(posted.id, charge_id, cents)


def _refunded_today(context: Context, work: UnitOfWork, charge_id: str) -> int:
    """Return the sum refunded of a payment today; many small refunds count as one."""
    return sum(
        int(row.after["cents"])
        for row in work.operations.audit(subject=charge_id)
        if row.action == ACTION and row.at.date() == context.today()
    )


def _refundable(work: UnitOfWork, text: str) -> tuple[PaymentRecord, str]:
    record = find_payment(work, text)
    if record.source_id is None:
        raise Conflict(f"The payment '{text}' did not come through the payment provider.")
    return record, record.source_id


def _amount(payment: PaymentRecord, cents: int | None) -> int:
    if payment.state is PaymentState.REVERSED:
        raise Conflict("The entry of this payment was reversed; nothing of it can be refunded.")
    left = payment.cents - payment.returned_cents
    amount = left if cents is None else cents
    if amount <= 0 and cents is not None:
        raise InvalidInput(
            f"{format_cents(amount)} cannot be refunded; the amount must be positive."
        )
    if left <= 0:
        raise Conflict("This payment was given back in full; nothing of it can be refunded.")
    if amount > left:
        raise Conflict(
            f"{format_cents(amount)} cannot be refunded: {format_cents(left)} is left of it."
        )
    return amount
