"""The schema for PostgreSQL: its types, triggers and applied steps, and facts about it.

``COLLATE "C"`` compares texts byte by byte, as SQLite does, whatever the server's language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jara.records.database import DatabaseFacts
from jara.store.schema import APPEND_ONLY, STEPS
from jara.store.sql.connection import Sql

STEPS_TABLE = "CREATE TABLE schema_steps (number BIGINT PRIMARY KEY, name TEXT NOT NULL)"
_TYPES = {"INTEGER": "BIGINT", "TEXT": 'TEXT COLLATE "C"', "BLOB": "BYTEA"}
_CREATE = re.compile(r"CREATE TABLE (\w+)")
_TYPE = re.compile(rf"\b({'|'.join(_TYPES)})\b")

REFUSE_BODY = """
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END """
_REFUSE = f"""
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $${REFUSE_BODY}$$
"""
_FORGET_ORDER = """
CREATE FUNCTION forget_order() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    members TEXT[];
BEGIN
    SELECT array_agg(member_id ORDER BY member_id) INTO members
        FROM participations WHERE proposal = NEW.id;
    ALTER TABLE participations DISABLE TRIGGER participations_refuses_change;
    DELETE FROM participations WHERE proposal = NEW.id;
    INSERT INTO participations (proposal, member_id) SELECT NEW.id, unnest(members);
    ALTER TABLE participations ENABLE TRIGGER participations_refuses_change;
    RETURN NULL;
END $$
"""
_FORGET_ORDER_TRIGGER = """
CREATE TRIGGER proposals_forget_order AFTER UPDATE ON proposals FOR EACH ROW
WHEN (OLD.key_destroyed_at IS NULL AND NEW.key_destroyed_at IS NOT NULL)
EXECUTE FUNCTION forget_order()
"""


def statements_of(step: int) -> Iterator[str]:
    """Return the statements of a step; the first is 1."""
    if step == 1:
        yield _REFUSE
    if step == 3:  # noqa: PLR2004 - the step that writes participations when a key is destroyed
        yield "DROP TRIGGER proposals_forget_order ON proposals"
        yield "DROP FUNCTION forget_order()"
    taken = STEPS[step - 1]
    yield from map(for_postgres, taken.STATEMENTS)
    yield from map(_append_only, taken.APPEND_ONLY)
    if step == 1:
        # In the first version participations were rewritten when the ballot key was destroyed;
        # step 3 replaces this.
        yield _FORGET_ORDER
        yield _FORGET_ORDER_TRIGGER
        # The row that every writer locks.
        yield "INSERT INTO log_head (id, size, peaks) VALUES (1, 0, '')"


def for_postgres(statement: str) -> str:
    """Translate a portable statement for PostgreSQL."""
    return _TYPE.sub(lambda match: _TYPES[match[1]], statement)


def drop_statements() -> Iterator[str]:
    """Return the statements that drop everything the steps created."""
    made = [text for step in STEPS for text in step.STATEMENTS]
    tables = [match[1] for text in made if (match := _CREATE.match(text))]
    for table in ("schema_steps", *reversed(tables)):
        yield f"DROP TABLE IF EXISTS {table} CASCADE"
    for function in ("refuse_change", "forget_order"):
        yield f"DROP FUNCTION IF EXISTS {function}()"


def trigger_of(table: str) -> str:
    """Return the name of the trigger that guards a table."""
    return f"{table}_refuses_change"


def trigger_names() -> list[str]:
    """Return the names of the triggers that guard the tables."""
    return [trigger_of(table) for table in APPEND_ONLY]


def _append_only(table: str) -> str:
    return (
        f"CREATE TRIGGER {trigger_of(table)} BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )


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
