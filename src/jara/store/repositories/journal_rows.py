"""Rows of the journal turned into values, and queries into conditions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from jara.domain.books.account import Fund
from jara.services.ports.journal import BalanceRow, EntryQuery
from jara.store.sql.codecs import (
    document_text,
    in_list,
    instant_text,
    optional_day_text,
)
from jara.store.sql.connection import Row

if TYPE_CHECKING:  # a balance is read without entries
    from jara.domain.books.journal import PostedEntry

ENTRY_COLUMNS = (
    "e.idx, e.id, e.day, e.kind, e.description, e.reference, e.source, e.external_id, "
    "e.member_key, e.reverses, e.of_entry, e.true_day, e.foreign_doc, e.booked_at"
)
ADD_ENTRY = (
    "INSERT INTO entries (idx, id, day, kind, description, reference, source, external_id, "
    "member_key, reverses, of_entry, true_day, foreign_doc, booked_at) VALUES (:idx, :id, "
    ":day, :kind, :description, :reference, :source, :external_id, :member_key, :reverses, "
    ":of_entry, :true_day, :foreign_doc, :booked_at)"
)


def entry_row(posted: PostedEntry) -> Row:
    """Return the values that `ADD_ENTRY` inserts."""
    entry = posted.entry
    return (
        posted.index,
        posted.id,
        entry.day.isoformat(),
        entry.kind.value,
        entry.description,
        entry.reference,
        entry.source,
        entry.external_id,
        entry.member_key,
        entry.reverses,
        entry.of,
        optional_day_text(entry.true_day),
        None if entry.foreign is None else document_text(asdict(entry.foreign)),
        instant_text(posted.booked_at),
    )


def where_clause(query: EntryQuery) -> tuple[str, dict[str, object]]:
    """Return the condition of a query on ``entries e``, and its parameters."""
    conditions = ["1 = 1"]
    params: dict[str, object] = {}
    plain = (
        ("e.day >= :first_day", "first_day", optional_day_text(query.first_day)),
        ("e.day <= :last_day", "last_day", optional_day_text(query.last_day)),
        ("e.member_key = :member_key", "member_key", query.member_key),
        ("e.reference = :reference", "reference", query.reference),
        ("e.idx < :size", "size", query.size),
    )
    for condition, name, value in plain:
        if value is not None:
            conditions.append(condition)
            params[name] = value
    if query.kinds:
        names, kinds = in_list("kind", query.kinds)
        conditions.append(f"e.kind IN {names}")
        params |= kinds
    if query.text:
        conditions.append(
            "(lower(e.description) LIKE :text ESCAPE '!' OR lower(e.reference) LIKE :text "
            "ESCAPE '!' OR e.id LIKE :text ESCAPE '!')"
        )
        escaped = query.text.lower()
        for sign in "!%_":
            escaped = escaped.replace(sign, "!" + sign)
        params["text"] = f"%{escaped}%"
    return " AND ".join(conditions), params


def balance_rows(rows: Iterable[Row]) -> list[BalanceRow]:
    """Return balance rows by account, fund and month; those of zero had postings too."""
    found = [
        BalanceRow(account, Fund(fund), int(cents), period) for account, fund, period, cents in rows
    ]
    return sorted(found, key=lambda row: (row.account, row.fund.position, row.month or ""))
