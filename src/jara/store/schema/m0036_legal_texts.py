"""The versions of the legal texts."""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE legal_versions (
        text TEXT NOT NULL CHECK (text IN ('terms', 'privacy')),
        number INTEGER NOT NULL CHECK (number > 0),
        valid_from TEXT NOT NULL,
        made_at TEXT NOT NULL,
        source TEXT NOT NULL CHECK (source IN ('shipped', 'own', 'values')),
        contents TEXT NOT NULL,
        place_values TEXT NOT NULL,
        why TEXT NOT NULL,
        withdrawn_at TEXT,
        PRIMARY KEY (text, number))""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
