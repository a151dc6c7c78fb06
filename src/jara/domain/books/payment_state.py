"""Payments in the books: their state, and refunds that appear in two files.

The Payments file has one cumulative sum per charge, the balance history has each refund.
Importing the second file must not book a refund again.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import accumulate

from jara.domain.books.provider_row import ProviderRow, where
from jara.domain.errors import DuplicateEntry
from jara.domain.money import format_cents


class PaymentState(StrEnum):
    """The state of a payment, which operators can filter by."""

    PAID = "paid"
    PART_REFUNDED = "part-refunded"
    REFUNDED = "refunded"
    DISPUTED = "disputed"
    LOST = "lost"
    REVERSED = "reversed"


def payment_state(*, cents: int, returned_cents: int, dispute: str) -> PaymentState:
    """Return the state of a payment; disputes and reversed entries take precedence over refunds."""
    if dispute == "open":
        return PaymentState.DISPUTED
    if dispute == "lost":
        return PaymentState.LOST
    if dispute == "reversed":
        return PaymentState.REVERSED
    if returned_cents >= cents:
        return PaymentState.REFUNDED
    return PaymentState.PART_REFUNDED if returned_cents else PaymentState.PAID


def remaining_refund(row: ProviderRow, booked: Iterable[int]) -> ProviderRow | None:
    """Return the part of a cumulative refund that is not booked yet, or None.

    Args:
        row: a refund of the Payments file, with its ``cumulative`` sum.
        booked: the cents of each booked refund of the charge, in log order; negative for a
            failed refund.

    Raises:
        DuplicateEntry: the file's sum is less than the booked sum and never equaled it.
    """
    cumulative = row.cumulative or 0
    sums = list(accumulate(booked, initial=0))
    if cumulative in sums:
        return None
    if cumulative < sums[-1]:
        raise DuplicateEntry(
            f"{where(row)}: {row.charge_id} shows {format_cents(cumulative)} refunded, "
            f"but {format_cents(sums[-1])} is in the books."
        )
    missing = cumulative - sums[-1]
    return row._replace(amount=-missing, fee=0, fee_tax=0, net=-missing)


def is_covered_refund(row: ProviderRow, *, cumulated_cents: int, matched_cents: int) -> bool:
    """Return whether a balance row's refund is part of an already booked cumulative refund.

    Args:
        row: a refund of the balance history, negative.
        cumulated_cents: refunds of the charge booked from the Payments file.
        matched_cents: refunds of the balance history already matched with those.

    Raises:
        DuplicateEntry: the refund is larger than the unmatched rest.
    """
    left = cumulated_cents - matched_cents
    if left <= 0:
        return False
    if -row.amount > left:
        raise DuplicateEntry(
            f"{where(row)}: a refund of {format_cents(-row.amount)} does not fit the "
            f"{format_cents(cumulated_cents)} that the Payments file gave for {row.charge_id}, "
            f"of which {format_cents(left)} is left to match."
        )
    return True


def require_same_amount(row: ProviderRow, *, amount: int, net: int) -> None:
    """Require that a booked movement has the same amounts as the row.

    Raises:
        DuplicateEntry: it is booked with different amounts.
    """
    if (row.amount, row.net) != (amount, net):
        raise DuplicateEntry(
            f"{where(row)}: {row.source_id or row.txn_id} is booked with "
            f"{format_cents(amount)} gross and {format_cents(net)} net; the row has "
            f"{format_cents(row.amount)} and {format_cents(row.net)}."
        )
