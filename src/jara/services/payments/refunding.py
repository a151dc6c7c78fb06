"""Refunds: each request once, over the limit only with a second operator's approval."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from jara.domain.books.other_ways import REFUNDED
from jara.domain.books.payment_state import PaymentState
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.money import format_cents
from jara.records.operations import Approval
from jara.records.payments import PaymentRecord
from jara.services.approvals import is_continued, require_approval, require_not_waiting, salt_of
from jara.services.audit import record_act, require_operator
from jara.services.authority import APPROVE
from jara.services.books import outflows
from jara.services.books.outflows import Outflows
from jara.services.books.payment_account import PAID_FROM, payment_account
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.payments import receiving
from jara.services.payments.importing import collect_movements
from jara.services.payments.listing import find_payment
from jara.store.unit_of_work import UnitOfWork

ACTION = outflows.REFUND_ACTION
"""The approval action that `refund_approved` carries out."""
RETURNED = "returned_cents"
"""Payload key: what had been returned of the payment when the refund was asked for."""
RETURNED_ON = "returned_on"
"""Payload key: the day on which the bank took the payment back; refunds by us have none."""


class Refunded(NamedTuple):
    """A refund that was made."""

    refund_id: str
    charge_id: str
    cents: int


def refund_payment(
    context: Context,
    text: str,
    *,
    cents: int | None = None,
    why: str,
    key: str | None = None,
    paid_from: str | None = None,
    returned_on: date | None = None,
) -> Refunded | Approval:
    """Refund a payment fully or in part; over the limit the refund waits for approval.

    Repeated and concurrent requests with the same key are one refund. Without a key, requests are
    the same if they have the same payment, amount and sum returned before; that sum is read
    before waiting for other writers.

    Args:
        text: the charge's id, or the id of the payment's entry or a prefix of it.
        cents: how much; None for the rest.
        key: an idempotency key; the same key is the same refund.
        paid_from: the account that a refund without a card leaves; by default the one that the
            payment came to.
        returned_on: the day on which the bank did not pay the cheque, or took the transfer back;
            the payer hears that, and not of a refund. None for a refund by us.

    Raises:
        NotFound: no payment has that id.
        InvalidInput: the amount is not positive, or the reason is missing.
        Conflict: less of the payment is left, it was not made through the provider, or the same
            refund waits for approval.
    """
    if not why.strip():
        raise InvalidInput("A refund needs a reason; say why.")
    wish = None if key is None else f"key:{key}"
    return _refund(
        context, text, cents, why=why, wish=wish, paid_from=paid_from, returned_on=returned_on
    )


def refund_approved(context: Context, payload: Mapping[str, Any]) -> Refunded | Approval:
    """Carry out a refund that a second operator approved; one that was made is not made again."""
    if is_continued(context) and _is_made(context, payload):
        return Refunded("", payload["charge"], payload["cents"])
    return _refund(
        context,
        payload["charge"],
        payload["cents"],
        why="approved by a second operator",
        wish=payload.get("wish"),
        paid_from=payload.get(PAID_FROM),
        returned_on=_returned_on(payload),
    )


def _refund(
    context: Context,
    text: str,
    cents: int | None,
    *,
    why: str,
    wish: str | None,
    paid_from: str | None,
    returned_on: date | None,
) -> Refunded | Approval:
    with context.store.read() as work:
        payment, charge_id = _refundable(work, text)
        is_by_card = receiving.is_by_card(work, payment)
        amount = _amount(payment, cents)
        wish = wish or f"{payment.returned_cents}:{amount}"
        if context.approved is None:
            require_not_waiting(work, ACTION, {"charge": charge_id, "wish": wish}, "This refund")
    name = f"{REFUNDED}{charge_id}:{wish}"
    payload = {"charge": charge_id, "cents": amount, "wish": wish, RETURNED: payment.returned_cents}
    if not is_by_card:
        chosen = {} if paid_from is None else {PAID_FROM: paid_from}
        chosen |= {} if returned_on is None else {RETURNED_ON: returned_on.isoformat()}
        return _pay_back(context, {**payload, **chosen}, why=why, name=name)
    if returned_on is not None:
        raise InvalidInput("The payment provider books what happens to a payment by card.")
    if paid_from is not None:
        raise InvalidInput("A payment by card is refunded by the payment provider; omit --from.")
    payer = payment.member_key or charge_id
    with context.store.write() as work:
        flow = outflows.refund_of(context.today(), payer, amount)
        waiting = require_approval(
            context,
            work,
            action=ACTION,
            payload=payload,
            why=why,
            outlay=Outflows(context, work).outlay([flow]),
            touches=outflows.touches_with_vote(context, work, payment, amount),
            is_outside=True,
        )
        if waiting is not None:
            return waiting
        facts = {"cents": amount, outflows.PAYER: payer, outflows.ALONE: context.approved is None}
        record_act(context, work, ACTION, charge_id, why=why, facts=facts)
    refund_id = context.gateway.refund(charge_id, amount, key=name)
    collect_movements(context)
    return Refunded(refund_id, charge_id, amount)


def _returned_on(payload: Mapping[str, Any]) -> date | None:
    return date.fromisoformat(payload[RETURNED_ON]) if RETURNED_ON in payload else None


def _is_made(context: Context, payload: Mapping[str, Any]) -> bool:
    """Return whether an interrupted refund was made, by what the provider says now.

    An idempotency key is not enough: the provider knows it for a day.
    """
    collect_movements(context)
    with context.store.write() as work:
        require_operator(context, work, APPROVE)
        payment = work.payments.by_source([payload["charge"]])[payload["charge"]]
    before = payload.get(RETURNED, 0)  # earlier versions stored none
    return payment.returned_cents > int(before)


def _pay_back(
    context: Context, payload: Mapping[str, Any], *, why: str, name: str
) -> Refunded | Approval:
    """Book a refund that an operator pays, in cash or by transfer."""
    charge_id, cents, returned_on = payload["charge"], payload["cents"], _returned_on(payload)
    with context.store.write() as work:
        payment = work.payments.by_source([charge_id])[charge_id]
        books = Books(context, work)
        chosen = payload.get(PAID_FROM)
        entry = receiving.refund_of(
            work,
            books,
            payment,
            cents=cents,
            day=returned_on or context.today(),
            name=name,
            paid_from=None if chosen is None else payment_account(work, chosen),
            by_bank=returned_on is not None,
        )
        waiting = outflows.ask_approval(
            context,
            work,
            [entry],
            action=ACTION,
            payload=payload,
            why=why,
            touches=outflows.touches_with_vote(context, work, payment, cents),
        )
        if waiting is not None:
            return waiting
        record_act(context, work, ACTION, charge_id, why=why, facts={"cents": cents})
        known = work.journal.known_external_ids([name]).get(name)
        if known is not None:
            return Refunded(work.journal.get(known).id, charge_id, cents)
        _amount(payment, cents)  # another refund may have come first
        posted = books.post(entry, salt=salt_of(context))
        receiving.follow_payer(context, work, payment.member_key)
    return Refunded(posted.id, charge_id, cents)


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
