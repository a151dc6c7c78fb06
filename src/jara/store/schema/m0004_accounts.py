"""Accounts: confirmed addresses, undone changes, sessions, devices, passkeys.

Sessions and devices store a keyed hash of the member, at most a day, and no insertion order:
no row may reveal who signed in when.
"""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE members ADD COLUMN email_confirmed INTEGER NOT NULL DEFAULT 0",
    """CREATE TABLE pending_addresses (
        member_id TEXT PRIMARY KEY,
        email TEXT NOT NULL,
        code_hash TEXT NOT NULL UNIQUE,
        expires_at TEXT NOT NULL)""",
    """CREATE TABLE undo_codes (
        hash TEXT PRIMARY KEY,
        member_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        email TEXT NOT NULL,
        email_confirmed INTEGER NOT NULL,
        password_hash TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        UNIQUE (member_id, seq))""",
    """CREATE TABLE known_devices (
        hash TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        until TEXT NOT NULL)""",
    "CREATE INDEX known_devices_by_owner ON known_devices (owner)",
    "DROP TABLE revoked_sessions",
    """CREATE TABLE sessions (
        hash TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        device TEXT NOT NULL,
        used_on TEXT NOT NULL)""",
    "CREATE INDEX sessions_by_owner ON sessions (owner)",
    """CREATE TABLE passkeys (
        id TEXT PRIMARY KEY,
        member_id TEXT NOT NULL,
        name TEXT NOT NULL,
        public_key BLOB NOT NULL,
        added_on TEXT NOT NULL)""",
    "CREATE INDEX passkeys_by_member ON passkeys (member_id)",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID = frozenset(
    {"pending_addresses", "undo_codes", "known_devices", "sessions", "passkeys"}
)
