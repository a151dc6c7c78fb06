"""Statements in their order, with the balance before all lines; collective and doubtful lines."""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE bank_statements ADD COLUMN seq INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE bank_statements ADD COLUMN base_cents INTEGER",
    "ALTER TABLE bank_statements ADD COLUMN is_proven INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE bank_lines ADD COLUMN is_collective INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE bank_lines ADD COLUMN twin TEXT NOT NULL DEFAULT ''",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
