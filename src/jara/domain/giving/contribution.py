"""A payment received under a pledge, and whether it still gives a right to vote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One payment of a pledge; the member stands in it only as a random key.

    Args:
        id: names the row.
        member_key: the random key that the ledger holds; None when erased or unknown.
        entry_index: place of its entry in the public log; None until it is booked, for
            the right to vote follows the payment and the books follow later (money §2).
        charge_id: the provider's charge.
        cents: what was paid, gross.
        received_on: UTC day of the payment.
        refunded_cents: what was given back, in all.
        disputed_cents: what open or lost disputes took away.
        dispute_open: a dispute of it is not decided.
        dispute_lost: a dispute of it was lost.
    """

    id: str
    member_key: str | None
    charge_id: str
    cents: int
    received_on: date
    entry_index: int | None = None
    refunded_cents: int = 0
    disputed_cents: int = 0
    dispute_open: bool = False
    dispute_lost: bool = False

    def __post_init__(self) -> None:
        if self.cents <= 0:
            raise InvalidInput(
                f"A contribution of {format_cents(self.cents)} is none; it is more than $0.00."
            )
        for word, cents in (("refunded", self.refunded_cents), ("disputed", self.disputed_cents)):
            if not 0 <= cents <= self.cents:
                raise InvalidInput(
                    f"Of a contribution of {format_cents(self.cents)} "
                    f"{format_cents(cents)} cannot be {word}."
                )

    @property
    def kept_cents(self) -> int:
        """What of the payment was neither refunded nor taken by a dispute."""
        return max(0, self.cents - self.refunded_cents - self.disputed_cents)

    @property
    def qualifies(self) -> bool:
        """Whether it gives a right to vote (money §9).

        Some of it is not refunded, and no dispute of it is open or lost.
        """
        disputed = self.dispute_open or self.dispute_lost
        return self.refunded_cents < self.cents and not disputed


@dataclass(frozen=True, slots=True)
class ContributionTotal:
    """How many contributions qualify, and what of them was kept."""

    count: int
    cents: int


def has_qualifying(contributions: Iterable[Contribution]) -> bool:
    """Tell whether at least one contribution gives a right to vote."""
    return any(contribution.qualifies for contribution in contributions)


def total_contributions(contributions: Iterable[Contribution]) -> ContributionTotal:
    """Count the contributions that qualify, and add up what of them was kept (money §9)."""
    kept = [contribution.kept_cents for contribution in contributions if contribution.qualifies]
    return ContributionTotal(count=len(kept), cents=sum(kept))
