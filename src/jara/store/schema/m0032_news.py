"""News: what happened, whom it is fanned out to, and how far that is.

Emails of readers are found by address when they unsubscribe.
"""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE news (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        about TEXT NOT NULL,
        at TEXT NOT NULL,
        reached TEXT NOT NULL,
        done_at TEXT)""",
    "CREATE INDEX news_by_time ON news (at)",
    "CREATE INDEX news_waiting ON news (done_at, at)",
    "CREATE INDEX outbox_by_address ON outbox (address)",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
