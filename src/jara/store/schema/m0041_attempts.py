"""A charge that failed keeps its amount, and each attempt at a request has a name."""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE pledges ADD COLUMN due_cents INTEGER",
    "ALTER TABLE idempotency_keys ADD COLUMN attempt TEXT NOT NULL DEFAULT ''",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
