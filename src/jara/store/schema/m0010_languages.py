"""The language in which a member reads the website and their email."""

from __future__ import annotations

STATEMENTS = ("ALTER TABLE members ADD COLUMN language TEXT NOT NULL DEFAULT 'en'",)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
