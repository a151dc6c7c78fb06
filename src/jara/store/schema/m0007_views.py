"""Views with plain names for direct SQL queries; they contain no personal data."""

from __future__ import annotations

_ENTRIES = "FROM entries e JOIN postings p ON p.entry = e.idx"
_CENTS = "CAST(SUM(p.cents) AS INTEGER) AS cents"

STATEMENTS = (
    """CREATE VIEW contributions AS
        SELECT e.id AS entry, y.day AS day, y.kind AS kind, y.cents AS cents,
            y.returned_cents AS returned_cents, y.cents - y.returned_cents AS kept_cents,
            y.dispute AS dispute
        FROM payments y JOIN entries e ON e.idx = y.entry""",
    f"""CREATE VIEW disbursements AS
        SELECT e.id AS entry, e.day AS day, e.kind AS kind, p.account AS account,
            CASE WHEN p.account LIKE 'expenses:projects:%' THEN substr(p.account, 19) END
                AS project,
            e.reference AS reference, {_CENTS}
        {_ENTRIES}
        WHERE p.account LIKE 'expenses:projects:%' OR p.account LIKE 'expenses:grants:%'
            OR p.account LIKE 'expenses:donations:%' OR p.account = 'expenses:donations'
        GROUP BY e.idx, e.id, e.day, e.kind, p.account, e.reference""",
    """CREATE VIEW balances AS
        SELECT account, fund, CAST(SUM(cents) AS INTEGER) AS cents
        FROM totals GROUP BY account, fund""",
    f"""CREATE VIEW project_spending AS
        SELECT substr(p.account, 19) AS project, {_CENTS}, COUNT(DISTINCT e.idx) AS payments,
            MIN(e.day) AS first_day, MAX(e.day) AS last_day
        {_ENTRIES}
        WHERE p.account LIKE 'expenses:projects:%'
        GROUP BY p.account""",
    """CREATE VIEW vote_results AS
        SELECT o.slug AS proposal, o.title AS title, o.status AS status, o.opened_at AS opened_at,
            o.ends_at AS ends_at, o.decided_at AS decided_at, t.yes AS yes, t.no AS no,
            t.void AS void, o.roll_size AS roll
        FROM proposals o JOIN tallies t ON t.proposal = o.id
        WHERE o.opened_at IS NOT NULL""",
    """CREATE VIEW fund_movements AS
        SELECT month, fund,
            CAST(-SUM(CASE WHEN account LIKE 'income:%' THEN cents ELSE 0 END) AS INTEGER)
                AS received_cents,
            CAST(SUM(CASE WHEN account LIKE 'expenses:%' THEN cents ELSE 0 END) AS INTEGER)
                AS spent_cents,
            CAST(-SUM(CASE WHEN account LIKE 'equity:%' THEN cents ELSE 0 END) AS INTEGER)
                AS moved_cents
        FROM totals GROUP BY month, fund""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
