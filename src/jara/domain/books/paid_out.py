"""The amounts an entry pays out, per account; the approval limits are compared with them."""

from __future__ import annotations

from jara.domain.books.account import FEES, AccountType, account_type
from jara.domain.books.journal import EntryKind, JournalEntry

_OF_PROVIDER = frozenset(
    {
        EntryKind.PLEDGE,
        EntryKind.GIFT,
        EntryKind.REFUND,
        EntryKind.REFUND_FAILURE,
        EntryKind.DISPUTE,
        EntryKind.DISPUTE_REVERSAL,
        EntryKind.FEE,
        EntryKind.PAYOUT,
        EntryKind.PAYOUT_ARRIVED,
        EntryKind.PAYOUT_REVERSAL,
        EntryKind.RESERVE,
        EntryKind.TOPUP,
        EntryKind.SUSPENSE,
    }
)
"""Kinds of entries caused by the payment provider; only their expenses count, without fees."""

_UNDOING = frozenset({EntryKind.RETURN, EntryKind.REVERSAL})


def paid_out(entry: JournalEntry) -> dict[str, int]:
    """Return the amount paid to each account other than our assets.

    Returns and reversals undo another entry and pay nothing out.
    """
    if entry.kind in _UNDOING:
        return {}
    sums: dict[str, int] = {}
    for posting in entry.postings:
        if _counts(posting.account, entry.kind):
            sums[posting.account] = sums.get(posting.account, 0) + posting.cents
    return {account: cents for account, cents in sums.items() if cents > 0}


def _counts(account: str, kind: EntryKind) -> bool:
    if kind in _OF_PROVIDER:
        is_expense = account_type(account) is AccountType.EXPENSES
        return is_expense and account != FEES and not account.startswith(f"{FEES}:")
    return account_type(account) is not AccountType.ASSETS
