"""What entries moved on the Stripe account."""

from __future__ import annotations

from collections.abc import Iterable

from jara.domain.books.account import STRIPE, Fund
from jara.domain.books.journal import JournalEntry, fund_sums


def stripe_parts(entries: Iterable[JournalEntry]) -> dict[Fund, int]:
    """Return what each fund gets from a payout of these entries."""
    return fund_sums(p for entry in entries for p in entry.postings if p.account == STRIPE)
