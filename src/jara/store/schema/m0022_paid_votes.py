"""The card of each payment; electors with the end of their right to vote.

`ElectorRepository.renew` computes the ends after this step.
"""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE payments ADD COLUMN card_fingerprint TEXT",
    """CREATE INDEX payments_without_card ON payments (member_key, entry)
        WHERE way <> 'card'""",
    "DROP INDEX electors_past_due",
    "ALTER TABLE electors DROP COLUMN past_due_since",
    "ALTER TABLE electors ADD COLUMN votes_until TEXT",
    "CREATE INDEX electors_by_end ON electors (votes_until)",
    "UPDATE figures SET value = (SELECT COUNT(*) FROM electors) WHERE name = 'electors'",
    """UPDATE figures SET value = (SELECT COALESCE(SUM(dollars), 0) FROM electors)
        WHERE name = 'elector_dollars'""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
