"""One SQLite connection behind the `Sql` door, and SQLite's errors as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from jara.domain.errors import Conflict, Unavailable
from jara.store.sql import Params, Row

try:
    from pysqlite3 import dbapi2 as sqlite3
except ImportError:  # pragma: no cover - platforms without the wheel
    from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]

__all__ = ["BUFFER_ROWS_MAX", "Connection", "SqliteSql", "sqlite3", "translated"]

BUFFER_ROWS_MAX = 20_000

Connection: TypeAlias = Any
"""A connection of the module above, which has no types."""


class SqliteSql:
    """The `Sql` door on one SQLite connection, with buffered appends.

    ``append`` collects rows and writes them in batches: any read, and the commit,
    writes them first, so that nobody sees the difference.
    """

    def __init__(self, connection: Connection) -> None:
        """Wrap a connection that the caller opened and will close."""
        self.connection = connection
        self._waiting: dict[str, list[Params]] = {}
        self._rows = 0

    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""
        self.flush()
        with translated():
            return int(self.connection.execute(statement, params or {}).rowcount)

    def run_many(self, statement: str, rows: Iterable[Params]) -> None:
        """Execute a statement once for each set of parameters."""
        self.flush()
        with translated():
            self.connection.executemany(statement, rows)

    def append(self, statement: str, row: Params) -> None:
        """Execute a statement later, together with others of its kind."""
        self._waiting.setdefault(statement, []).append(row)
        self._rows += 1
        if self._rows >= BUFFER_ROWS_MAX:
            self.flush()

    def flush(self) -> None:
        """Write what is buffered, statement by statement in order of first use.

        The order lasts for the whole transaction, so that a row comes after the one it
        refers to wherever the buffer happens to be full.
        """
        if not self._rows:
            return
        self._rows = 0
        with translated():
            for statement, rows in self._waiting.items():
                if rows:
                    self.connection.executemany(statement, rows)
                    rows.clear()

    def one(self, statement: str, params: Params | None = None) -> Row | None:
        """Return the first row, or None."""
        self.flush()
        with translated():
            row: Row | None = self.connection.execute(statement, params or {}).fetchone()
            return row

    def all(self, statement: str, params: Params | None = None) -> list[Row]:
        """Return every row."""
        self.flush()
        with translated():
            rows: list[Row] = self.connection.execute(statement, params or {}).fetchall()
            return rows

    def each(self, statement: str, params: Params | None = None) -> Iterator[Row]:
        """Return the rows one after the other, in bounded memory."""
        self.flush()
        with translated():
            yield from self.connection.execute(statement, params or {})


@contextmanager
def translated(path: str = "the database") -> Iterator[None]:
    """Turn what SQLite reports into errors that say what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise Unavailable(_sentence(str(error), path)) from error
    except sqlite3.IntegrityError as error:
        raise Conflict(f"The database refused the change: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise Unavailable(_sentence(str(error), path)) from error


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
