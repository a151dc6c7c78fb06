"""Balance transactions of the payment provider, and their identity across sources."""

from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import InvalidInput


class RowCategory(StrEnum):
    """Stripe's reporting categories; any other becomes ``UNKNOWN``."""

    CHARGE = "charge"
    REFUND = "refund"
    REFUND_FAILURE = "refund_failure"
    DISPUTE = "dispute"
    DISPUTE_REVERSAL = "dispute_reversal"
    FEE = "fee"
    NETWORK_COST = "network_cost"
    TAX = "tax"
    PAYOUT = "payout"
    PAYOUT_REVERSAL = "payout_reversal"
    RISK_RESERVED_FUNDS = "risk_reserved_funds"
    TOPUP = "topup"
    TOPUP_REVERSAL = "topup_reversal"
    UNKNOWN = "unknown"

    @classmethod
    def named(cls, word: str) -> "RowCategory":
        """Return the category that the provider's word names; ``UNKNOWN`` goes to suspense."""
        name = word.casefold()
        return cls.REFUND if name in _LIKE_REFUNDS else cls(name) if name in {*cls} else cls.UNKNOWN

    @property
    def words(self) -> str:
        """The category in words."""
        return self.value.replace("_", " ")


_LIKE_REFUNDS = ("charge_failure", "partial_capture_reversal")
"""The bank or the merchant takes back a charge, as a refund does."""

CAUSES = {
    RowCategory.REFUND_FAILURE: RowCategory.REFUND,
    RowCategory.DISPUTE_REVERSAL: RowCategory.DISPUTE,
}
"""A row that restores money, and the one that took it."""

RETURNS = (*CAUSES.values(), *CAUSES)
"""The rows that take money of a charge back, or restore it."""

_RESTORED = {cause: restoring for restoring, cause in CAUSES.items()}
_CHARGE_PREFIXES = ("ch_", "py_")


class ChargeKind(StrEnum):
    """Whether a charge was made under a pledge or as a one-time gift."""

    PLEDGE = "pledge"
    GIFT = "gift"


class ProviderRow(NamedTuple):
    """One balance transaction, from the API or from one of Stripe's files.

    Amounts are cents of ``currency``; ``net = amount - fee`` is checked when the row is
    booked. ``fee`` includes ``fee_tax``.
    """

    created: datetime  # UTC instant; the entry's day is that of the organisation
    category: RowCategory  # Stripe's reporting category
    amount: int  # gross, cents; negative for outgoing money
    fee: int  # Stripe's fee, cents
    net: int  # amount - fee, cents
    txn_id: str | None = None  # ``txn_...``; None in the Payments file, which has none
    currency: str = ""  # lower case, empty for that of the books; no other is booked
    raw_category: str = ""  # the category as the source spells it
    fee_tax: int = 0  # the part of the fee that is tax, cents
    source_id: str | None = None  # ``ch_...``, ``re_...``, ``du_...``, ``po_...``
    charge_id: str | None = None  # the charge a refund or dispute belongs to; a charge's own id
    charge_kind: ChargeKind | None = None
    """Whether a charge is for a pledge or a gift; None if unknown."""
    member_id: str | None = None  # our member's id, from the subscription's metadata
    customer_id: str | None = None
    email: str | None = None
    """The customer's address; used to find a contributor, never stored in the books."""
    language: str | None = None  # the website language of the giver of a gift; None if unknown
    card_fingerprint: str | None = None
    """For a charge, the card that paid; the same for a card in every account."""
    payout_id: str | None = None  # the automatic payout this row was part of
    arrives_on: date | None = None  # for a payout, the day it arrives in the bank
    cumulative: int | None = None
    """For a refund or dispute from the Payments file, which has one cumulative sum of each per
    charge: that sum, in cents."""
    is_lost: bool = False  # for a dispute: whether the source says that it is decided and lost
    line: int = 0  # line of the file, for messages; 0 for the API


class MovementIdentity(NamedTuple):
    """The second unique key of a movement, besides its transaction id."""

    category: RowCategory
    source_id: str
    ordinal: int = 0

    def __str__(self) -> str:
        tail = f":{self.ordinal}" if self.ordinal else ""
        return f"{self.category}:{self.source_id}{tail}"


def identity_of(row: ProviderRow) -> MovementIdentity | None:
    """Return the second unique key of a row, besides its transaction id.

    Refunds and disputes of the Payments file are numbered by their cumulated sum per charge. A
    row with only a transaction id has no such key.

    Raises:
        InvalidInput: the row has no id at all.
    """
    if row.cumulative is not None and row.charge_id:
        return MovementIdentity(row.category, row.charge_id, row.cumulative)
    is_charge = row.category is RowCategory.CHARGE
    source_id = row.source_id or (row.charge_id if is_charge else None)
    if source_id:
        return MovementIdentity(row.category, source_id)
    if row.txn_id is None:
        raise InvalidInput(f"{where(row)}: the row has no id, so it could be booked twice.")
    return None


def outside_id(row: ProviderRow) -> str:
    """Return the external id of a row: its transaction id, else its identity."""
    return row.txn_id or str(identity_of(row))


def unified(row: ProviderRow) -> ProviderRow:
    """Return a row as it is booked, whichever source it comes from.

    The sign tells whether money of a charge is taken back or restored, since some types of the
    provider do not. Some sources give the charge itself as the source of such a row.
    """
    if row.category not in RETURNS:
        return row
    category = row.category
    if row.amount > 0:
        category = _RESTORED.get(category, category)
    elif row.amount < 0:
        category = CAUSES.get(category, category)
    row = row._replace(category=category)
    if (row.source_id or "").startswith(_CHARGE_PREFIXES):
        return row._replace(source_id=None, charge_id=row.source_id)
    return row


def where(row: ProviderRow) -> str:
    """Name a row for a message: the line of its file, else its id."""
    if row.line:
        return f"line {row.line}"
    return row.txn_id or row.source_id or "a row without id"
