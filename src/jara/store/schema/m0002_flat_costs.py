"""Maintained tables and indexes that keep frequent reads O(1) as the history grows.

Changemakers and sums of contributions are stored; refunds of a payment, a member's emails
and audit records are found through an index.

A changemaker has a row while the pledge runs and a contribution qualifies. Whether a
charge failed more than 14 days ago depends on the clock, so the row only stores when it did.
"""

from __future__ import annotations

_ELECTORS = """
SELECT p.member_id, p.dollars,
    CASE WHEN p.state = 'past_due' THEN p.past_due_since END AS past_due_since
FROM pledges p JOIN members m ON m.id = p.member_id
WHERE (p.state = 'active' OR (p.state = 'past_due' AND p.past_due_since IS NOT NULL))
AND EXISTS (SELECT 1 FROM payments y WHERE y.member_key = m.member_key AND y.kind = 'pledge'
    AND y.returned_cents < y.cents AND y.dispute IN ('none', 'won'))
"""
"""Every changemaker: member, dollars a month, and since when a charge has failed."""

_LAPSED = """
SELECT a.proposal, a.member_id FROM proposals o
JOIN participations a ON a.proposal = o.id
WHERE o.status = 'open'
AND NOT EXISTS (SELECT 1 FROM electors e WHERE e.member_id = a.member_id)
"""
"""Proposal and member of everyone who voted in an open vote and is no changemaker now."""

STATEMENTS = (
    "CREATE INDEX audit_by_subject ON audit (subject, seq)",
    "CREATE INDEX audit_by_action ON audit (action, seq)",
    "CREATE INDEX outbox_by_member ON outbox (member_id) WHERE member_id IS NOT NULL",
    "CREATE INDEX entries_by_payment ON entries (of_entry) WHERE of_entry IS NOT NULL",
    """CREATE TABLE electors (
        member_id TEXT PRIMARY KEY,
        dollars INTEGER NOT NULL,
        past_due_since TEXT)""",
    "CREATE INDEX electors_past_due ON electors (past_due_since) WHERE past_due_since IS NOT NULL",
    """CREATE TABLE lapsed_voters (
        proposal TEXT NOT NULL,
        member_id TEXT NOT NULL,
        PRIMARY KEY (proposal, member_id))""",
    "CREATE INDEX lapsed_voters_by_member ON lapsed_voters (member_id)",
    "CREATE TABLE figures (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
    f"INSERT INTO electors (member_id, dollars, past_due_since) {_ELECTORS}",
    f"INSERT INTO lapsed_voters (proposal, member_id) {_LAPSED}",
    """INSERT INTO figures (name, value)
        SELECT 'electors', COUNT(*) FROM electors WHERE past_due_since IS NULL""",
    """INSERT INTO figures (name, value)
        SELECT 'elector_dollars', COALESCE(SUM(dollars), 0) FROM electors
        WHERE past_due_since IS NULL""",
    """INSERT INTO figures (name, value) SELECT 'contributions', COUNT(*) FROM payments
        WHERE returned_cents < cents AND dispute IN ('none', 'won')""",
    """INSERT INTO figures (name, value)
        SELECT 'contribution_cents', COALESCE(SUM(cents - returned_cents), 0) FROM payments
        WHERE returned_cents < cents AND dispute IN ('none', 'won')""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID = frozenset({"electors", "lapsed_voters", "figures"})
