"""The milestone of each payment to a project; before, only the entry's note named it."""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE tranches (
        entry INTEGER PRIMARY KEY REFERENCES entries (idx),
        milestone TEXT NOT NULL)""",
    """INSERT INTO tranches (entry, milestone)
        SELECT n.entry, substr(n.note, 10, length(n.note) - 10)
        FROM entry_notes n JOIN entries e ON e.idx = n.entry
        WHERE e.kind = 'disbursement' AND n.note LIKE 'Tranche ''%''' AND length(n.note) > 10""",
)

APPEND_ONLY: tuple[str, ...] = ("tranches",)

WITHOUT_ROWID: frozenset[str] = frozenset()
