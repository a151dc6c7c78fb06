"""Facts about a PostgreSQL database, for ``jara doctor`` and ``jara ledger verify``."""

from __future__ import annotations

from jara.records.database import DatabaseFacts
from jara.store.postgres.schema import trigger_names
from jara.store.sql.connection import Sql

_DURABILITY = ("fsync", "full_page_writes", "synchronous_commit")
_BROKEN = """
SELECT 'the constraint ' || conname || ' was never checked' FROM pg_constraint
WHERE connamespace = CAST(current_schema() AS regnamespace) AND NOT convalidated
UNION ALL
SELECT 'the index ' || CAST(indexrelid AS regclass) || ' is not valid' FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
WHERE relnamespace = CAST(current_schema() AS regnamespace) AND NOT indisvalid
"""
_TRIGGERS = """
SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE relnamespace = CAST(current_schema() AS regnamespace) AND NOT tgisinternal
AND tgenabled IN ('O', 'A')
"""


def read_facts(sql: Sql, location: str) -> DatabaseFacts:
    """Read the facts inside a transaction."""

    def ask(expression: str) -> str:
        row = sql.one(f"SELECT {expression}")
        return "" if row is None else str(row[0])

    off = [name for name in _DURABILITY if ask(f"current_setting('{name}')") == "off"]
    return DatabaseFacts(
        engine="PostgreSQL",
        engine_version=ask("current_setting('server_version')"),
        location=location,
        schema_version=int(ask("MAX(number) FROM schema_steps")),
        journal_mode=f"{' and '.join(off)} off" if off else "durable",
        size_bytes=int(ask("pg_database_size(current_database())")),
        readable_by_others=False,
    )


def read_findings(sql: Sql) -> list[str]:
    """Return the problems with constraints, indexes and triggers."""
    found = [str(row[0]) for row in sql.all(_BROKEN)]
    there = {row[0] for row in sql.all(_TRIGGERS)}
    missing = sorted(set(trigger_names()) - there)
    return found + [f"the trigger {name} is missing or disabled" for name in missing]
