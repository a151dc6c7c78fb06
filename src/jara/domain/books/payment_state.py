"""The state of a payment: kept, refunded or disputed."""

from __future__ import annotations

from enum import StrEnum


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
