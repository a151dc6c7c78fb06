"""Which of the provider's movements are booked already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jara.domain.books.account import FEE_TAX, FEES, STRIPE
from jara.domain.books.journal import JournalEntry
from jara.domain.books.movement_identity import outside_id
from jara.domain.books.provider_row import ProviderRow, RowCategory
from jara.records.payments import Identity
from jara.store.unit_of_work import UnitOfWork

_REFUNDS = (RowCategory.REFUND, RowCategory.REFUND_FAILURE)
_FEES = (RowCategory.FEE, RowCategory.NETWORK_COST, RowCategory.TAX)


class BookedRefunds(NamedTuple):
    """The refunds of a charge in the books.

    Args:
        posted: those with an entry, in log order.
        cumulated: the posted ones that the Payments file reported as a sum.
        matched: refunds of the balance history that such a sum includes.
    """

    posted: Sequence[Identity]
    cumulated: Sequence[Identity]
    matched: Sequence[Identity]


class KnownMovements:
    """Looks up which rows are booked, a batch at a time, and records new ones."""

    def __init__(self, work: UnitOfWork) -> None:
        """Work in a write transaction."""
        self._work = work
        self._by_txn: dict[str, Identity] = {}
        self._by_source: dict[str, list[Identity]] = {}
        self._posted: dict[str, int] = {}

    def load(self, rows: Sequence[ProviderRow]) -> None:
        """Look up these rows."""
        identities = self._work.identities
        self._by_txn = identities.by_txn({row.txn_id for row in rows if row.txn_id})
        self._by_source = identities.by_source({s for row in rows if (s := _source_of(row))})
        self._posted = self._work.journal.known_external_ids(
            {outside_id(row) for row in rows if row.txn_id or _source_of(row)}
        )

    def find(self, row: ProviderRow) -> Identity | None:
        """Return the identity of a row that is booked, by its transaction or its source."""
        known = self._by_txn.get(row.txn_id or "")
        if known is not None:
            return known
        for identity in self._by_source.get(_source_of(row) or "", ()):
            same = identity.category == row.category
            if row.cumulative is not None:
                same = same and identity.ordinal == row.cumulative
            if same and (row.txn_id is None or identity.txn_id is None):
                return identity
        return None

    def posted_index(self, row: ProviderRow) -> int | None:
        """Return the entry with the row's external id, if the row has no identity.

        This happens after the books were rebuilt from a journal.
        """
        return self._posted.get(outside_id(row))

    def refunds(self, charge_id: str) -> BookedRefunds:
        """Return the refunds of a charge in the books."""
        found = self._work.identities.refunds_of(charge_id)
        cumulated = [identity for identity in found if identity.source_id == charge_id]
        sums = {identity.index for identity in cumulated}
        matched = [i for i in found if i.index in sums and i.source_id != charge_id]
        return BookedRefunds([i for i in found if i not in matched], cumulated, matched)

    def complete(self, identity: Identity, row: ProviderRow) -> None:
        """Store the transaction and payout of a row if its identity lacks them."""
        lacks_txn = identity.txn_id is None and row.txn_id is not None
        lacks_payout = identity.payout_id is None and row.payout_id is not None
        if lacks_txn or lacks_payout:
            self._work.identities.attach(identity, txn_id=row.txn_id, payout_id=row.payout_id)

    def add(self, row: ProviderRow, index: int | None) -> None:
        """Record that a row is booked, with the log index of its entry if it has one."""
        source = _source_of(row) or row.txn_id or ""
        others = self._by_source.setdefault(source, [])
        ordinal = row.cumulative
        if ordinal is None:
            ordinal = sum(other.category == row.category for other in others)
        identity = Identity(
            category=row.category.value,
            source_id=source,
            ordinal=ordinal,
            index=index,
            cents=row.amount,
            txn_id=row.txn_id,
            payout_id=row.payout_id,
            fee_cents=row.fee,
            charge_id=row.charge_id if row.category in _REFUNDS else None,
        )
        self._work.identities.add(identity)
        others.append(identity)
        if row.txn_id is not None:
            self._by_txn[row.txn_id] = identity


def amounts_of(entry: JournalEntry, category: RowCategory) -> tuple[int, int]:
    """Return the gross and net amount of a movement from its entry."""
    net = sum(p.cents for p in entry.postings if p.account == STRIPE)
    if category in _FEES:
        return net, net
    fee = sum(p.cents for p in entry.postings if p.account in {FEES, FEE_TAX})
    return net + fee, net


def _source_of(row: ProviderRow) -> str | None:
    if row.cumulative is not None:
        return row.charge_id
    if row.category is RowCategory.CHARGE:
        return row.source_id or row.charge_id
    return row.source_id
