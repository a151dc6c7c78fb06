"""The identity of a provider's movement across sources."""

from __future__ import annotations

from typing import NamedTuple

from jara.domain.books.provider_row import ProviderRow, RowCategory
from jara.domain.errors import InvalidInput


class MovementIdentity(NamedTuple):
    """The second unique key of a movement, besides its transaction id."""

    category: RowCategory
    source_id: str
    ordinal: int = 0

    def __str__(self) -> str:
        tail = f":{self.ordinal}" if self.ordinal else ""
        return f"{self.category}:{self.source_id}{tail}"


def identity_of(row: ProviderRow, *, ordinal: int = 0) -> MovementIdentity | None:
    """Return the second unique key of a row, besides its transaction id.

    Refunds of the Payments file are numbered by their cumulated sum per charge.

    Args:
        row: the provider's row.
        ordinal: the number of earlier rows of this category and source; a dispute may
            withdraw money twice.

    Returns:
        The key, or None for a row with only a transaction id.

    Raises:
        InvalidInput: the row has no id at all.
    """
    if row.cumulative is not None and row.charge_id:
        return MovementIdentity(row.category, row.charge_id, row.cumulative)
    is_charge = row.category is RowCategory.CHARGE
    source_id = row.source_id or (row.charge_id if is_charge else None)
    if source_id:
        return MovementIdentity(row.category, source_id, ordinal)
    if row.txn_id is None:
        raise InvalidInput(f"{where(row)}: the row has no id, so it could be booked twice.")
    return None


def outside_id(row: ProviderRow) -> str:
    """Return the external id of a row: its transaction id, else its identity."""
    return row.txn_id or str(identity_of(row))


def where(row: ProviderRow) -> str:
    """Name a row for a message: the line of its file, else its id."""
    if row.line:
        return f"line {row.line}"
    return row.txn_id or row.source_id or "a row without id"
