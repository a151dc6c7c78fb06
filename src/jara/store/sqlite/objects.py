"""The schema of an SQLite file: made by the steps, and compared with what they create."""

import re
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from jara.store.schema import Step
from jara.store.sql.database import apply_steps
from jara.store.sqlite.connection import Connection, SqliteSql, sqlite3

APPLICATION_ID = 0x6A617261
"""'jara' in ASCII; marks our files among all SQLite databases."""

STEPS_TABLE = "_sqlite_migrations"
"""Where 0.2.0 recorded the steps; later ones count them in ``user_version`` alone."""

_STATISTICS = frozenset({"sqlite_stat1", "sqlite_stat4", "sqlite_sequence"})
_WORD = re.compile(r"'(?:[^']|'')*'|\w+|\S")
_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"


def take_steps(connection: Connection, until: int | None = None) -> list[str]:
    """Take the missing steps in one transaction, up to a version; return their names."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        since = int(connection.execute("PRAGMA user_version").fetchone()[0])
        names = apply_steps(SqliteSql(connection), _statements_of, since, until)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    return names


def _statements_of(version: int, name: str, step: Step) -> Iterator[str]:
    del name
    yield from step.statements
    for table in step.append_only:
        for act in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {table}_refuses_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
    yield f"PRAGMA application_id = {APPLICATION_ID}"
    yield f"PRAGMA user_version = {version}"


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


def read_findings(
    connection: Connection, version: int | None = None
) -> tuple[list[str], list[str]]:
    """Compare a file with the schema of a version, or with the latest one.

    Returns:
        What the file has and the schema has not, or otherwise; and what it lacks.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        take_steps(model, version)
        expected = {one.label: one for one in list_objects(model)}
        foreign: list[str] = []
        seen: set[str] = set()
        for one in list_objects(connection):
            if one.is_engines and one.table in {*_STATISTICS, *_tables(expected)}:
                continue
            if one.table == STEPS_TABLE and one.kind in {"table", "index"}:
                continue
            known = expected.get(one.label)
            if known is None or one.label in seen:
                foreign.append(f"the {one.label} is not Jara's")
            elif _is_other(one, known):
                foreign += _name_columns(connection, model, one)
            seen.add(one.label)
        missing = [f"the {label} is missing" for label in sorted(expected.keys() - seen)]
        return foreign, [each for each in missing if "sqlite_autoindex_" not in each]


def _tables(objects: dict[str, SchemaObject]) -> set[str]:
    return {one.table for one in objects.values()}


def _is_other(one: SchemaObject, known: SchemaObject) -> bool:
    return (one.table, _words(one)) != (known.table, _words(known))


def _words(one: SchemaObject) -> list[str]:
    """Return the words and signs of an object's text, however they are spaced."""
    return _WORD.findall(one.text or "")


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
