"""Writes the generated part of docs/security.md: what notices a change of a stored value."""

from __future__ import annotations

from jara.store.sql.tables import TABLES
from tests.services.operations.changed_columns import HELD


def list_columns() -> str:
    """Return the table, with every column of the schema's tables."""
    rows = ["| table | compared with the log | compared with other rows | nothing, and why |"]
    rows.append("|---|---|---|---|")
    for table, held in HELD.items():
        leaf, derived = held.leaf.split(), held.derived.split()
        left = [name for name in TABLES[table] if name not in {*leaf, *derived}]
        assert bool(left) is bool(held.reason), table
        why = f"{_names(left)}: {held.reason}" if left else ""
        rows.append(f"| `{table}` | {_names(leaf)} | {_names(derived)} | {why} |")
    return "\n".join([*rows, ""])


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
