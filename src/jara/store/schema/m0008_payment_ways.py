"""Ways to pay a pledge other than by card: the way, the reference, the operator's settings."""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE pledges ADD COLUMN way TEXT NOT NULL DEFAULT 'card'",
    "ALTER TABLE pledges ADD COLUMN reference TEXT",
    """CREATE UNIQUE INDEX pledges_by_reference ON pledges (reference)
        WHERE reference IS NOT NULL""",
    """CREATE TABLE payment_ways (
        way TEXT PRIMARY KEY,
        ledger TEXT NOT NULL,
        details TEXT NOT NULL)""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID = frozenset({"payment_ways"})
