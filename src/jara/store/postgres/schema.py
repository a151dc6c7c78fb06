"""The schema for PostgreSQL: its types, triggers and applied steps, and facts about it.

``COLLATE "C"`` compares texts byte by byte, as SQLite does, whatever the server's language.
"""

import re
from collections.abc import Iterator

from jara.records.operations import DatabaseFacts
from jara.store.schema import BASELINE_VERSION, Step, append_only_tables
from jara.store.sql.connection import Sql
from jara.store.sql.tables import TABLES

STEPS_TABLE = "CREATE TABLE schema_steps (number BIGINT PRIMARY KEY, name TEXT NOT NULL)"
_TYPES = {"INTEGER": "BIGINT", "TEXT": 'TEXT COLLATE "C"', "BLOB": "BYTEA"}
_TYPE = re.compile(rf"\b({'|'.join(_TYPES)})\b")
_SQLITE_ONLY = re.compile(r"\) STRICT(?:, WITHOUT ROWID)?$")

REFUSE_BODY = """
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END """
_REFUSE = f"""
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $${REFUSE_BODY}$$
"""


def statements_of(version: int, name: str, step: Step) -> Iterator[str]:
    """Return what a step does, and the row that records it."""
    if version == BASELINE_VERSION:
        yield STEPS_TABLE
        yield _REFUSE
    yield from map(for_postgres, step.statements)
    for table in step.append_only:
        yield (
            f"CREATE TRIGGER {trigger_of(table)} BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
    if version == BASELINE_VERSION:
        # The row that every writer locks.
        yield "INSERT INTO log_head (id, size, peaks) VALUES (1, 0, '')"
    yield f"INSERT INTO schema_steps (number, name) VALUES ({version}, '{name}')"


def for_postgres(statement: str) -> str:
    """Translate a portable statement for PostgreSQL."""
    return _TYPE.sub(lambda match: _TYPES[match[1]], _SQLITE_ONLY.sub(")", statement))


def drop_statements() -> Iterator[str]:
    """Return the statements that drop everything the steps created."""
    for table in ("schema_steps", *reversed(TABLES)):
        yield f"DROP TABLE IF EXISTS {table} CASCADE"
    yield "DROP FUNCTION IF EXISTS refuse_change()"


def trigger_of(table: str) -> str:
    """Return the name of the trigger that guards a table."""
    return f"{table}_refuses_change"


def trigger_names() -> list[str]:
    """Return the names of the triggers that guard the tables."""
    return [trigger_of(table) for table in append_only_tables()]


_DURABILITY = ("fsync", "full_page_writes", "synchronous_commit")
_BROKEN = """
SELECT 'the constraint ' || conname || ' was never checked' FROM pg_constraint
WHERE connamespace = CAST(current_schema() AS regnamespace) AND NOT convalidated
UNION ALL
SELECT 'the index ' || CAST(indexrelid AS regclass) || ' is not valid' FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
WHERE relnamespace = CAST(current_schema() AS regnamespace) AND NOT indisvalid
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
    """Return the problems with constraints and indexes."""
    return [str(row[0]) for row in sql.all(_BROKEN)]
