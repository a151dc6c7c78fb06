"""Small tables: their columns, statements and codecs follow from the annotations of a record.

Entries, postings, ballots, the log and the trace are mapped by hand: an import writes millions
of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from functools import cache, partial
from inspect import get_annotations
from operator import attrgetter
from types import UnionType
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from jara.store.sql.codecs import chunks, document_text, in_list, instant_text, read_document
from jara.store.sql.connection import Sql

Record = TypeVar("Record")
Value = TypeVar("Value")
Codec = Callable[[Any], Any]

_CODECS: tuple[tuple[type, Codec, Codec], ...] = (
    (datetime, instant_text, datetime.fromisoformat),
    (date, date.isoformat, date.fromisoformat),
    (bool, int, bool),
    (int, int, int),  # a sum of PostgreSQL is a decimal
    (bytes, bytes, bytes),
    (Mapping, document_text, read_document),
)
"""The types that columns store differently: how they are written and read."""


class Repository:
    """A part of the database within one transaction."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def _number(self, statement: str, params: Mapping[str, object] | None = None) -> int:
        """Return the number that a query selects; 0 without a row."""
        row = self._sql.one(statement, params)
        return 0 if row is None else int(row[0])

    def _value(self, read: Callable[[Any], Value], query: str, **params: object) -> Value | None:
        """Return the value that a query selects; None without a row, or if it is null."""
        row = self._sql.one(query, stored(params))
        return None if row is None or row[0] is None else read(row[0])

    def _column(self, query: str, **params: object) -> list[Any]:
        """Return the first column of the rows."""
        return [row[0] for row in self._sql.all(query, stored(params))]

    def _insert(self, table: str, values: Mapping[str, object]) -> None:
        names = ", ".join(f":{name}" for name in values)
        statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({names})"
        self._sql.run(statement, stored(values))

    def _put(self, table: str, key: Mapping[str, object], values: Mapping[str, object]) -> None:
        """Insert a row, or give the one with this key other values."""
        row = {**key, **values}
        names, sets = ", ".join(f":{name}" for name in row), _sets(values, "excluded.")
        self._sql.run(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({names}) "
            f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {sets}",
            stored(row),
        )

    def _update(self, table: str, key: Mapping[str, object], values: Mapping[str, object]) -> None:
        statement = f"UPDATE {table} SET {_sets(values)} WHERE {_equal(key)}"
        self._sql.run(statement, stored({**key, **values}))

    def _delete(self, table: str, key: Mapping[str, object]) -> int:
        """Delete the rows with these values; return how many."""
        return self._sql.run(f"DELETE FROM {table} WHERE {_equal(key)}", stored(key))


class Rows(Generic[Record]):
    """The rows of a table, each of which is a record."""

    def __init__(
        self, table: str, record: Callable[..., Record], key: str = "", /, **columns: str
    ) -> None:
        """Describe a table.

        Args:
            table: its name; to read only, any text that may follow FROM.
            record: a NamedTuple or a dataclass; each field is a column.
            key: the columns that identify a record; the first one if left out.
            columns: the columns that are not named like their field, by field.
        """
        self._table = table
        self._record = record
        self._columns = {field: columns.get(field, field) for field in get_annotations(record)}
        self._key = key.split(", ") if key else [next(iter(self._columns.values()))]
        self._head = f"SELECT {self.columns()} FROM {table} "

    def columns(self, prefix: str = "") -> str:
        """Return the columns, separated by commas, each with a prefix such as ``m.``."""
        return ", ".join(prefix + column for column in self._columns.values())

    def read(self, row: Sequence[Any]) -> Record:
        """Return the record of a row of these columns."""
        return read_row(self._record, row)

    def one(self, sql: Sql, rest: str, /, **params: object) -> Record | None:
        """Return the first record; ``rest`` follows the table in the query."""
        row = sql.one(self._select(rest), stored(params))
        return None if row is None else self.read(row)

    def all(self, sql: Sql, rest: str = "", /, **params: object) -> list[Record]:
        """Return every record."""
        return [self.read(row) for row in sql.all(self._select(rest), stored(params))]

    def each(self, sql: Sql, rest: str = "", /, **params: object) -> Iterator[Record]:
        """Return the records one after the other, in bounded memory."""
        return map(self.read, sql.each(self._select(rest), stored(params)))

    def among(self, sql: Sql, column: str, values: Iterable[object]) -> Iterator[Record]:
        """Return the records with one of these values in a column."""
        for piece in chunks(values):
            names, params = in_list("v", piece)
            yield from self.all(sql, f"WHERE {column} IN {names}", **params)

    def add(self, sql: Sql, record: Record, **more: object) -> None:
        """Insert a record; ``more`` has values of columns that it lacks."""
        values = self._values(record, more)
        sql.run(self._insert(values), values)

    def add_next(self, sql: Sql, record: Record, **more: object) -> None:
        """Insert a record with the next number in the column ``seq``."""
        values = self._values(record, more)
        number = f"(SELECT COALESCE(MAX(seq), 0) + 1 FROM {self._table})"
        sql.run(self._insert(values, seq=number), values)

    def add_new(self, sql: Sql, record: Record, **more: object) -> bool:
        """Insert a record unless its key is in use; return whether it was inserted."""
        values = self._values(record, more)
        return bool(sql.run(f"{self._insert(values)} {self._on_conflict()} NOTHING", values))

    def append(self, sql: Sql, record: Record, **more: object) -> None:
        """Buffer a record that is inserted together with others."""
        values = self._values(record, more)
        sql.append(self._insert(values), tuple(values.values()))

    def put(self, sql: Sql, record: Record, **more: object) -> None:
        """Insert a record, or replace the one with its key."""
        values = self._values(record, more)
        sets = _sets((name for name in values if name not in self._key), "excluded.")
        sql.run(f"{self._insert(values)} {self._on_conflict()} UPDATE SET {sets}", values)

    def update(self, sql: Sql, record: Record, **more: object) -> None:
        """Replace the record with this key, if there is one."""
        values = self._values(record, more)
        sets = _sets(name for name in values if name not in self._key)
        sql.run(f"UPDATE {self._table} SET {sets} WHERE {_equal(self._key)}", values)

    def adder(self) -> Callable[[Repository, Record], None]:
        """Return the method of a repository that inserts a record."""
        return lambda repository, record: self.add(_sql_of(repository), record)

    def new_adder(self) -> Callable[[Repository, Record], bool]:
        """Return the one that does it unless the key is in use, and returns whether it did."""
        return lambda repository, record: self.add_new(_sql_of(repository), record)

    def putter(self) -> Callable[[Repository, Record], None]:
        """Return the one that inserts a record, or replaces the one with its key."""
        return lambda repository, record: self.put(_sql_of(repository), record)

    def finder(self, column: str) -> Callable[[Repository, str], Record | None]:
        """Return the one that reads the record with a value in a column."""
        where = f"WHERE {column} = :value"
        return lambda repository, value: self.one(_sql_of(repository), where, value=value)

    def lister(self, rest: str) -> Callable[[Repository], list[Record]]:
        """Return the one that reads all records of a query; ``rest`` follows the table in it."""
        return lambda repository: self.all(_sql_of(repository), rest)

    def lister_by(self, column: str, rest: str) -> Callable[[Repository, str], list[Record]]:
        """Return the one that reads those with a value in a column; ``rest`` follows it."""
        where = f"WHERE {column} = :value {rest}"
        return lambda repository, value: self.all(_sql_of(repository), where, value=value)

    def streamer(self, rest: str) -> Callable[[Repository], Iterator[Record]]:
        """Return the one that reads them one after the other, in bounded memory."""
        return lambda repository: self.each(_sql_of(repository), rest)

    def _select(self, rest: str) -> str:
        return self._head + rest

    def _values(self, record: Record, more: Mapping[str, object]) -> dict[str, object]:
        """Return the stored value of each column."""
        fields = {column: getattr(record, field) for field, column in self._columns.items()}
        return stored({**fields, **more})

    def _insert(self, names: Iterable[str], **texts: str) -> str:
        """Return the INSERT of parameters, and of texts in SQL."""
        values = texts | {name: f":{name}" for name in names}
        marks = ", ".join(values.values())
        return f"INSERT INTO {self._table} ({', '.join(values)}) VALUES ({marks})"

    def _on_conflict(self) -> str:
        return f"ON CONFLICT ({', '.join(self._key)}) DO"


def remover(table: str, column: str) -> Callable[[Repository, str], int]:
    """Return the method that deletes the rows with a value in a column, and returns how many."""
    return lambda self, value: self._delete(table, {column: value})


def counter(query: str) -> Callable[[Repository], int]:
    """Return the method that returns the number that a query selects."""
    return lambda self: self._number(query)


def _sql_of(repository: Repository) -> Sql:
    return repository._sql  # noqa: SLF001 - the methods above are a repository's


def _sets(names: Iterable[str], sign: str = ":") -> str:
    return ", ".join(f"{name} = {sign}{name}" for name in names)


def _equal(names: Iterable[str]) -> str:
    return " AND ".join(f"{name} = :{name}" for name in names)


def read_row(record: Callable[..., Record], row: Sequence[Any]) -> Record:
    """Return the record of a row, which has a value for each field."""
    make, readers = _reading(record)
    values = list(row)
    for place, read in readers:
        value = values[place]
        if value is not None:
            values[place] = read(value)
    made: Record = make(values)
    return made


_PLAIN = {str, int, type(None)}


def stored(values: Mapping[str, object]) -> dict[str, object]:
    """Return values as columns store them."""
    return {
        name: value if type(value) in _PLAIN else _codec(type(value))[0](value)  # type: ignore[arg-type] # a class is hashable
        for name, value in values.items()
    }


@cache
def _reading(record: Callable[..., object]) -> tuple[Codec, list[tuple[int, Codec]]]:
    """Return what makes a record of its values, and how some of these are read, by place."""
    hints = get_type_hints(record)
    readers = enumerate(_codec(hint)[1] for hint in hints.values())
    # A NamedTuple is made three times as fast as by its class.
    make = getattr(record, "_make", None) or (
        lambda values: record(**dict(zip(hints, values, strict=True)))
    )
    return make, [(place, read) for place, read in readers if read is not _same]


@cache
def _codec(hint: object) -> tuple[Codec, Codec]:
    """Return how values of a type are written and read, such as ``date | None``."""
    if isinstance(hint, UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    kind = get_origin(hint) or hint
    if not isinstance(kind, type):
        return _same, _same
    if issubclass(kind, Enum):
        return attrgetter("value"), kind
    keys = next(iter(get_args(hint)), None)
    if issubclass(kind, Mapping) and isinstance(keys, type) and issubclass(keys, Enum):
        return document_text, partial(_read_parts, keys)
    codecs = ((write, read) for known, write, read in _CODECS if issubclass(kind, known))
    return next(codecs, (_same, _same))


def _read_parts(names: type[Enum], text: str) -> dict[Enum, object]:
    """Return a document whose keys are the values of an enum, in the order of the enum."""
    document = read_document(text)
    return {name: document[name.value] for name in names if name.value in document}


def _same(value: object) -> object:
    return value
