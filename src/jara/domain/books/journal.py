"""Immutable, balanced journal entries and their postings."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from jara.domain.books.account import AccountType, Fund, account_type
from jara.domain.books.trace_rows import Nets, net
from jara.domain.errors import InvalidInput, UnbalancedEntry
from jara.domain.money import format_cents

CENTS_MAX = 2**53 - 1
"""The largest amount that a leaf of the public log can hold."""


class EntryKind(StrEnum):
    """The kind of an entry; part of the leaf, so the values never change."""

    PLEDGE = "pledge"
    GIFT = "gift"
    GRANT = "grant"
    REFUND = "refund"
    REFUND_FAILURE = "refund_failure"
    DISPUTE = "dispute"
    DISPUTE_REVERSAL = "dispute_reversal"
    FEE = "fee"
    PAYOUT = "payout"
    PAYOUT_ARRIVED = "payout_arrived"
    PAYOUT_REVERSAL = "payout_reversal"
    RESERVE = "reserve"
    TOPUP = "topup"
    COMMITMENT = "commitment"
    RELEASE = "release"
    DISBURSEMENT = "disbursement"
    RETURN = "return"
    EXPENSE = "expense"
    SALARY = "salary"
    TRANSFER = "transfer"
    OPENING = "opening"
    REVERSAL = "reversal"
    SUSPENSE = "suspense"
    MANUAL = "manual"


GIVEN_BACK = frozenset(
    {EntryKind.REFUND, EntryKind.REFUND_FAILURE, EntryKind.DISPUTE, EntryKind.DISPUTE_REVERSAL}
)
"""What gives contributions back, and what undoes that; no such entry is a contribution."""

DESCRIPTIONS = {
    EntryKind.PLEDGE: "Pledge payment",
    EntryKind.GIFT: "One-time gift",
    EntryKind.GRANT: "Grant received",
    EntryKind.REFUND: "Refund",
    EntryKind.REFUND_FAILURE: "Refund that failed",
    EntryKind.DISPUTE: "Disputed payment",
    EntryKind.DISPUTE_REVERSAL: "Dispute won",
    EntryKind.FEE: "Payment provider's fee",
    EntryKind.PAYOUT: "Payout to the bank",
    EntryKind.PAYOUT_ARRIVED: "Payout arrived in the bank",
    EntryKind.PAYOUT_REVERSAL: "Payout returned",
    EntryKind.RESERVE: "Reserve at the payment provider",
    EntryKind.TOPUP: "Top-up from the bank",
    EntryKind.COMMITMENT: "Money held for a passed proposal",
    EntryKind.RELEASE: "Money released from a proposal",
    EntryKind.DISBURSEMENT: "Payment to a payee",
    EntryKind.RETURN: "Payment returned by the payee",
    EntryKind.EXPENSE: "Expense",
    EntryKind.SALARY: "Salaries",
    EntryKind.TRANSFER: "Transfer between funds",
    EntryKind.OPENING: "Opening balance",
    EntryKind.SUSPENSE: "Movement to be clarified",
    EntryKind.MANUAL: "Entry by an operator",
}
"""What the log says of an entry, by its kind, unless its source knows better."""


@dataclass(frozen=True, slots=True)
class Posting:
    """One signed amount on one account in one fund; debit positive, in cents."""

    account: str
    fund: Fund
    cents: int

    def __post_init__(self) -> None:
        account_type(self.account)
        if isinstance(self.cents, bool) or not isinstance(self.cents, int):
            raise InvalidInput(f"A posting holds whole cents, not {self.cents!r}.")
        if self.cents == 0 or abs(self.cents) > CENTS_MAX:
            raise InvalidInput(
                f"A posting of {self.cents} cents on {self.account} is zero or too large."
            )


class Foreign(NamedTuple):
    """The original amount of a payment in another currency."""

    currency: str  # its code in ISO 4217
    amount_minor: int  # in the currency's smallest unit; positive even if the entry is a reversal
    rate: str  # units of the currency for one of the books, as text for people
    source: str | None = None
    """The source of the rate, in the operator's words; the leaf has its salted hash."""
    receipt: str | None = None  # the SHA-256 of the receipt, in hex


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A dated set of postings that sum to zero within each fund.

    Raises:
        UnbalancedEntry: fewer than two postings, or a fund does not sum to zero.
    """

    day: date  # the UTC day it is booked on
    kind: EntryKind
    description: str  # generated text; never free text
    postings: tuple[Posting, ...]  # at least two; debit positive, credit negative
    reference: str | None = None  # the proposal, project or payout it belongs to
    source: str = "operator"  # where it came from: ``stripe``, ``operator``, ``import``, ``system``
    external_id: str | None = None  # unique external id, which prevents posting the entry twice
    member_key: str | None = None  # the random key of the contributor, or None
    reverses: int | None = None  # log index of the entry it undoes
    of: int | None = None
    """Log index of the payment that was refunded, disputed, restored or returned by the payee."""
    true_day: date | None = None  # the actual day, if it is in a locked year
    foreign: Foreign | None = None  # the original foreign amount
    note: str | None = None  # free text of the operator or the provider; not part of the leaf
    milestone: str | None = None
    """The id of the milestone that it pays, for the leaf; stored as a tranche."""

    def __post_init__(self) -> None:
        if len(self.postings) < 2:  # noqa: PLR2004 - double entry means two
            raise UnbalancedEntry(
                f"The entry '{self.description}' has {len(self.postings)} postings; "
                "an entry needs at least two."
            )
        for fund, cents in fund_sums(self.postings).items():
            if cents:
                raise UnbalancedEntry(
                    f"The entry '{self.description}' is off by {format_cents(cents)} "
                    f"in the fund '{fund}'; every fund must sum to zero."
                )

    @property
    def nets(self) -> Nets:
        """The net amounts in each pool of the trace."""
        return net((posting.account, posting.fund, posting.cents) for posting in self.postings)


@dataclass(frozen=True, slots=True)
class PostedEntry:
    """An entry in the books.

    ``index`` is its place in the public log, ``id`` the first 16 base32 characters of
    its leaf hash, ``booked_at`` the UTC instant it was appended.
    """

    id: str
    index: int
    booked_at: datetime
    entry: JournalEntry


def fund_sums(postings: Iterable[Posting]) -> dict[Fund, int]:
    """Return the sum of the postings of each fund, in cents; 0 where balanced."""
    sums: defaultdict[Fund, int] = defaultdict(int)
    for posting in postings:
        sums[posting.fund] += posting.cents
    return dict(sums)


def merged(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """Merge postings on the same account and fund, and drop zeros.

    The order of first appearance is kept.
    """
    cells: dict[tuple[str, Fund], int] = {}
    for posting in postings:
        key = (posting.account, posting.fund)
        cells[key] = cells.get(key, 0) + posting.cents
    return tuple(Posting(account, fund, cents) for (account, fund), cents in cells.items() if cents)


def reversal_of(posted: PostedEntry, *, day: date, why: str) -> JournalEntry:
    """Return the entry that undoes another: the same postings with opposite signs."""
    entry = posted.entry
    return replace(
        entry,
        day=day,
        kind=EntryKind.REVERSAL,
        description=f"Reversal of {posted.id}",
        postings=tuple(replace(p, cents=-p.cents) for p in entry.postings),
        source="operator",
        external_id=None,
        reverses=posted.index,
        of=None,
        true_day=None,
        note=why,
    )


def total_of(entry: JournalEntry, kind: AccountType) -> int:
    """Return the sum of the entry's postings on accounts of one type, in cents."""
    prefix = f"{kind}:"
    return sum(p.cents for p in entry.postings if p.account.startswith(prefix))
