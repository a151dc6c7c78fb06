"""Members imported from another program: their import, and whether they were invited."""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE member_imports (
        id TEXT PRIMARY KEY,
        file TEXT NOT NULL,
        form TEXT NOT NULL,
        digest TEXT NOT NULL,
        operator TEXT NOT NULL,
        started_at TEXT NOT NULL,
        undone_at TEXT)""",
    """CREATE TABLE imported_members (
        member_id TEXT PRIMARY KEY,
        import TEXT NOT NULL REFERENCES member_imports (id),
        invited_at TEXT)""",
    "CREATE INDEX imported_members_by_import ON imported_members (import, member_id)",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID = frozenset({"member_imports", "imported_members"})
