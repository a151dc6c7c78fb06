"""Undone imports keep their matches, so an entry may have several."""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE matches_until_now (
        entry INTEGER NOT NULL REFERENCES entries (idx),
        line TEXT NOT NULL REFERENCES bank_lines (id),
        PRIMARY KEY (entry, line))""",
    "INSERT INTO matches_until_now (entry, line) SELECT entry, line FROM bank_matches",
    "DROP TABLE bank_matches",
    """CREATE TABLE bank_matches (
        entry INTEGER NOT NULL REFERENCES entries (idx),
        line TEXT NOT NULL REFERENCES bank_lines (id),
        PRIMARY KEY (entry, line))""",
    "INSERT INTO bank_matches (entry, line) SELECT entry, line FROM matches_until_now",
    "DROP TABLE matches_until_now",
    "CREATE INDEX bank_matches_by_line ON bank_matches (line)",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID = frozenset({"bank_matches", "matches_until_now"})
