"""Rules that book the lines of bank statements, and mappings of CSV files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from jara.domain.bank.rules import Rule, read_rule
from jara.store.rows import Repository
from jara.store.sql.codecs import document_text, instant_text, read_document


class BankRulesRepository(Repository):
    """Rules that book lines, and mappings of CSV files."""

    def rules(self) -> list[Rule]:
        """Return the rules, oldest first."""
        rows = self._sql.all("SELECT id, document FROM bank_rules ORDER BY added_at, id")
        return [read_rule(rule_id, read_document(text)) for rule_id, text in rows]

    def add_rule(self, rule: Rule, *, at: datetime) -> None:
        """Add a rule."""
        self._sql.run(
            "INSERT INTO bank_rules (id, added_at, document) VALUES (:id, :at, :document)",
            {"id": rule.id, "at": instant_text(at), "document": document_text(rule.document())},
        )

    def remove_rule(self, rule_id: str) -> bool:
        """Remove a rule; return whether it existed."""
        return bool(self._sql.run("DELETE FROM bank_rules WHERE id = :id", {"id": rule_id}))

    def mappings(self) -> dict[str, Mapping[str, Any]]:
        """Return the mappings of CSV files by name."""
        rows = self._sql.all("SELECT name, document FROM bank_mappings ORDER BY name")
        return {name: read_document(text) for name, text in rows}

    def put_mapping(self, name: str, document: Mapping[str, Any]) -> None:
        """Add or replace a mapping."""
        self._sql.run(
            "INSERT INTO bank_mappings (name, document) VALUES (:name, :document) "
            "ON CONFLICT (name) DO UPDATE SET document = excluded.document",
            {"name": name, "document": document_text(document)},
        )

    def remove_mapping(self, name: str) -> bool:
        """Remove a mapping; return whether it existed."""
        return bool(self._sql.run("DELETE FROM bank_mappings WHERE name = :name", {"name": name}))
