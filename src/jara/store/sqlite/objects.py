"""What the schema of a file holds, compared with what the steps create."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from jara.store.sqlite.connection import Connection, sqlite3
from jara.store.sqlite.migrations import apply_steps

STEPS_TABLE = "_sqlite_migrations"
"""Where sqlite-utils records the steps; its columns depend on the library's version."""

_STATISTICS = frozenset({"sqlite_stat1", "sqlite_stat4", "sqlite_sequence"})
_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
_COLUMNS = "SELECT name FROM pragma_table_xinfo(:table) WHERE hidden = 0"


class SchemaObject(NamedTuple):
    """A table, an index, a trigger or a view, as SQLite lists it."""

    kind: str
    name: str
    table: str
    text: str | None

    @property
    def label(self) -> str:
        """Its name in messages."""
        return f"{self.kind} {self.name}"

    @property
    def is_engines(self) -> bool:
        """Whether SQLite makes it by itself: an index of a key, or statistics."""
        if self.kind == "index":
            return self.text is None and self.name.startswith(f"sqlite_autoindex_{self.table}_")
        return self.kind == "table" and self.name in _STATISTICS


def list_objects(connection: Connection) -> Iterator[SchemaObject]:
    """Yield the objects of a file's schema."""
    for row in connection.execute(_OBJECTS):
        kind, name, table, text = (None if cell is None else str(cell) for cell in row)
        yield SchemaObject(str(kind), str(name), str(table), text)


def list_columns(connection: Connection, table: str) -> list[str]:
    """Return the columns of a table that rows store."""
    return [str(row[0]) for row in connection.execute(_COLUMNS, {"table": table})]


def read_findings(connection: Connection, version: int) -> tuple[list[str], list[str]]:
    """Compare a file with the schema of a version.

    Returns:
        What the file has and the schema has not, or otherwise; and what it lacks.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        apply_steps(model, version)
        expected = {one.label: one for one in list_objects(model)}
        foreign: list[str] = []
        seen: set[str] = set()
        for one in list_objects(connection):
            if one.is_engines and one.table in {*_STATISTICS, *_tables(expected)}:
                continue
            known = expected.get(one.label)
            if known is None or one.label in seen:
                foreign.append(f"the {one.label} is not Jara's")
            elif one.name != STEPS_TABLE and _is_other(one, known):
                foreign += _name_columns(connection, model, one)
            seen.add(one.label)
        missing = [f"the {label} is missing" for label in sorted(expected.keys() - seen)]
        return foreign, [each for each in missing if "sqlite_autoindex_" not in each]


def _tables(objects: dict[str, SchemaObject]) -> set[str]:
    return {one.table for one in objects.values()}


def _is_other(one: SchemaObject, known: SchemaObject) -> bool:
    return (one.table, (one.text or "").split()) != (known.table, (known.text or "").split())


def _name_columns(connection: Connection, model: Connection, one: SchemaObject) -> list[str]:
    """Name what differs in an object: foreign columns of a table, or all of it."""
    if one.kind == "table":
        statement = "SELECT name FROM pragma_table_xinfo(:table)"
        there, known = (
            {str(row[0]) for row in each.execute(statement, {"table": one.name})}
            for each in (connection, model)
        )
        if there - known:
            return [
                f"the column {one.name}.{column} is not Jara's" for column in sorted(there - known)
            ]
    return [f"the {one.label} differs from Jara's"]
