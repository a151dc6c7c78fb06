"""Rows of the provider that wait for what they undo, since it is not in the books yet.

The file for February may be imported before the one for January. A refund booked without its
payment would be taken from the wrong funds, and the refunded payment would still give a vote. A
dispute that is won before it began would give back what nobody took.
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from jara.domain.books.payment_state import restorable_cents
from jara.domain.books.provider_row import CAUSES, RETURNS, ProviderRow, RowCategory, outside_id
from jara.domain.checks.books import Finding
from jara.domain.money import format_cents
from jara.records.payments import PaymentRecord
from jara.store.unit_of_work import UnitOfWork

_KEY = "payments.waiting_returns"
_NOT_STORED = ("email", "customer_id", "member_id", "charge_kind", "arrives_on", "line")
"""Fields that the payment provides."""


class WaitingReturns:
    """The waiting rows, read on first use and written by `save`."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._by_id: dict[str, ProviderRow] | None = None
        self._is_changed = False

    def all(self) -> list[ProviderRow]:
        """Return the waiting rows, oldest first."""
        return sorted(self._waiting().values(), key=_age)

    def add(self, row: ProviderRow) -> None:
        """Add a waiting row, or what another source says of it."""
        known = self._waiting().get(outside_id(row), row)
        self._waiting()[outside_id(row)] = row._replace(
            source_id=row.source_id or known.source_id, charge_id=row.charge_id or known.charge_id
        )
        self._is_changed = True

    def drop(self, row: ProviderRow) -> None:
        """Remove a row, if it waits."""
        if self._waiting().pop(outside_id(row), None) is not None:
            self._is_changed = True

    def save(self) -> None:
        """Write the rows if they changed."""
        if self._is_changed:
            documents = [_document_of(row) for row in self.all()]
            self._work.meta.put(_KEY, json.dumps(documents))
            self._is_changed = False

    def _waiting(self) -> dict[str, ProviderRow]:
        if self._by_id is None:
            documents = json.loads(self._work.meta.get(_KEY) or "[]")
            self._by_id = {outside_id(row): row for row in map(_row_of, documents)}
        return self._by_id


def missing_cause(work: UnitOfWork, row: ProviderRow) -> str | None:
    """Return what a row waits for, in words; None if it can be booked."""
    if row.category is RowCategory.PAYOUT_REVERSAL and row.source_id is not None:
        known = work.identities.by_source([row.source_id]).values()
        is_known = any(one.category == RowCategory.PAYOUT for found in known for one in found)
        return None if is_known else f"the payout {row.source_id}"
    if row.category not in RETURNS:
        return None
    if row.charge_id is None:
        return "its payment, which its file does not name"
    payment = work.payments.by_source([row.charge_id]).get(row.charge_id)
    if payment is None:
        return f"the payment {row.charge_id}"
    if row.category in CAUSES and row.amount > _restorable(work, row, payment):
        return f"the {name_of(row._replace(category=CAUSES[row.category]))}"
    return None


def _restorable(work: UnitOfWork, row: ProviderRow, payment: PaymentRecord) -> int:
    """Return how many cents a row may restore."""
    returns = work.journal.returns_of(payment.index)
    booked = {one.entry for one in returns}
    known = [one for one in work.identities.of_charge(row.charge_id or "") if one.index in booked]
    cause = CAUSES[row.category].value
    withdrawn = {
        one.source_id: 0
        for one in known
        if one.category == cause and one.source_id not in {row.charge_id, one.txn_id}
    }
    for one in known:
        if one.source_id in withdrawn and one.category in {cause, row.category.value}:
            withdrawn[one.source_id] -= one.cents
    return restorable_cents(row, returns, withdrawn)


class WaitingRow(NamedTuple):
    """A row that waits: its day and name, what it waits for, and what to do."""

    day: date
    name: str
    cents: int
    why: str


def waiting_rows(work: UnitOfWork) -> list[WaitingRow]:
    """Return the rows that wait and that nothing in the books explains, oldest first.

    An entry that an operator booked by hand explains one. So does a sum of the Payments file, if
    it has the day and the amount of a row that does not name its payment.
    """
    waiting = _unexplained(work, WaitingReturns(work).all())
    posted = work.journal.known_external_ids([outside_id(row) for row in waiting])
    by_hand = {name for name, index in posted.items() if work.journal.reversal_of(index) is None}
    return [
        WaitingRow(work.zone.day_of(row.created), name_of(row), row.amount, _why(work, row))
        for row in waiting
        if outside_id(row) not in by_hand
    ]


def _unexplained(work: UnitOfWork, rows: list[ProviderRow]) -> list[ProviderRow]:
    """Leave out the rows without a payment that sums of the Payments file include."""
    nameless = [row for row in rows if row.charge_id is None and row.category in RETURNS]
    if not nameless:
        return rows
    sums = Counter(work.identities.unmatched_sums())
    explained = set()
    for row in nameless:
        day = work.zone.day_of(row.created).isoformat()
        place = row.category.value, day, row.amount
        if sums[place]:
            sums[place] -= 1
            explained.add(outside_id(row))
    return [row for row in rows if outside_id(row) not in explained]


def waiting_findings(work: UnitOfWork) -> Iterator[Finding]:
    """Report the waiting rows, for `jara ledger verify`."""
    for row in waiting_rows(work):
        amount = format_cents(abs(row.cents))
        yield Finding("waiting_returns", row.name, f"The {row.name}, {amount}, {row.why}.")


def name_of(row: ProviderRow) -> str:
    """Return the name of a row for people: its category, its id, and its charge."""
    name = f"{row.category.words} {row.source_id or row.txn_id or ''}".rstrip()
    return name if row.charge_id is None else f"{name} of {row.charge_id}"


def _why(work: UnitOfWork, row: ProviderRow) -> str:
    cause = missing_cause(work, row) or "an import that can book it"
    if row.category in RETURNS and row.charge_id is None:
        return f"waits for {cause}; import the itemised balance change, which does"
    return f"waits for {cause}; import the file that has it"


def _age(row: ProviderRow) -> tuple[datetime, bool, str]:
    return row.created, row.category in CAUSES, outside_id(row)


def _document_of(row: ProviderRow) -> dict[str, object]:
    document = {name: value for name, value in row._asdict().items() if name not in _NOT_STORED}
    return {**document, "created": row.created.isoformat()}


def _row_of(document: dict[str, object]) -> ProviderRow:
    created = datetime.fromisoformat(str(document.pop("created")))
    category = RowCategory(str(document.pop("category")))
    return ProviderRow(created=created, category=category, **document)  # type: ignore[arg-type] # as it was written
