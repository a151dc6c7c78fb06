"""The tables and columns of the schema, read from its statements, in foreign-key order."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from jara.store.schema import all_statements

_CREATE = re.compile(r"CREATE TABLE (\w+) \((.*)\)[^()]*", re.DOTALL)
_ADD = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+)")
_REMOVE = re.compile(r"ALTER TABLE (\w+) DROP COLUMN (\w+)")
_DROP = re.compile(r"DROP TABLE (\w+)")
_INNER = re.compile(r"\([^()]*\)")
_NO_COLUMN = frozenset({"PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT"})


def columns_of(statements: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the columns of each table, each table after those it references."""
    found: dict[str, tuple[str, ...]] = {}
    for statement in statements:
        if match := _CREATE.fullmatch(statement):
            found[match[1]] = tuple(_columns(match[2]))
        elif match := _ADD.match(statement):
            found[match[1]] += (match[2],)
        elif match := _REMOVE.match(statement):
            found[match[1]] = tuple(name for name in found[match[1]] if name != match[2])
        elif match := _DROP.fullmatch(statement):
            del found[match[1]]
    return found


def _columns(body: str) -> Iterator[str]:
    while _INNER.search(body):  # a comma in brackets does not separate columns
        body = _INNER.sub("", body)
    for piece in body.split(","):
        name = piece.split()[0]
        if name not in _NO_COLUMN:
            yield name


TABLES = columns_of(all_statements())
"""The columns of each table, each table after those it references."""

_INSERT = re.compile(r"INSERT INTO (\w+)")
_PLACES = {table: place for place, table in enumerate(TABLES)}


@cache
def place_of(insert: str) -> int:
    """Return the place of an INSERT's table in the order of `TABLES`."""
    found = _INSERT.match(insert)
    return -1 if found is None else _PLACES.get(found[1], -1)


def names_made(kind: str) -> frozenset[str]:
    """Return the names of the schema's views (``VIEW``) or indexes (``INDEX``)."""
    names: set[str] = set()
    for statement in all_statements():
        words = statement.replace("CREATE UNIQUE", "CREATE").split(maxsplit=3)
        if words[:2] == ["CREATE", kind]:
            names.add(words[2])
        elif words[:2] == ["DROP", kind]:
            names.discard(words[2])
    return frozenset(names)
