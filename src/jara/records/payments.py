"""Payments received, the provider's movements and its events."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.movements import Payment
from jara.domain.books.payment_state import PaymentState, payment_state
from jara.domain.giving.changemaker import payment_counts
from jara.domain.giving.payment_way import PaymentProof, PaymentWay


@dataclass(frozen=True, slots=True)
class PaymentRecord:
    """A payment in the books, with its refunds and dispute.

    ``parts`` is the share of each fund; ``returned_cents`` is the total lost to refunds and
    disputes so far; ``proof`` tells who besides the operator says that it was made;
    ``card_fingerprint`` is that of the card or account that paid, if it is known.
    """

    index: int
    source_id: str | None
    kind: str
    member_key: str | None
    account: str
    parts: Mapping[Fund, int]
    cents: int
    returned_cents: int
    dispute: str
    day: date
    way: PaymentWay = PaymentWay.CARD
    proof: PaymentProof = PaymentProof.TRUST
    card_fingerprint: str | None = None

    @property
    def payment(self) -> Payment:
        """The payment in the form that refunds and disputes use."""
        return Payment(self.index, self.account, self.parts, self.returned_cents, self.member_key)

    @property
    def is_kept(self) -> bool:
        """Whether part of it is left and no dispute of it is open or lost."""
        return payment_counts(
            cents=self.cents, returned_cents=self.returned_cents, dispute=self.dispute
        )

    @property
    def state(self) -> PaymentState:
        """Whether it is kept, refunded or disputed."""
        return payment_state(
            cents=self.cents, returned_cents=self.returned_cents, dispute=self.dispute
        )


class PaymentQuery(NamedTuple):
    """Which payments to list: all conditions hold together."""

    member_key: str | None = None
    states: tuple[PaymentState, ...] = ()
    kind: str | None = None
    first_day: date | None = None
    last_day: date | None = None
    text: str | None = None
    """Part of the payer's name or address, of the entry's reference or text, or of an id."""
    limit: int = 100  # how many to return, newest first


class PaymentLine(NamedTuple):
    """A payment in a list, with its entry and its payer.

    ``name`` and ``email`` are empty for a payer without an account.
    """

    record: PaymentRecord
    entry: str
    description: str
    reference: str | None
    name: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """A second key that stops a provider's movement from being booked twice."""

    category: str
    source_id: str
    ordinal: int
    index: int | None
    cents: int
    txn_id: str | None = None
    payout_id: str | None = None
    fee_cents: int = 0
    charge_id: str | None = None
    """The charge, for a refund or dispute, which may arrive as part of a cumulative sum."""
    is_undone: bool = False
    """Whether its entry was taken out of the books again, so that it can be booked anew."""

    @property
    def net_cents(self) -> int:
        """The change of the balance: the amount less the fee."""
        return self.cents - self.fee_cents


class ProviderEvent(NamedTuple):
    """A verified event. It may arrive twice, late or out of order.

    It is never booked; it only says what to fetch.
    """

    event_id: str  # the event's id; a repeated event has the same one
    type: str  # the provider's name of the type
    created_at: datetime  # when it happened
    object_type: str  # the type of its object: ``invoice``, ``charge``
    object_id: str
    same_version: bool = True
    """Whether this program can read its API version. If not, only type, time and object are known
    until it is looked up."""
    subscription_id: str | None = None  # a subscription to refetch
    customer_id: str | None = None  # a customer whose subscriptions to refetch
    moves_money: bool = False  # whether to fetch the balance transactions
    warned_charge_id: str | None = None
    """A charge that the cardholder's bank reported as fraud; a refund before the dispute saves the
    fee."""
    opens_invoice: bool = False
    """Whether a charge is due now; ``EventSource.void_arrears`` then voids older open invoices."""
    confirm_url: str | None = None
    """The provider's page where the cardholder confirms a renewal if their bank asks for it; it is
    sent by email, and encrypted while it is stored."""
    is_live: bool | None = None  # whether it is from live mode; None if the provider does not say
    account_id: str | None = None  # the account it belongs to, if the provider names one


class StoredEvent(NamedTuple):
    """A stored event that is not processed yet."""

    event: ProviderEvent
    received_at: datetime
    attempts: int = 0
    failure: str | None = None  # why the last attempt failed


class GiftPromise(NamedTuple):
    """A gift on the way: announced on the website, and paid without a card."""

    reference: str  # what the giver writes on the payment
    cents: int  # what the giver said; what arrives may differ
    way: PaymentWay  # how it is paid
    email: str  # where the receipt goes
    name: str  # the giver's, if they said it
    language: str  # the giver's
    promised_at: datetime  # when it was announced
    arrived_on: date | None = None  # the day of the last payment with the reference
