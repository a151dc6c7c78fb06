"""Database interface used by the repositories, and the buffer that both engines share.

SQL is written once, in the dialect that SQLite and PostgreSQL share, with named
parameters (``:name``); a driver translates the few differences.
"""

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Any, Protocol

from jara.store.sql.tables import place_of

Row = tuple[Any, ...]
Params = Mapping[str, object]

BUFFER_ROWS_MAX = 5_000  # larger batches are not faster

_PLAIN_INSERT = re.compile(r"INSERT INTO (\w+) \(([\w, ]+)\) VALUES \(((?::\w+(?:, )?)+)\)")
_TOKEN = re.compile(r"'(?:[^']|'')*'|:(\w+)")


class Sql(Protocol):
    """One connection inside one transaction."""

    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""
        ...

    def run_many(self, statement: str, rows: Iterable[Params]) -> None:
        """Execute a statement once for each set of parameters."""
        ...

    def one(self, statement: str, params: Params | None = None) -> Row | None:
        """Return the first row, or None."""
        ...

    def all(self, statement: str, params: Params | None = None) -> list[Row]:
        """Return every row."""
        ...

    def savepoint(self) -> AbstractContextManager[None]:
        """Run the block in a savepoint: an error undoes the block alone."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether the transaction is still open."""
        ...

    def append(self, statement: str, row: Row) -> None:
        """Buffer a row; it is written with others of the same statement.

        The row has a value for each parameter, in the order in which the statement first
        names them: an import appends millions of rows, and a tuple costs half as much as a
        dictionary.
        """
        ...

    def each(self, statement: str, params: Params | None = None) -> Iterator[Row]:
        """Return the rows one after the other, in bounded memory."""
        ...

    def plain(self, text: str) -> str:
        """Return the SQL of a text without case and accents, for `like_part`."""
        ...


@lru_cache(maxsize=1024)
def numbered(statement: str, sign: str) -> tuple[str, tuple[str, ...]]:
    """Turn the parameters ``:name`` of a statement into numbers such as ``$1``.

    Returns:
        The statement, and the names in the order of their numbers.
    """
    names: list[str] = []

    def place(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:  # a text in quotes
            return match[0]
        if name not in names:
            names.append(name)
        return f"{sign}{names.index(name) + 1}"

    return _TOKEN.sub(place, statement), tuple(names)


@lru_cache(maxsize=1024)
def plain_insert(statement: str) -> tuple[str, str] | None:
    """Return table and columns of a plain INSERT that uses each parameter once, else None."""
    insert = _PLAIN_INSERT.fullmatch(statement)
    if insert is None or insert[3].count(":") > len(numbered(statement, "?")[1]):
        return None
    return insert[1], insert[2]


class BufferedSql(ABC):
    """Collects appended rows and writes them in batches.

    Every read and the commit flush the buffer first.
    """

    def __init__(self) -> None:
        self._waiting: defaultdict[str, list[Row]] = defaultdict(list)
        self._rows = 0

    @abstractmethod
    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether the transaction is still open."""

    @abstractmethod
    def _write(self, waiting: Mapping[str, Sequence[Row]], count: int) -> None:
        """Execute each statement for its rows; `count` is the total."""

    def append(self, statement: str, row: Row) -> None:
        """Buffer a row; it is written with others of the same statement."""
        self._waiting[statement].append(row)
        self._rows += 1
        if self._rows >= BUFFER_ROWS_MAX:
            self.flush()

    def flush(self) -> None:
        """Write the buffered rows, table by table, each table after those it references.

        The order of first use could break a foreign key: a row of an existing entry may be
        buffered before the first new entry. Rows that could not be written stay in the
        buffer, so no commit skips them.
        """
        if not self._rows:
            return
        ordered = {insert: self._waiting[insert] for insert in sorted(self._waiting, key=place_of)}
        self._write(ordered, self._rows)
        self._forget()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Run the block in a savepoint: an error undoes the block alone."""
        self.run("SAVEPOINT grouped")
        try:
            yield
            self.run("RELEASE grouped")
        except BaseException:
            self._forget()
            if self.is_open:  # the engine may have rolled back everything
                self.run("ROLLBACK TO grouped")
                self.run("RELEASE grouped")
            raise

    def _forget(self) -> None:
        self._rows = 0
        for rows in self._waiting.values():
            rows.clear()
