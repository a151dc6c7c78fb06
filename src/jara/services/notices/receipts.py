"""Emails about money that came or went back: receipts and refunds, queued with their entries.

A dispute sends none: the bank that takes the money back tells the payer, and it may come back.
"""

from datetime import timedelta
from typing import Any

from jara.domain.books.account import AccountType
from jara.domain.books.journal import EntryKind, PostedEntry, total_of
from jara.domain.books.other_ways import gift_reference, is_returned, way_of_entry
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.language import ENGLISH
from jara.services.context import Context, PaymentChange, PaymentEvent
from jara.services.notices.emails import LOOK_BACK, queue_email, queue_member_email
from jara.store.unit_of_work import UnitOfWork

BOOKED_LATE = timedelta(days=62)
"""A payment without a card has a receipt if it is at most so old: many book once a month."""
RECEIPT = "receipt:"
"""How the once-keys of receipts begin."""


def queue_receipt(context: Context, work: UnitOfWork, member: Member, posted: PostedEntry) -> bool:
    """Queue the receipt of a payment; it says that it is not a tax receipt."""
    cents = -total_of(posted.entry, AccountType.INCOME)
    values = {"amountCents": cents, "day": posted.entry.day.isoformat(), "entry": posted.id}
    return queue_member_email(
        context, work, "receipt", member, values=values, once_key=receipt_key(posted)
    )


def receipt_key(posted: PostedEntry) -> str:
    """Return the once-key of a payment's receipt."""
    return f"{RECEIPT}{posted.id}"


def follow_payment(context: Context, work: UnitOfWork, event: PaymentEvent) -> None:
    """Queue the email about a member's new payment or refund; withdraw that of a reversed one.

    An old payment or refund gets no email, and an email that is sent stays.
    """
    payment, entry = event.payment.entry, event.entry.entry
    if entry.reverses is not None:
        undone = work.journal.get(entry.reverses)
        work.outbox.withdraw(receipt_key(undone), now=context.now())
        work.outbox.withdraw(refund_key(undone), now=context.now())
        return
    by_card = way_of_entry(payment) is PaymentWay.CARD
    if context.today() - entry.day > (LOOK_BACK if by_card else BOOKED_LATE):
        return
    member = None if payment.member_key is None else work.members.by_key(payment.member_key)
    if member is None and entry.kind is EntryKind.REFUND:
        _tell_giver(context, work, event)
    if member is None or not member.is_open:
        return
    if event.change is PaymentChange.BOOKED:
        queue_receipt(context, work, member, event.payment)
    elif entry.kind is EntryKind.REFUND:
        values = refund_values(event.payment, event.entry)
        kind = _kind_of(event.entry)
        queue_member_email(
            context, work, kind, member, values=values, once_key=refund_key(event.entry)
        )


def _kind_of(refund: PostedEntry) -> str:
    return "payment_returned" if is_returned(refund.entry) else "refund"


def _tell_giver(context: Context, work: UnitOfWork, event: PaymentEvent) -> None:
    """Tell the giver of a gift that an operator booked; those by card hear with the booking."""
    gift = work.gift_promises.get(gift_reference(event.payment.entry.external_id))
    if gift is not None:
        queue_gift_refund(
            context, work, event.payment, event.entry, address=gift.email, language=gift.language
        )


def refund_key(refund: PostedEntry) -> str:
    """Return the once-key of the email about a refund."""
    return f"refund:{refund.id}"


def refund_values(payment: PostedEntry, refund: PostedEntry) -> dict[str, Any]:
    """Return what the email about a refund says."""
    paid = payment.entry
    return {
        "amountCents": total_of(refund.entry, AccountType.INCOME),
        "day": (refund.entry.true_day or refund.entry.day).isoformat(),
        "entry": refund.id,
        "paidCents": -total_of(paid, AccountType.INCOME),
        "paidOn": (paid.true_day or paid.day).isoformat(),
        "way": way_of_entry(paid).phrase,
    }


def queue_gift_receipt(
    context: Context,
    work: UnitOfWork,
    posted: PostedEntry,
    *,
    address: str,
    language: str = ENGLISH,
) -> bool:
    """Queue the receipt of a one-time gift from a giver without an account."""
    values = {
        "firstname": "",
        "language": language,
        "amountCents": -total_of(posted.entry, AccountType.INCOME),
        "day": posted.entry.day.isoformat(),
        "entry": posted.id,
    }
    return queue_email(
        context, work, "gift_receipt", address=address, values=values, once_key=receipt_key(posted)
    )


def queue_gift_refund(
    context: Context,
    work: UnitOfWork,
    payment: PostedEntry,
    refund: PostedEntry,
    *,
    address: str,
    language: str = ENGLISH,
) -> bool:
    """Queue the email about a refund to a giver without an account."""
    values = {"firstname": "", "language": language, **refund_values(payment, refund)}
    once_key = refund_key(refund)
    return queue_email(
        context, work, _kind_of(refund), address=address, values=values, once_key=once_key
    )
