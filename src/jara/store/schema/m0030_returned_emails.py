"""Emails that a mail server refused for good, and those that came back.

A row of ``returned_emails`` is one email that did not reach its address; ``cleared_at`` ends its
effect. It does not say what kind of email it was.
"""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE outbox ADD COLUMN refused_at TEXT",
    """CREATE TABLE returned_emails (
        email_id TEXT PRIMARY KEY,
        address TEXT NOT NULL,
        status TEXT NOT NULL,
        is_hard INTEGER NOT NULL,
        at TEXT NOT NULL,
        cleared_at TEXT
    )""",
    "CREATE INDEX returned_emails_address ON returned_emails (address)",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
