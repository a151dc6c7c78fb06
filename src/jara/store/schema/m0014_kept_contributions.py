"""The view of contributions: a payment with a reversed entry has no kept cents."""

from __future__ import annotations

STATEMENTS = (
    "DROP VIEW contributions",
    """CREATE VIEW contributions AS
        SELECT e.id AS entry, y.day AS day, y.kind AS kind, y.cents AS cents,
            y.returned_cents AS returned_cents,
            CASE WHEN y.dispute = 'reversed' THEN 0 ELSE y.cents - y.returned_cents END
                AS kept_cents,
            y.dispute AS dispute
        FROM payments y JOIN entries e ON e.idx = y.entry""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
