"""Imports of bank statements: the entries they booked, and undone imports."""

from __future__ import annotations

from datetime import datetime

from jara.store.sql.codecs import instant_text
from jara.store.sql.connection import Sql


class BankImports:
    """The imports of bank statements."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def undone_imports(self) -> frozenset[str]:
        """Return the ids of the imports that were undone."""
        undone = "SELECT DISTINCT import_id FROM bank_statements WHERE undone_at IS NOT NULL"
        return frozenset(row[0] for row in self._sql.all(undone))

    def is_undone(self, statement_id: str) -> bool:
        """Return whether the import of a statement was undone."""
        undone = "SELECT 1 FROM bank_statements WHERE id = :id AND undone_at IS NOT NULL"
        return self._sql.one(undone, {"id": statement_id}) is not None

    def undone_lines(self, account: str) -> frozenset[str]:
        """Return the ids of an account's lines from undone imports."""
        rows = self._sql.all(
            "SELECT l.id FROM bank_lines l JOIN bank_statements s ON s.id = l.statement "
            "WHERE l.account = :account AND s.undone_at IS NOT NULL",
            {"account": account},
        )
        return frozenset(row[0] for row in rows)

    def undo(self, imported: str, *, at: datetime) -> None:
        """Mark the statements of an import as undone; their matched entries are free again."""
        self._sql.run(
            "UPDATE bank_statements SET undone_at = :at WHERE import_id = :import",
            {"at": instant_text(at), "import": imported},
        )

    def entries_booked(self, imported: str) -> list[int]:
        """Return the log indexes of all entries booked from the lines of an import."""
        # An entry is named after its line, with a number if an earlier one was reversed; the
        # arrival of a payout is named after the payout.
        rows = self._sql.all(
            "SELECT e.idx FROM bank_statements s JOIN bank_lines l ON l.statement = s.id "
            "JOIN entries e ON e.external_id >= 'bank:' || l.id "
            "AND e.external_id < 'bank:' || l.id || ';' WHERE s.import_id = :import "
            "UNION SELECT e.idx FROM bank_statements s JOIN bank_lines l ON l.statement = s.id "
            "JOIN bank_matches m ON m.line = l.id JOIN entries e ON e.idx = m.entry "
            "WHERE s.import_id = :import AND e.kind = 'payout_arrived' AND e.source = 'bank' "
            "ORDER BY 1",
            {"import": imported},
        )
        return [int(row[0]) for row in rows]
