"""The way of the payment that gives a member the right to vote.

The closing leaf of a vote counts the counted ballots by it.
"""

from __future__ import annotations

from collections.abc import Iterable

from jara.domain.giving.payment_way import PaymentWay
from jara.records.payments import PaymentRecord
from jara.store.unit_of_work import UnitOfWork


def way_of(payments: Iterable[PaymentRecord]) -> PaymentWay | None:
    """Return the way of the newest payment that gives the vote; None if none of them does."""
    giving = [one for one in payments if one.gives_vote]
    return max(giving, key=lambda one: (one.day, one.index)).way if giving else None


def ways_of(work: UnitOfWork, member_keys: Iterable[str]) -> dict[str, PaymentWay]:
    """Return `way_of` for many payers at once; those without such a payment are left out."""
    return {key: one.way for key, one in work.payments.giving_votes(member_keys).items()}
