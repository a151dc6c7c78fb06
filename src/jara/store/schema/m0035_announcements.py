"""Announcements, and the language in which the newsletter was asked for."""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE newsletter_readers ADD COLUMN language TEXT NOT NULL DEFAULT 'en'",
    """CREATE TABLE announcements (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        about TEXT NOT NULL,
        digest TEXT NOT NULL,
        recipients INTEGER NOT NULL,
        operator TEXT NOT NULL,
        at TEXT NOT NULL,
        withdrawn_at TEXT)""",
    "CREATE INDEX announcements_by_digest ON announcements (digest)",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
