"""Which of the provider's movements are booked already, and refunds without a common id.

The Payments file names no transaction, and knows one cumulated sum of refunds and of disputes for
each charge.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from jara.domain.books.account import FEE_TAX, FEES, STRIPE
from jara.domain.books.journal import JournalEntry
from jara.domain.books.provider_row import RETURNS, ProviderRow, RowCategory, outside_id
from jara.records.payments import Identity
from jara.store.unit_of_work import UnitOfWork

_FEES = (RowCategory.FEE, RowCategory.NETWORK_COST, RowCategory.TAX)


class BookedReturns(NamedTuple):
    """The refunds of a charge in the books, or its disputes, or its disputes that were won."""

    booked: Sequence[int]  # the cents of each entry in log order; negative for a refund that failed
    cumulated: Sequence[Identity]  # those that the Payments file reported as a sum
    named: Sequence[Identity]  # those of the balance history, some of which such a sum includes

    @property
    def cumulated_cents(self) -> int:
        """What the Payments file reported."""
        return sum(abs(one.cents) for one in self.cumulated)

    @property
    def matched_cents(self) -> int:
        """What of it the balance history has reported too."""
        named = sum(abs(one.cents) for one in self.named)
        return self.cumulated_cents + named - sum(cents for cents in self.booked if cents > 0)


class KnownMovements:
    """Looks up which rows are booked, a batch at a time, and records new ones."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._by_txn: dict[str, Identity] = {}
        self._by_source: dict[str, list[Identity]] = {}
        self._undone: defaultdict[str, list[Identity]] = defaultdict(list)
        """The undone movements, by their transaction and by their source."""
        self._posted: dict[str, int] = {}

    def load(self, rows: Sequence[ProviderRow]) -> None:
        """Look up these rows."""
        identities = self._work.identities
        txn_ids = {row.txn_id for row in rows if row.txn_id}
        source_ids = {s for row in rows if (s := _source_of(row))}
        self._by_txn, self._by_source = identities.by_txn(txn_ids), identities.by_source(source_ids)
        self._undone.clear()
        for one in identities.undone(txn_ids=txn_ids, source_ids=source_ids):
            for name in {one.txn_id or one.source_id, one.source_id}:
                if one not in self._undone[name]:
                    self._undone[name].append(one)
        self._posted = self._work.journal.known_external_ids(
            {outside_id(row) for row in rows if row.txn_id or _source_of(row)}
        )

    def find(self, row: ProviderRow) -> Identity | None:
        """Return the identity of a row that is booked, by its transaction or its source."""
        identity = self._by_txn.get(row.txn_id or "")
        if identity is not None:
            return identity
        for identity in self._by_source.get(_source_of(row) or "", ()):
            same = identity.category == row.category
            if row.cumulative is not None:
                same = same and identity.ordinal == row.cumulative
            if same and (row.txn_id is None or identity.txn_id is None):
                return identity
        return None

    def posted_index(self, row: ProviderRow) -> int | None:
        """Return the entry with the row's external id, if the row has no identity.

        This happens after the books were rebuilt from a journal. An undone entry does not count.
        """
        return None if self.is_undone(row) else self._posted.get(outside_id(row))

    def is_undone(self, row: ProviderRow) -> bool:
        """Return whether a row was booked and taken out of the books again."""
        return bool(self._undone_of(row))

    def returns(self, charge_id: str, category: RowCategory) -> BookedReturns:
        """Return what is booked of a category for a charge."""
        payment = self._work.payments.by_source([charge_id])[charge_id]
        kinds = (
            {category, RowCategory.REFUND_FAILURE} if category is RowCategory.REFUND else {category}
        )
        sign = -1 if category is RowCategory.DISPUTE_REVERSAL else 1
        known = [
            one for one in self._work.identities.of_charge(charge_id) if one.category == category
        ]
        return BookedReturns(
            booked=[
                sign * one.cents
                for one in self._work.journal.returns_of(payment.index)
                if one.kind in kinds
            ],
            cumulated=[one for one in known if one.source_id == charge_id],
            named=[one for one in known if one.source_id != charge_id],
        )

    def complete(self, identity: Identity, row: ProviderRow) -> bool:
        """Store what a row says and its identity lacks; return whether that is its own name.

        A row whose source is its charge has no name until another file gives the refund's or
        the dispute's.
        """
        if row.source_id is not None and identity.source_id == row.txn_id:
            self._work.identities.remove(identity)
            charge_id = row.charge_id or identity.charge_id
            payout_id = row.payout_id or identity.payout_id
            self.add(row._replace(charge_id=charge_id, payout_id=payout_id), identity.index)
            return True
        lacks_txn = identity.txn_id is None and row.txn_id is not None
        lacks_payout = identity.payout_id is None and row.payout_id is not None
        if lacks_txn or lacks_payout:
            self._work.identities.attach(identity, txn_id=row.txn_id, payout_id=row.payout_id)
        return False

    def add(self, row: ProviderRow, index: int | None) -> None:
        """Record that a row is booked, with the log index of its entry if it has one."""
        source = _source_of(row) or row.txn_id or ""
        others = self._by_source.setdefault(source, [])
        for one in self._undone_of(row):
            self._work.identities.remove(one)
            for name in {one.txn_id or one.source_id, one.source_id}:
                self._undone[name].remove(one)
        ordinal = row.cumulative
        if ordinal is None:
            alike = (row.category.value, source)
            taken = {
                one.ordinal
                for one in (*others, *self._undone[source])
                if (one.category, one.source_id) == alike
            }
            ordinal = next(number for number in count() if number not in taken)
        identity = Identity(
            category=row.category.value,
            source_id=source,
            ordinal=ordinal,
            index=index,
            cents=row.amount,
            txn_id=row.txn_id,
            payout_id=row.payout_id,
            fee_cents=row.fee,
            charge_id=row.charge_id if row.category in RETURNS else None,
        )
        self._work.identities.add(identity)
        others.append(identity)
        if row.txn_id is not None:
            self._by_txn[row.txn_id] = identity

    def _undone_of(self, row: ProviderRow) -> list[Identity]:
        names = {row.txn_id or "", _source_of(row) or ""} & self._undone.keys()
        found = (one for name in names for one in self._undone[name] if _is_of(one, row))
        return list(dict.fromkeys(found))


def amounts_of(entry: JournalEntry, category: RowCategory) -> tuple[int, int]:
    """Return the gross and net amount of a movement from its entry."""
    net = sum(p.cents for p in entry.postings if p.account == STRIPE)
    if category in _FEES:
        return net, net
    fee = sum(p.cents for p in entry.postings if p.account in {FEES, FEE_TAX})
    return net + fee, net


def _is_of(identity: Identity, row: ProviderRow) -> bool:
    """Return whether an identity is that of a row, by its transaction or by its source."""
    if identity.txn_id is not None and row.txn_id is not None:
        return identity.txn_id == row.txn_id
    same = (identity.category, identity.source_id) == (row.category, _source_of(row))
    return same and (row.cumulative is None or identity.ordinal == row.cumulative)


def _source_of(row: ProviderRow) -> str | None:
    if row.cumulative is not None:
        return row.charge_id
    if row.category is RowCategory.CHARGE:
        return row.source_id or row.charge_id
    return row.source_id
