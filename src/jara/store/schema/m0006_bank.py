"""Bank statements: accounts, lines, matches of lines, rules, CSV mappings."""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE bank_accounts (
        number TEXT PRIMARY KEY,
        ledger TEXT NOT NULL UNIQUE,
        added_at TEXT NOT NULL)""",
    """CREATE TABLE bank_statements (
        id TEXT PRIMARY KEY,
        account TEXT NOT NULL REFERENCES bank_accounts (number),
        file TEXT NOT NULL,
        form TEXT NOT NULL,
        first_day TEXT NOT NULL,
        last_day TEXT NOT NULL,
        opening_cents INTEGER,
        closing_cents INTEGER,
        imported_at TEXT NOT NULL)""",
    """CREATE TABLE bank_lines (
        id TEXT PRIMARY KEY,
        account TEXT NOT NULL REFERENCES bank_accounts (number),
        statement TEXT NOT NULL REFERENCES bank_statements (id),
        line INTEGER NOT NULL,
        day TEXT NOT NULL,
        cents INTEGER NOT NULL,
        key TEXT NOT NULL,
        text TEXT NOT NULL,
        party TEXT NOT NULL,
        party_account TEXT NOT NULL,
        bank_ref TEXT NOT NULL,
        own_ref TEXT NOT NULL,
        is_reversal INTEGER NOT NULL)""",
    "CREATE INDEX bank_lines_by_day ON bank_lines (account, day)",
    """CREATE TABLE bank_matches (
        entry INTEGER PRIMARY KEY REFERENCES entries (idx),
        line TEXT NOT NULL REFERENCES bank_lines (id))""",
    "CREATE INDEX bank_matches_by_line ON bank_matches (line)",
    """CREATE TABLE bank_reasons (
        line TEXT PRIMARY KEY REFERENCES bank_lines (id),
        reason TEXT NOT NULL)""",
    "CREATE TABLE bank_rules (id TEXT PRIMARY KEY, added_at TEXT NOT NULL, document TEXT NOT NULL)",
    "CREATE TABLE bank_mappings (name TEXT PRIMARY KEY, document TEXT NOT NULL)",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID = frozenset(
    {"bank_accounts", "bank_statements", "bank_matches", "bank_reasons", "bank_rules",
     "bank_mappings"}
)  # fmt: skip
