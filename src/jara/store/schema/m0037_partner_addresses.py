"""Addresses of partners, who confirm them."""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE partners ADD COLUMN email TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE partners ADD COLUMN email_confirmed_at TEXT",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
