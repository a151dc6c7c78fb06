"""Ports of the books besides the journal: payments, identities, the trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Protocol

from jara.domain.books.account import Fund
from jara.domain.books.movements import Payment
from jara.domain.books.payment_state import PaymentState, payment_state
from jara.domain.books.trace_rows import Pool, TraceRows
from jara.domain.giving.changemaker import payment_counts


@dataclass(frozen=True, slots=True)
class PaymentRecord:
    """A payment in the books, with its refunds and dispute.

    ``parts`` is the share of each fund; ``returned_cents`` is the total lost to refunds and
    disputes so far.
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
    """Which payments to list: all conditions hold together.

    Args:
        text: part of the payer's name or address, of the entry's reference or text, or of an id.
        limit: how many to return, newest first.
    """

    member_key: str | None = None
    states: tuple[PaymentState, ...] = ()
    kind: str | None = None
    first_day: date | None = None
    last_day: date | None = None
    text: str | None = None
    limit: int = 100


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


class PaymentRepository(Protocol):
    """Payments received, for refunds, receipts and the right to vote."""

    def add(self, payment: PaymentRecord) -> None:
        """Store a payment beside its entry."""
        ...

    def by_source(self, source_ids: Iterable[str]) -> dict[str, PaymentRecord]:
        """Return the payments with these charge ids."""
        ...

    def by_index(self, index: int) -> PaymentRecord | None:
        """Return the payment of an entry, if it is one."""
        ...

    def in_dispute(self) -> list[PaymentRecord]:
        """Return the payments with an open dispute, oldest first."""
        ...

    def update(self, index: int, *, returned_cents: int, dispute: str) -> None:
        """Update the returned amount and the dispute of a payment."""
        ...

    def name_source(self, index: int, source_id: str) -> None:
        """Set the charge id of a payment that was posted without one."""
        ...

    def of_member(self, member_key: str) -> list[PaymentRecord]:
        """Return a member's payments, oldest first."""
        ...

    def search(self, query: PaymentQuery) -> list[PaymentLine]:
        """Return the matching payments, newest entry first."""
        ...

    def without_contribution(self, member_keys: Iterable[str]) -> list[str]:
        """Return the payers, of those given, without any pledge payment that counts, sorted."""
        ...

    def all(self) -> Iterator[PaymentRecord]:
        """Return every payment, oldest first."""
        ...


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
    """The charge, for a refund that may arrive as part of a cumulative sum."""

    @property
    def net_cents(self) -> int:
        """The change of the balance: the amount less the fee."""
        return self.cents - self.fee_cents


class IdentityRepository(Protocol):
    """The provider's movements that are already booked."""

    def by_txn(self, txn_ids: Iterable[str]) -> dict[str, Identity]:
        """Return the identities of these balance transactions."""
        ...

    def by_source(self, source_ids: Iterable[str]) -> dict[str, list[Identity]]:
        """Return the identities of these sources, in order of ordinal."""
        ...

    def refunds_of(self, charge_id: str) -> list[Identity]:
        """Return the refunds of a charge, failed ones too, in log order."""
        ...

    def add(self, identity: Identity) -> None:
        """Store an identity."""
        ...

    def attach(
        self,
        identity: Identity,
        *,
        txn_id: str | None = None,
        payout_id: str | None = None,
        charge_id: str | None = None,
    ) -> None:
        """Fill in missing values of an identity; existing ones stay."""
        ...

    def payout_shares(self, payout_id: str, account: str) -> dict[Fund, int]:
        """Return, for each fund, the movement of a payout's entries on an account."""
        ...

    def transactions(self) -> Iterator[Identity]:
        """Return all identities with a transaction id, in order of that id."""
        ...


class TraceRepository(Protocol):
    """Whose dollars paid for what: one set of rows for each pool."""

    def pool(self, name: Pool) -> TraceRows:
        """Return the rows of a pool."""
        ...
