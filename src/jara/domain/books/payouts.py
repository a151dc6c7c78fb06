"""Movements between our own accounts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from jara.domain.books.account import BANK, IN_TRANSIT, STRIPE, Fund, nearest
from jara.domain.books.fund_policy import split
from jara.domain.books.journal import DESCRIPTIONS, EntryKind, JournalEntry, Posting
from jara.domain.errors import InvalidInput

DRAWING_ORDER = (BANK, IN_TRANSIT, STRIPE)
"""The order in which to draw on accounts when no bank statement names one."""


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
        known: each fund's sum of the transactions in it; used if they sum to the amount.
        cells: each fund's balance on the account that the money leaves.
        totals: each fund's balance, used if no cell is positive.

    Returns:
        The known sums; else shares in proportion to the positive cells or, without any,
        the positive totals; else the whole amount for ``other``.
    """
    if known is not None and sum(known.values()) == cents:
        return dict(known)
    for balances in (cells, totals):
        weights = {fund: max(0, balance) for fund, balance in balances.items()}
        if any(weights.values()):
            return split(cents, weights)
    return {Fund.OTHER: cents}


def arrival_name(payout_id: str, number: int = 1) -> str:
    """Return the external id of a payout's arrival; a replacement has a number."""
    return f"{payout_id}:arrived" if number == 1 else f"{payout_id}:arrived:{number}"


def payout_arrived(
    day: date,
    payout_id: str,
    shares: Mapping[Fund, int],
    *,
    true_day: date | None = None,
    source: str = "stripe",
    number: int = 1,
    bank: str = BANK,
) -> JournalEntry:
    """Return the entry of a payout's arrival in the bank, with its original shares.

    Args:
        payout_id: the provider's id.
        shares: each fund's share.
        true_day: the day it arrived, if that year is closed.
        source: who reported it, the provider or the bank.
        number: 1, or more if earlier arrivals of the payout were reversed.
        bank: the account that it arrived on.
    """
    moved = [(fund, cents) for fund, cents in shares.items() if cents]
    return JournalEntry(
        day=day,
        kind=EntryKind.PAYOUT_ARRIVED,
        description=DESCRIPTIONS[EntryKind.PAYOUT_ARRIVED],
        postings=(
            *(Posting(bank, fund, cents) for fund, cents in moved),
            *(Posting(IN_TRANSIT, fund, -cents) for fund, cents in moved),
        ),
        reference=payout_id,
        source=source,
        external_id=arrival_name(payout_id, number),
        true_day=true_day,
    )


def draw(cells: Mapping[str, int], cents: int, *, bank: str = BANK) -> list[tuple[str, int]]:
    """Choose the accounts to take a fund's money from.

    The bank with its sub-accounts first, then in transit, then Stripe; none is drawn below
    zero. Any rest is taken from one bank account.

    Args:
        cells: the fund's balance on each asset account.
        cents: the amount, at least 1.
        bank: the bank account that any rest is taken from; it is drawn first.

    Raises:
        InvalidInput: the amount is not positive.
    """
    if cents <= 0:
        raise InvalidInput(f"{cents} cents cannot be drawn; the minimum is 1.")
    order = {parent: place for place, parent in enumerate(DRAWING_ORDER)}
    ranks = {
        account: (account != bank, order[parent], account)
        for account in {*cells, bank}
        if (parent := nearest(account, order)) is not None
    }
    drawn: dict[str, int] = {}
    left = cents
    for account in sorted(ranks, key=ranks.__getitem__):
        drawn[account] = min(left, max(0, cells.get(account, 0)))
        left -= drawn[account]
    drawn[bank] += left
    return [(account, taken) for account, taken in drawn.items() if taken]
