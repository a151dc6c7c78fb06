"""The money that an entry takes out, by its effect: its kind and its way in do not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import (
    BANK,
    FEE_TAX,
    FEES,
    GIFTS,
    IN_TRANSIT,
    PLEDGES,
    RESERVE,
    STRIPE,
    SUSPENSE,
    AccountType,
    account_type,
)
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.errors import InvalidInput

AT_PROVIDER = frozenset({STRIPE, IN_TRANSIT, RESERVE})
"""The accounts of money at the payment provider, which it moves itself."""

FIRST_ACCOUNTS = AT_PROVIDER | {BANK}
"""The organisation's own accounts while the limits in the log name none."""

PROVIDER_KINDS = frozenset(
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
"""The kinds of entries that only Jara's own code makes, of movements at the provider and members'
payments."""

_OF_PROVIDER = frozenset({FEES, FEE_TAX, PLEDGES, GIFTS, SUSPENSE})
"""Where the provider takes money to by itself: fees, refunds, disputes, unknown movements."""


class Outflow(NamedTuple):
    """The money that an entry takes out.

    Args:
        day: the day of the entry.
        paid: the cents that each account gets.
        payer: the key of the member who gets it back; None if there is none.
    """

    day: date
    paid: dict[str, int]
    payer: str | None = None

    @property
    def cents(self) -> int:
        """The sum."""
        return sum(self.paid.values())

    @property
    def by_payee(self) -> dict[str, int]:
        """The cents by account, and by payer."""
        payer = {} if self.payer is None else {f"payer:{self.payer}": self.cents}
        return self.paid | payer


def outflow_of(entry: JournalEntry, own: frozenset[str], *, is_of_provider: bool = True) -> Outflow:
    """Return the money that an entry takes out of our own accounts.

    Every account that is not an asset counts with what it gets. An asset account that is not
    ours counts with what it gets from other asset accounts.

    Args:
        entry: the entry.
        own: our asset accounts.
        is_of_provider: whether its movement came from the provider itself. Of such an entry that
            only lowers accounts at the provider, what the provider takes by itself does not count.
    """
    sums = _sums(entry)
    drawn = {account for account, cents in sums.items() if cents < 0 and _is_asset(account)}
    given = -sum(sums[account] for account in drawn)
    excused = AT_PROVIDER if is_of_provider else frozenset()
    exempt = _OF_PROVIDER if entry.kind in PROVIDER_KINDS and drawn <= excused else frozenset()
    paid = {}
    for account, cents in sums.items():
        counted = cents if not _is_asset(account) else 0 if account in own else min(cents, given)
        if counted > 0 and account not in exempt:
            paid[account] = counted
    return Outflow(entry.day, paid, entry.member_key)


def received(entries: Iterable[JournalEntry]) -> dict[str, int]:
    """Return the cents that each account gets from entries, by which an approval names them."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums.update({account: cents for account, cents in _sums(entry).items() if cents > 0})
    return dict(sums)


def refuse_provider_kind(entry: JournalEntry) -> None:
    """Refuse an entry of an operator that has a kind of the provider.

    Raises:
        InvalidInput: it has.
    """
    if entry.kind in PROVIDER_KINDS:
        raise InvalidInput(
            f"'{entry.kind}' is for movements at the payment provider and members' payments, "
            "which Jara books itself; use another kind, such as expense or manual."
        )


def require_elsewhere(account: str) -> None:
    """Require that an operator's account is not one at the provider, whose movements do not count.

    Raises:
        InvalidInput: it is.
    """
    if account in AT_PROVIDER:
        raise InvalidInput(
            f"'{account}' is the payment provider's; name an account like assets:bank."
        )


def _sums(entry: JournalEntry) -> Counter[str]:
    sums: Counter[str] = Counter()
    for posting in entry.postings:
        sums[posting.account] += posting.cents
    return sums


def _is_asset(account: str) -> bool:
    return account_type(account) is AccountType.ASSETS
