"""Payments by another way than a card: the same entries, on another account than Stripe's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from jara.domain.books.journal import JournalEntry
from jara.domain.books.movements import MovementFacts, entry_from_row
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Received:
    """Money of a member that came, or went back, by another way.

    Args:
        day: the day.
        cents: the amount, at least 1.
        way: how it came, the source of the entry.
        ledger: the account that has the money.
        external_id: its id, so that it is posted once.
    """

    day: date
    cents: int
    way: str
    ledger: str
    external_id: str


def payment_entry(received: Received, facts: MovementFacts) -> JournalEntry:
    """Return the entry of a contribution, split as a card's is.

    Raises:
        InvalidInput: the amount is not positive.
    """
    return _entry(received, facts, RowCategory.CHARGE, received.cents)


def refund_entry(returned: Received, facts: MovementFacts) -> JournalEntry:
    """Return the entry of a refund; the funds give back what a card's refund takes from them.

    Raises:
        InvalidInput: the amount is not positive.
    """
    return _entry(returned, facts, RowCategory.REFUND, -returned.cents)


def _entry(
    received: Received, facts: MovementFacts, category: RowCategory, amount: int
) -> JournalEntry:
    row = ProviderRow(
        created=datetime.combine(received.day, time(12), tzinfo=UTC),
        category=category,
        amount=amount,
        fee=0,
        net=amount,
        txn_id=received.external_id,
        source_id=received.external_id,
        charge_kind=ChargeKind.PLEDGE,
    )
    moved = replace(facts, ledger=received.ledger, source=received.way)
    entry = entry_from_row(row, moved)
    if entry is None or received.cents <= 0:
        raise InvalidInput("A payment has at least $0.01.")
    return entry
