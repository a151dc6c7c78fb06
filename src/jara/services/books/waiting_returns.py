"""Refunds and disputes that wait for a payment that is not in the books yet.

The file for February may be imported before the one for January. A refund booked without its
payment would be taken from the wrong funds, and the refunded payment would still give a vote.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from jara.domain.books.provider_row import ProviderRow, RowCategory, outside_id
from jara.domain.checks.books import Finding
from jara.domain.money import format_cents
from jara.store.unit_of_work import UnitOfWork

_KEY = "payments.waiting_returns"
_NOT_STORED = ("email", "customer_id", "member_id", "charge_kind", "arrives_on", "line")
"""Fields that the payment provides."""


class WaitingReturns:
    """The waiting rows, read on first use and written by `save`."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._by_charge: dict[str, dict[str, ProviderRow]] | None = None
        self._is_changed = False

    def all(self) -> list[ProviderRow]:
        """Return the waiting rows, oldest first."""
        rows = (row for of_charge in self._waiting().values() for row in of_charge.values())
        return sorted(rows, key=_age)

    def add(self, row: ProviderRow) -> None:
        """Add a waiting row, or replace the same one."""
        self._waiting().setdefault(row.charge_id or "", {})[outside_id(row)] = row
        self._is_changed = True

    def take(self, charge_id: str) -> list[ProviderRow]:
        """Remove and return the rows that wait for a payment, oldest first."""
        rows = self._waiting().pop(charge_id, {})
        self._is_changed = self._is_changed or bool(rows)
        return sorted(rows.values(), key=_age)

    def save(self) -> None:
        """Write the rows if they changed."""
        if self._is_changed:
            documents = [_document_of(row) for row in self.all()]
            self._work.meta.put(_KEY, json.dumps(documents))
            self._is_changed = False

    def _waiting(self) -> dict[str, dict[str, ProviderRow]]:
        if self._by_charge is None:
            self._by_charge = {}
            for document in json.loads(self._work.meta.get(_KEY) or "[]"):
                row = _row_of(document)
                self._by_charge.setdefault(row.charge_id or "", {})[outside_id(row)] = row
        return self._by_charge


def waiting_findings(work: UnitOfWork) -> Iterator[Finding]:
    """Report the waiting rows that no operator booked by hand, for `jara ledger verify`."""
    waiting = WaitingReturns(work).all()
    by_hand = work.journal.known_external_ids([outside_id(row) for row in waiting])
    for row in waiting:
        if outside_id(row) in by_hand:
            continue
        name = row.source_id or row.txn_id or ""
        what = row.category.value.replace("_", " ")
        yield Finding(
            "waiting_returns",
            name,
            f"The {what} {name} of {format_cents(abs(row.amount))} waits for the payment "
            f"{row.charge_id}; import the file that has it.",
        )


def _age(row: ProviderRow) -> datetime:
    return row.created


def _document_of(row: ProviderRow) -> dict[str, object]:
    document = {name: value for name, value in row._asdict().items() if name not in _NOT_STORED}
    return {**document, "created": row.created.isoformat()}


def _row_of(document: dict[str, object]) -> ProviderRow:
    created = datetime.fromisoformat(str(document.pop("created")))
    category = RowCategory(str(document.pop("category")))
    return ProviderRow(created=created, category=category, **document)  # type: ignore[arg-type] # as it was written
