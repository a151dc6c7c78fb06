"""`Sql` on one PostgreSQL connection; turns PostgreSQL's errors into messages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg.rows import TupleRow
from psycopg.types.numeric import NumericBinaryLoader, NumericLoader

from jara.domain.errors import Conflict, InvalidInput, Unavailable
from jara.store.sql.connection import BufferedSql, Params, Row, numbered, plain_insert

COPY_ROWS_MIN = 50
"""From this many rows on, COPY is faster than single statements."""

FETCH_ROWS = 2000

Connection = psycopg.Connection[TupleRow]
Cursor = psycopg.Cursor[TupleRow]

_STANDS = (psycopg.pq.TransactionStatus.INTRANS, psycopg.pq.TransactionStatus.INERROR)


class WholeNumber(NumericLoader):
    """Reads NUMERIC as an integer: every NUMERIC here is a sum of integers."""

    def load(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override] # a whole number
        """Return the number."""
        return int(super().load(data))


class WholeNumberBinary(NumericBinaryLoader):
    """The same for the binary format."""

    def load(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override] # a whole number
        """Return the number."""
        return int(super().load(data))


class PostgresSql(BufferedSql):
    """`Sql` on one PostgreSQL connection, with buffered appends."""

    def __init__(self, connection: Connection, location: str = "The database") -> None:
        super().__init__()
        self._connection = connection
        self._location = location
        self._cursor = open_cursor(connection)
        self._streams = 0

    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""
        self.flush()
        with translated(self._location):
            self._execute(statement, params)
            return self._cursor.rowcount

    def plain(self, text: str) -> str:
        """Return the SQL of a text without case and accents."""
        decomposed = f"normalize(replace(lower({text}), 'ß', 'ss'), NFKD)"
        return f"regexp_replace({decomposed}, '[\\u0300-\\u036f]', '', 'g')"

    def run_many(self, statement: str, rows: Iterable[Params]) -> None:
        """Execute a statement once for each set of parameters."""
        self.flush()
        with translated(self._location):
            text, names = numbered(statement, "$")
            values = ([row[name] for name in names] for row in rows)
            self._cursor.executemany(text.encode(), values)

    @property
    def is_open(self) -> bool:
        """Whether the transaction is still open."""
        return self._connection.info.transaction_status in _STANDS

    def _write(self, waiting: Mapping[str, Sequence[Row]], count: int) -> None:
        with translated(self._location):
            if count >= COPY_ROWS_MIN:
                for statement, rows in waiting.items():
                    self._write_many(statement, rows)
                return
            with self._connection.pipeline():  # one round trip for all of them
                for statement, rows in waiting.items():
                    text, _ = numbered(statement, "$")
                    for row in rows:
                        self._cursor.execute(text.encode(), row)

    def one(self, statement: str, params: Params | None = None) -> Row | None:
        """Return the first row, or None."""
        self.flush()
        with translated(self._location):
            self._execute(statement, params)
            return self._cursor.fetchone()

    def all(self, statement: str, params: Params | None = None) -> list[Row]:
        """Return every row."""
        self.flush()
        with translated(self._location):
            self._execute(statement, params)
            return self._cursor.fetchall()

    def each(self, statement: str, params: Params | None = None) -> Iterator[Row]:
        """Return the rows one after the other, in bounded memory.

        The server-side cursor ends with the transaction, even if nobody reads to the end.
        """
        self.flush()
        self._streams += 1
        name = f"stream_{self._streams}"
        with translated(self._location):
            self._execute(f"DECLARE {name} NO SCROLL CURSOR FOR {statement}", params)
        while True:
            with translated(self._location):
                self._execute(f"FETCH {FETCH_ROWS} FROM {name}", None)
                rows = self._cursor.fetchall()
            yield from rows
            if len(rows) < FETCH_ROWS:
                break
        with translated(self._location):
            self._execute(f"CLOSE {name}", None)

    def _execute(self, statement: str, params: Params | None) -> None:
        text, names = numbered(statement, "$")
        values = params or {}
        self._cursor.execute(text.encode(), [values[name] for name in names])

    def _write_many(self, statement: str, rows: Sequence[Row]) -> None:
        insert = plain_insert(statement)
        if len(rows) < COPY_ROWS_MIN or insert is None:
            self._cursor.executemany(numbered(statement, "$")[0].encode(), rows)
            return
        table, columns = insert
        with self._cursor.copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)


def open_cursor(connection: Connection) -> psycopg.RawCursor[TupleRow]:
    """Open a cursor that takes ``$1`` unchanged and reads binary results."""
    cursor = psycopg.RawCursor(connection)
    cursor.format = psycopg.pq.Format.BINARY
    return cursor


@contextmanager
def translated(location: str = "The database") -> Iterator[None]:
    """Turn PostgreSQL's errors into errors that say what to do."""
    try:
        yield
    except psycopg.IntegrityError as error:
        raise Conflict(f"The database refused the change: {_reason(error)}.") from error
    except psycopg.DataError as error:
        raise InvalidInput(f"The database cannot store this value: {_reason(error)}.") from error
    except psycopg.Error as error:
        raise Unavailable(_sentence(error, location)) from error


def _sentence(error: psycopg.Error, location: str) -> str:
    known: tuple[tuple[type[psycopg.Error], str], ...] = (
        (errors.LockNotAvailable, f"{location} is locked by another process; try again."),
        (errors.DeadlockDetected, f"{location} is locked by another process; try again."),
        (errors.SerializationFailure, f"{location} was changed meanwhile; try again."),
        (errors.ReadOnlySqlTransaction, f"{location} cannot be written; nothing was changed."),
        (errors.DiskFull, "The disk of the database is full; nothing was changed."),
        (errors.TooManyConnections, f"{location} has no connection left; try again."),
        (
            errors.InsufficientPrivilege,
            f"The role may not do this with {location}: {_reason(error)}.",
        ),
        (errors.InvalidCatalogName, f"There is no database {location}: {_reason(error)}."),
    )
    for kind, sentence in known:
        if isinstance(error, kind):
            return sentence
    return f"PostgreSQL cannot do this with {location}: {_reason(error)}."


def _reason(error: psycopg.Error) -> str:
    """Return PostgreSQL's message: the first line that gives the reason."""
    text = error.diag.message_primary or str(error)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).removeprefix("FATAL:").strip().rstrip(".")
