"""Matching refunds that two files report without a common id.

The balance history does not name the charge of a refund, the Payments file names no
transaction and knows one cumulated sum per charge. The same amount on the same day counts as
the same refund; an ambiguous sum is rejected, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from jara.domain.books.journal import EntryKind
from jara.domain.books.movement_identity import where
from jara.domain.books.provider_row import ProviderRow
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
    found = work.identities.refunds_of(identity.source_id)
    return sum(other.index == identity.index for other in found) > 1


def _ambiguous(row: ProviderRow) -> DuplicateEntry:
    return DuplicateEntry(
        f"{where(row)}: a refund of {format_cents(-row.amount)} may be booked already from "
        "another file; the itemised balance change names the charge, import that one."
    )
