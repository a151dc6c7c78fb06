"""Links of partners that belong to the sample content."""

from __future__ import annotations

STATEMENTS = ("ALTER TABLE field_links ADD COLUMN sample INTEGER NOT NULL DEFAULT 0",)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
