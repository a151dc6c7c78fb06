"""The charge of each dispute, and movements that were undone and can be booked again.

Before this step, an undone import could not be imported again.
"""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE identities ADD COLUMN is_undone INTEGER NOT NULL DEFAULT 0",
    """UPDATE identities SET is_undone = 1
        WHERE entry IN (SELECT reverses FROM entries WHERE reverses IS NOT NULL)
        AND EXISTS (SELECT 1 FROM audit WHERE action = 'ledger.undo')""",
    """UPDATE identities SET charge_id = (SELECT p.source_id FROM entries e
        JOIN payments p ON p.entry = e.of_entry WHERE e.idx = identities.entry)
        WHERE category IN ('dispute', 'dispute_reversal') AND charge_id IS NULL""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
