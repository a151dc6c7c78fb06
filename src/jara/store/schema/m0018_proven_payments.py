"""Payments with their way and their proof; members whom an operator added."""

from __future__ import annotations

_WAYS = "('transfer', 'cash', 'mobile')"

STATEMENTS = (
    "ALTER TABLE payments ADD COLUMN way TEXT NOT NULL DEFAULT 'card'",
    "ALTER TABLE payments ADD COLUMN proof TEXT NOT NULL DEFAULT 'trust'",
    f"""UPDATE payments SET way = (SELECT source FROM entries WHERE idx = payments.entry)
        WHERE EXISTS (SELECT 1 FROM entries
            WHERE idx = payments.entry AND source IN {_WAYS})""",
    "ALTER TABLE members ADD COLUMN is_added INTEGER NOT NULL DEFAULT 0",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
