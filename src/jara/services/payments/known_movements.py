"""Which of the provider's movements are booked already, and refunds without a common id.

The balance history does not name the charge of a refund, the Payments file names no
transaction and knows one cumulated sum per charge. The same amount on the same day counts as
the same refund; an ambiguous sum is rejected, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import FEE_TAX, FEES, STRIPE
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.provider_row import ProviderRow, RowCategory, outside_id, where
from jara.domain.errors import DuplicateEntry
from jara.domain.money import format_cents
from jara.records.journal import EntryQuery
from jara.records.payments import Identity
from jara.store.unit_of_work import UnitOfWork

_KINDS = (EntryKind.REFUND.value,)


def find_cumulated_twin(work: UnitOfWork, row: ProviderRow, day: date) -> Identity | None:
    """Return the Payments file's refund that matches a balance row without a charge.

    Raises:
        DuplicateEntry: the row may be part of a cumulated refund.
    """
    ambiguous = False
    for identity in _refunds(work, EntryQuery(first_day=day, kinds=_KINDS)):
        if identity.txn_id is not None or _is_matched(work, identity):
            continue
        if identity.cents == row.amount and _day_of(work, identity) == day:
            return identity
        ambiguous = ambiguous or identity.cents < row.amount
    if ambiguous:
        raise _ambiguous(row)
    return None


def claim_balance_twin(work: UnitOfWork, row: ProviderRow, day: date) -> Identity | None:
    """Return the balance history's refund that matches a cumulated one, and store its charge.

    Raises:
        DuplicateEntry: the sum may include several booked refunds.
    """
    ambiguous = False
    for identity in _refunds(work, EntryQuery(last_day=day, kinds=_KINDS)):
        if identity.charge_id is not None:
            continue
        if identity.cents == row.amount and _day_of(work, identity) == day:
            work.identities.attach(identity, charge_id=row.charge_id)
            return identity
        ambiguous = ambiguous or identity.cents > row.amount
    if ambiguous:
        raise _ambiguous(row)
    return None


def _refunds(work: UnitOfWork, query: EntryQuery) -> Iterator[Identity]:
    for posted in work.journal.entries(query):
        external_id = posted.entry.external_id or ""
        kind, _, rest = external_id.partition(":")
        if kind == EntryKind.REFUND:
            charge_id, _, cumulative = rest.rpartition(":")
            for identity in work.identities.refunds_of(charge_id):
                if identity.source_id == charge_id and identity.ordinal == int(cumulative):
                    yield identity
        else:
            yield from work.identities.by_txn([external_id]).values()


def _day_of(work: UnitOfWork, identity: Identity) -> date:
    return work.journal.get(identity.index or 0).entry.day


def _is_matched(work: UnitOfWork, identity: Identity) -> bool:
    refunds = work.identities.refunds_of(identity.source_id)
    return sum(other.index == identity.index for other in refunds) > 1


def _ambiguous(row: ProviderRow) -> DuplicateEntry:
    return DuplicateEntry(
        f"{where(row)}: a refund of {format_cents(-row.amount)} may be booked already from "
        "another file; the itemised balance change names the charge, import that one."
    )


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

        This happens after the books were rebuilt from a journal.
        """
        return self._posted.get(outside_id(row))

    def refunds(self, charge_id: str) -> BookedRefunds:
        """Return the refunds of a charge in the books."""
        identities = self._work.identities.refunds_of(charge_id)
        cumulated = [identity for identity in identities if identity.source_id == charge_id]
        sums = {identity.index for identity in cumulated}
        matched = [i for i in identities if i.index in sums and i.source_id != charge_id]
        return BookedRefunds([i for i in identities if i not in matched], cumulated, matched)

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
