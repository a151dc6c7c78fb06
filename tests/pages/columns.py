"""Writes the generated part of docs/security.md: what notices a change of a stored value."""

from jara.store.sql.tables import TABLES
from tests.services.operations.changed_columns import HELD, columns_noticed


def list_columns() -> str:
    """Return the table, with every column of the schema's tables."""
    rows = [
        "| table | the log | other rows | its seal | nothing, and why |",
        "|---|---|---|---|---|",
    ]
    for table, held in HELD.items():
        by = columns_noticed(table)
        assert set(by) <= set(TABLES[table]), table
        left = [name for name in TABLES[table] if name not in by]
        assert bool(left) is bool(held.reason), table
        cells = [
            _names([name for name in TABLES[table] if by.get(name) == how])
            for how in ("leaf", "derived", "seal")
        ]
        why = f"{_names(left)}: {held.reason}" if left else ""
        rows.append(f"| `{table}` | {' | '.join(cells)} | {why} |")
    return "\n".join([*rows, ""])


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
