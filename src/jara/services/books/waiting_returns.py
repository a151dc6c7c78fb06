"""Refunds and disputes that wait for their payment: it is not in the books yet.

A file of February may be imported before that of January. Booked without its payment, a
refund would be taken from the wrong funds, and the refunded payment would still give a vote.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from jara.domain.books.movement_identity import outside_id
from jara.domain.books.provider_row import ProviderRow, RowCategory
from jara.domain.checks.finding import Finding
from jara.domain.money import format_cents
from jara.services.ports.database import UnitOfWork

_KEY = "payments.waiting_returns"
_NOT_STORED = ("email", "customer_id", "member_id", "charge_kind", "arrives_on", "line")
"""The payment says whose it is."""


class WaitingReturns:
    """The waiting rows, read when first asked for and written by `save`."""

    def __init__(self, work: UnitOfWork) -> None:
        """Work in a transaction."""
        self._work = work
        self._by_charge: dict[str, dict[str, ProviderRow]] | None = None
        self._is_changed = False

    def all(self) -> list[ProviderRow]:
        """Return the rows that wait, oldest first."""
        rows = (row for of_charge in self._waiting().values() for row in of_charge.values())
        return sorted(rows, key=_age)

    def add(self, row: ProviderRow) -> None:
        """Let a row wait; one that waits already is kept once."""
        self._waiting().setdefault(row.charge_id or "", {})[outside_id(row)] = row
        self._is_changed = True

    def take(self, charge_id: str) -> list[ProviderRow]:
        """Return the rows that wait for a payment, oldest first, and let them go."""
        found = self._waiting().pop(charge_id, {})
        self._is_changed = self._is_changed or bool(found)
        return sorted(found.values(), key=_age)

    def save(self) -> None:
        """Write what changed."""
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
    """Name what waits, unless an operator booked it by hand, for `jara ledger verify`."""
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
