"""Payments in the books: their state, and refunds and disputes that appear in two files.

The Payments file has one cumulative sum per charge, the balance history has each movement.
Importing the second file must not book one again.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import accumulate
from math import copysign
from typing import NamedTuple

from jara.domain.books.provider_row import CAUSES, ProviderRow, RowCategory, where
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


class Return(NamedTuple):
    """An entry, by its log index: the cents of a payment that it takes; negative: restores."""

    entry: int
    kind: str
    cents: int


def cents_of(returns: Iterable[Return], *categories: RowCategory) -> int:
    """Return how many cents the entries of these categories took back, less what they restored."""
    return sum(one.cents for one in returns if one.kind in categories)


def dispute_state(returns: Iterable[Return], *, before: str, is_withdrawn: bool) -> str:
    """Return the state of a payment's disputes, the same for every order of their entries.

    `returns` are all entries about the payment; `is_withdrawn` tells whether the newest withdraws
    money. A dispute that was lost `before` stays lost.
    """
    disputes = [one for one in returns if one.kind in _DISPUTES]
    if cents_of(disputes, *_DISPUTES) > 0:
        return "lost" if before == "lost" and not is_withdrawn else "open"
    return "won" if any(one.cents for one in disputes) else "none"


_DISPUTES = (RowCategory.DISPUTE, RowCategory.DISPUTE_REVERSAL)


def restorable_cents(
    row: ProviderRow, returns: Iterable[Return], withdrawn: Mapping[str, int]
) -> int:
    """Return how many cents a refund's failure or a dispute's reversal may restore.

    `returns` are all entries about its payment; `withdrawn` has the cents that each refund or
    dispute with an id of its own still takes.
    """
    left = cents_of(returns, row.category, CAUSES[row.category])
    if row.source_id is None:
        return left
    if row.source_id in withdrawn:
        return withdrawn[row.source_id]
    return left - sum(withdrawn.values())


def remaining_refund(row: ProviderRow, booked: Iterable[int]) -> ProviderRow | None:
    """Return the part of a cumulative refund or dispute that is not booked yet, or None.

    The row of the Payments file has a ``cumulative`` sum. `booked` are the cents of each booked one
    of the charge, in log order; negative for a failed refund.

    Raises:
        DuplicateEntry: the file's sum is less than the booked sum and never equaled it.
    """
    cumulative = row.cumulative or 0
    sums = list(accumulate(booked, initial=0))
    if cumulative in sums:
        return None
    if cumulative < sums[-1]:
        raise DuplicateEntry(
            f"{where(row)}: {row.charge_id} shows {format_cents(cumulative)} "
            f"{_DONE[row.category]}, but {format_cents(sums[-1])} is in the books."
        )
    missing = round(copysign(cumulative - sums[-1], row.amount))
    return row._replace(amount=missing, fee=0, fee_tax=0, net=missing)


_DONE = {
    RowCategory.REFUND: "refunded",
    RowCategory.DISPUTE: "disputed",
    RowCategory.DISPUTE_REVERSAL: "restored",
}


def is_covered_refund(row: ProviderRow, *, cumulated_cents: int, matched_cents: int) -> bool:
    """Return whether a balance row's refund or dispute is part of a booked cumulative one.

    `cumulated_cents` were booked of the charge from the Payments file, and `matched_cents` of the
    balance history are already matched with that.

    Raises:
        DuplicateEntry: the row is larger than the unmatched rest.
    """
    left = cumulated_cents - matched_cents
    if left <= 0 or not row.amount:
        return False
    if abs(row.amount) > left:
        raise DuplicateEntry(
            f"{where(row)}: a {row.category.words} of {format_cents(abs(row.amount))} does not fit "
            f"the {format_cents(cumulated_cents)} that the Payments file gave for {row.charge_id}, "
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
