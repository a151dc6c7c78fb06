"""`Sql` on one SQLite connection; turns SQLite's errors into messages."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from jara.domain.errors import Conflict, JaraError, Unavailable
from jara.store.sql.connection import BufferedSql, Params, Row, numbered, plain_insert

try:
    from pysqlite3 import dbapi2 as sqlite3
except ImportError:  # pragma: no cover - platforms without the wheel
    from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # chosen at run time there

__all__ = ["BUSY_SECONDS", "Connection", "SqliteSql", "SqliteTransaction", "sqlite3", "translated"]

BUSY_SECONDS = 5.0
_PAUSE_SECONDS = 0.001

PLAIN = "jara_plain"
"""The function of the connection that is `without_accents`."""

ROWS_TOGETHER = 50
"""Rows per INSERT statement; larger statements are not faster."""

Connection: TypeAlias = Any
"""A connection of `sqlite3`; the module has no type stubs."""


def _as_it_is(value: object) -> object:
    return value


# SQLite stores both unchanged. Without an adapter, the module searches for one for every
# value, which is many times slower than binding a number.
for _kind in (bytes, type(None)):
    sqlite3.register_adapter(_kind, _as_it_is)


class SqliteSql(BufferedSql):
    """`Sql` on one SQLite connection, with buffered appends."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self.connection = connection

    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""
        if self._rows:
            self.flush()
        try:
            return int(self.connection.execute(statement, params or {}).rowcount)
        except sqlite3.DatabaseError as error:
            raise _understood(error) from error

    def run_many(self, statement: str, rows: Iterable[Params]) -> None:
        """Execute a statement once for each set of parameters."""
        self.flush()
        with translated():
            self.connection.executemany(statement, rows)

    @property
    def is_open(self) -> bool:
        """Whether the transaction is still open."""
        return bool(self.connection.in_transaction)

    def plain(self, text: str) -> str:
        """Return the SQL of a text without case and accents; most texts need no Python."""
        return f"CASE WHEN {text} GLOB '*[^ -~]*' THEN {PLAIN}({text}) ELSE lower({text}) END"

    def _write(self, waiting: Mapping[str, Sequence[Row]], count: int) -> None:
        del count
        with translated():
            for statement, rows in waiting.items():
                single = self._write_together(statement, rows)
                if single:
                    self.connection.executemany(numbered(statement, "?")[0], single)

    def _write_together(self, statement: str, rows: Sequence[Row]) -> Sequence[Row]:
        """Insert rows in statements of many rows each; return those that are left."""
        together = len(rows) - len(rows) % ROWS_TOGETHER
        insert = plain_insert(statement) if together else None
        if insert is None:
            return rows
        table, columns = insert
        row = f"({', '.join('?' * len(rows[0]))})"
        text = f"INSERT INTO {table} ({columns}) VALUES {', '.join([row] * ROWS_TOGETHER)}"
        values = list(chain.from_iterable(rows[:together]))
        size = len(rows[0]) * ROWS_TOGETHER
        pieces = (values[place : place + size] for place in range(0, len(values), size))
        self.connection.executemany(text, pieces)
        return rows[together:]

    def one(self, statement: str, params: Params | None = None) -> Row | None:
        """Return the first row, or None."""
        if self._rows:
            self.flush()
        try:
            row: Row | None = self.connection.execute(statement, params or {}).fetchone()
        except sqlite3.DatabaseError as error:
            raise _understood(error) from error
        return row

    def all(self, statement: str, params: Params | None = None) -> list[Row]:
        """Return every row."""
        if self._rows:
            self.flush()
        try:
            rows: list[Row] = self.connection.execute(statement, params or {}).fetchall()
        except sqlite3.DatabaseError as error:
            raise _understood(error) from error
        return rows

    def each(self, statement: str, params: Params | None = None) -> Iterator[Row]:
        """Return the rows one after the other, in bounded memory."""
        self.flush()
        with translated():
            yield from self.connection.execute(statement, params or {})


class SqliteTransaction:
    """One transaction of a connection.

    A write takes the lock at once (``BEGIN IMMEDIATE``), since a read that turns into a
    write may fail however long it waits.
    """

    __slots__ = ("_connection", "_path", "_sql", "_write")

    def __init__(self, connection: Connection, path: str, *, write: bool) -> None:
        """Prepare a transaction; the `with` block begins it."""
        self._connection = connection
        self._path = path
        self._write = write
        self._sql = SqliteSql(connection)

    def __enter__(self) -> SqliteSql:
        if self._connection.in_transaction:
            raise RuntimeError("A unit of work is open in this thread already.")
        with translated(self._path):
            if self._write:
                self._wait_for_the_lock()
            else:
                self._connection.execute("BEGIN")
        return self._sql

    def _wait_for_the_lock(self) -> None:
        """Take the write lock, or give up after `BUSY_SECONDS`.

        SQLite's own busy handler sleeps longer each time, so newcomers overtake a waiting
        writer, by a second and more if two processes write.
        """
        deadline = time.monotonic() + BUSY_SECONDS
        self._connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    self._connection.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise
                    time.sleep(_PAUSE_SECONDS)
                else:
                    return
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is None:
                self._sql.flush()
                with translated(self._path):
                    self._connection.execute("COMMIT" if self._write else "ROLLBACK")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


class translated:  # noqa: N801 - read as a word: `with translated():`
    """Turns SQLite's errors into errors that say what to do."""

    __slots__ = ("_path",)

    def __init__(self, path: str = "the database") -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.DatabaseError):
            raise _understood(error, self._path) from error


def _understood(error: BaseException, path: str = "the database") -> JaraError:
    """Turn SQLite's error into one that says what to do."""
    if isinstance(error, sqlite3.IntegrityError):
        return Conflict(f"The database refused the change: {error}.")
    return Unavailable(_sentence(str(error), path))


def _sentence(reason: str, path: str) -> str:
    known = (
        ("locked", f"{path} is locked by another process; try again in a moment."),
        ("readonly", f"{path} cannot be written; nothing was changed."),
        ("disk is full", "The disk is full; nothing was changed."),
        ("unable to open", f"{path} cannot be opened; check the folder and its permissions."),
        ("not a database", f"{path} is not a database, or is corrupt; restore a backup."),
        ("malformed", f"{path} is corrupt; restore a backup."),
        ("disk I/O", f"The disk is full, or failed, while {path} was in use; nothing was changed."),
    )
    for word, sentence in known:
        if word in reason:
            return sentence[0].upper() + sentence[1:]
    return f"SQLite cannot do this with {path}: {reason}."
