"""The import of each bank statement, and whether it was undone."""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE bank_statements ADD COLUMN import_id TEXT",
    "ALTER TABLE bank_statements ADD COLUMN undone_at TEXT",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
