"""Payments made without a card: the same entries, on an account other than Stripe's."""

from dataclasses import replace
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import BANK, GIFTS, PLEDGES, STRIPE, is_below
from jara.domain.books.fund_policy import split
from jara.domain.books.journal import DESCRIPTIONS, EntryKind, JournalEntry
from jara.domain.books.movements import MovementFacts, charged, entry_from_row
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.books.years import booking_day
from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.money import format_cents

_WAYS = frozenset(PaymentWay)
RECEIVED = "received:"
"""Begins the external id of a payment that an operator booked; a gift's reference follows."""
REFUNDED = "refund:"
"""Begins the external id of a refund; that of the payment follows."""
RETURNED_BY_BANK = "Payment returned by the bank"
"""Describes a refund that nobody decided: a cheque without funds, a transfer that came back."""


class Received(NamedTuple):
    """A payment or refund by another payment method, of a member or a giver."""

    day: date
    cents: int  # the amount, at least 1
    way: str  # the payment method, used as the entry's source
    ledger: str  # the asset account
    external_id: str  # its id, which prevents posting it twice
    is_gift: bool = False  # whether it is a one-time gift; else a contribution under a pledge


def payment_entry(received: Received, facts: MovementFacts) -> JournalEntry:
    """Return the entry of a contribution or a gift, split like a card payment.

    Raises:
        InvalidInput: the amount is not positive.
    """
    if received.cents <= 0:
        raise InvalidInput(f"A payment has at least {format_cents(1)}.")
    booked = booking_day(received.day, facts.locked_years)
    kind, income = (EntryKind.GIFT, GIFTS) if received.is_gift else (EntryKind.PLEDGE, PLEDGES)
    return JournalEntry(
        day=booked.day,
        kind=kind,
        description=DESCRIPTIONS[kind],
        postings=charged(received.ledger, income, split(received.cents, facts.policy.weights)),
        source=received.way,
        external_id=received.external_id,
        member_key=facts.member_key,
        true_day=booked.true_day,
    )


def way_of_entry(entry: JournalEntry) -> PaymentWay:
    """Return how a payment was made; that of a file follows from its account."""
    if entry.source in _WAYS:
        return PaymentWay(entry.source)
    accounts = {posting.account for posting in entry.postings}
    if any(is_below(account, STRIPE) for account in accounts):
        return PaymentWay.CARD
    is_bank = any(is_below(account, BANK) for account in accounts)
    return PaymentWay.TRANSFER if is_bank else PaymentWay.CASH


def is_returned(entry: JournalEntry) -> bool:
    """Return whether an entry is a payment that the bank took back, not a refund by us."""
    return entry.kind is EntryKind.REFUND and entry.description == RETURNED_BY_BANK


def gift_reference(external_id: str | None) -> str:
    """Return the reference of the gift that an operator booked or refunded; empty if it is none."""
    outside = (external_id or "").removeprefix(REFUNDED)
    if not outside.startswith(RECEIVED):
        return ""
    return outside.removeprefix(RECEIVED).partition(":")[0]


def refund_entry(
    returned: Received, facts: MovementFacts, *, by_bank: bool = False
) -> JournalEntry:
    """Return the entry of a refund, divided over the funds like a card refund.

    `facts` are what the books say about the payment. With `by_bank` the description says that the
    bank took it back.

    Raises:
        InvalidInput: the amount is not positive.
    """
    row = ProviderRow(
        created=facts.zone.start_of(returned.day),
        category=RowCategory.REFUND,
        amount=-returned.cents,
        fee=0,
        net=-returned.cents,
        txn_id=returned.external_id,
        source_id=returned.external_id,
        charge_kind=ChargeKind.PLEDGE,
    )
    entry = entry_from_row(row, replace(facts, ledger=returned.ledger, source=returned.way))
    if entry is None or returned.cents <= 0:
        raise InvalidInput(f"A payment has at least {format_cents(1)}.")
    return replace(entry, description=RETURNED_BY_BANK) if by_bank else entry
