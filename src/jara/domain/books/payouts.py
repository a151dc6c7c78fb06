"""Movements between our own accounts, divided over the funds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from jara.domain.books.account import BANK, IN_TRANSIT, STRIPE, Fund
from jara.domain.books.fund_policy import split
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import InvalidInput

DRAWING_ORDER = (BANK, IN_TRANSIT, STRIPE)
"""The order in which accounts are used up when no bank statement says which."""


def shares_of(
    cents: int,
    *,
    known: Mapping[Fund, int] | None,
    cells: Mapping[Fund, int],
    totals: Mapping[Fund, int],
) -> dict[Fund, int]:
    """Divide a movement between two of our accounts over the funds.

    Args:
        cents: the amount; the shares sum to it.
        known: the funds' sums of the transactions in it; used when they come to the amount.
        cells: each fund's balance on the account that the money leaves.
        totals: each fund's balance, for when none of the cells holds anything.

    Returns:
        The known sums; else shares in proportion to what the cells, or else the funds,
        hold above zero; of money that no fund holds, all to ``other``.
    """
    if known is not None and sum(known.values()) == cents:
        return dict(known)
    for balances in (cells, totals):
        weights = {fund: max(0, balance) for fund, balance in balances.items()}
        if any(weights.values()):
            return split(cents, weights)
    return {Fund.OTHER: cents}


def arrival_name(payout_id: str, number: int = 1) -> str:
    """Return the external id of a payout's arrival; one that replaces another has a number."""
    return f"{payout_id}:arrived" if number == 1 else f"{payout_id}:arrived:{number}"


def payout_arrived(
    day: date,
    payout_id: str,
    shares: Mapping[Fund, int],
    *,
    true_day: date | None = None,
    source: str = "stripe",
    number: int = 1,
) -> JournalEntry:
    """Return the entry of a payout that arrived in the bank, with its original shares.

    Args:
        day: the day it is booked on.
        payout_id: the provider's id.
        shares: what each fund has of it.
        true_day: the day it arrived, if that year is closed.
        source: who says so, the provider or the bank.
        number: 1, or more if earlier arrivals of it were reversed.
    """
    moved = [(fund, cents) for fund, cents in shares.items() if cents]
    return JournalEntry(
        day=day,
        kind=EntryKind.PAYOUT_ARRIVED,
        description="Payout arrived in the bank",
        postings=(
            *(Posting(BANK, fund, cents) for fund, cents in moved),
            *(Posting(IN_TRANSIT, fund, -cents) for fund, cents in moved),
        ),
        reference=payout_id,
        source=source,
        external_id=arrival_name(payout_id, number),
        true_day=true_day,
    )


def draw(cells: Mapping[str, int], cents: int) -> list[tuple[str, int]]:
    """Choose the accounts that a fund's money is taken from.

    From the bank first, then in transit, then Stripe; no account goes below zero while
    another has money. The rest is taken from the bank.

    Args:
        cells: the fund's balance on each asset account.
        cents: the amount, at least 1.

    Raises:
        InvalidInput: the amount is not positive.
    """
    if cents <= 0:
        raise InvalidInput(f"{cents} cents cannot be drawn; the minimum is 1.")
    drawn: dict[str, int] = {}
    left = cents
    for account in DRAWING_ORDER:
        drawn[account] = min(left, max(0, cells.get(account, 0)))
        left -= drawn[account]
    drawn[BANK] += left
    return [(account, taken) for account, taken in drawn.items() if taken]
