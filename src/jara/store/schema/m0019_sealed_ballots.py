"""Ballots of open votes are sealed, and listed in the public log when the vote closes.

Ballots that are listed already stay in ``ballots``. Counts are stored at the close only.
"""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE sealed_ballots (
        proposal TEXT NOT NULL REFERENCES proposals (id),
        place INTEGER NOT NULL,
        box TEXT NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (proposal, place))""",
    "CREATE UNIQUE INDEX sealed_ballots_by_box ON sealed_ballots (proposal, box)",
    """CREATE TABLE dropped_ballots (
        proposal TEXT NOT NULL REFERENCES proposals (id),
        voter TEXT NOT NULL,
        PRIMARY KEY (proposal, voter))""",
    "DELETE FROM tallies WHERE proposal IN (SELECT id FROM proposals WHERE status = 'open')",
)

APPEND_ONLY = ("dropped_ballots",)

WITHOUT_ROWID = frozenset({"sealed_ballots", "dropped_ballots"})
