"""Applies the schema steps to an SQLite database, with sqlite-utils."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from jara.store.schema import STEPS, SchemaStep, name_of
from jara.store.sqlite.connection import Connection
from jara.store.sqlite.file import APPLICATION_ID

if TYPE_CHECKING:
    from sqlite_utils import Database

_CREATE = re.compile(r"CREATE TABLE (\w+)")


def apply_steps(connection: Connection, last: int | None = None) -> list[str]:
    """Apply the missing steps in one transaction, up to a version; return their names."""
    # It is slow to import, and only migrations use it.
    from sqlite_utils import Database, Migrations  # noqa: PLC0415

    steps = Migrations("jara")
    for version, step in enumerate(STEPS[:last], start=1):
        steps(name=name_of(step))(_step_function(step, version))
    database = Database(connection, execute_plugins=False, strict=True)
    connection.execute("BEGIN IMMEDIATE")
    try:
        waiting = [step.name for step in steps.pending(database)]
        steps.apply(database)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    return waiting


def _step_function(step: SchemaStep, version: int) -> Callable[[Database], None]:
    def apply(db: Database) -> None:
        for statement in step.STATEMENTS:
            db.execute(_for_sqlite(statement, step.WITHOUT_ROWID))
        for table in step.APPEND_ONLY:
            for statement in _append_only(table):
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {version}")

    return apply


def _for_sqlite(statement: str, without_rowid: Collection[str]) -> str:
    match = _CREATE.match(statement)
    if match is None:
        return statement
    return f"{statement} STRICT{', WITHOUT ROWID' if match[1] in without_rowid else ''}"


def _append_only(table: str) -> Iterator[str]:
    for act in ("UPDATE", "DELETE"):
        yield (
            f"CREATE TRIGGER {table}_refuses_{act.lower()} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )
