"""Ways to pay: the account that transfers go to, and whether it takes euros."""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE payment_ways ADD COLUMN iban TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE payment_ways ADD COLUMN holder TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE payment_ways ADD COLUMN takes_euro INTEGER NOT NULL DEFAULT 0",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
