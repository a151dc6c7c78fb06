"""The witnesses of the public log, and their cosignatures."""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE witnesses (
        name TEXT PRIMARY KEY,
        vkey TEXT NOT NULL,
        url TEXT NOT NULL,
        added_at TEXT NOT NULL,
        seen_size INTEGER NOT NULL,
        tried_at TEXT,
        failure TEXT NOT NULL)""",
    """CREATE TABLE cosignatures (
        size INTEGER NOT NULL,
        witness TEXT NOT NULL REFERENCES witnesses (name),
        line TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        PRIMARY KEY (size, witness))""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
