"""The connection pool of one process for a PostgreSQL database."""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from jara.domain.errors import InvalidInput, Unavailable
from jara.store.postgres.connection import (
    Connection,
    PostgresSql,
    WholeNumber,
    WholeNumberBinary,
    open_cursor,
    translated,
)
from jara.store.sql.connection import Params

WAIT_SECONDS = 5.0
"""How long a thread waits for a connection."""

CONNECTIONS_MAX = 100
"""Per process; a thread uses one at a time, so the number of threads is the real limit."""

PREPARE_AFTER = 5
"""From how many uses on the server keeps a statement prepared; psycopg's own default."""

Result = TypeVar("Result")

# The pool logs what it discards; without a handler Python would write that to standard error,
# before our own message.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Connections:
    """A pool that opens on first use, and again after a fork."""

    def __init__(self, url: str, location: str, check: Callable[[Connection], None]) -> None:
        """Name the database; nothing is opened yet. `check` raises for one of another version."""
        self._url = url
        self._location = location
        self._check = check
        self._lock = threading.Lock()
        self._pool: ConnectionPool[Connection] | None = None
        self._process = 0

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """Open a connection outside the pool, with one transaction for the whole block."""
        with translated(self._location), psycopg.connect(self._conninfo()) as connection:
            connection.prepare_threshold = None
            yield connection

    @contextmanager
    def lent(self, begin: Callable[[Connection], Result]) -> Iterator[tuple[Connection, Result]]:
        """Lend a connection after running `begin` on it; yield both with the result.

        A connection that the server closed meanwhile is replaced: nothing had started on it.
        """
        for _ in range(CONNECTIONS_MAX + 1):
            pool, connection = self._acquire()
            try:
                result = begin(connection)
            except psycopg.Error as error:
                lost = connection.broken
                _release(pool, connection)
                if lost:
                    continue
                with translated(self._location):
                    raise error from None
            try:
                yield connection, result
            finally:
                _release(pool, connection)
            return
        raise Unavailable(f"{self._location} closes every connection; try again in a moment.")

    def close(self) -> None:
        """Close idle connections; later transactions open new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
            if pool is not None and self._process == os.getpid():
                pool.close()

    def _conninfo(self) -> str:
        try:
            given = conninfo_to_dict(self._url)
        except psycopg.ProgrammingError:  # its message may contain the password
            raise InvalidInput(f"{self._location} is not a database address.") from None
        # The system's own timeout for a host that does not answer is far too long.
        ours: dict[str, Any] = {
            "connect_timeout": round(WAIT_SECONDS),
            "fallback_application_name": "jara",
        }
        return make_conninfo("", **{**ours, **given})

    def _acquire(self) -> tuple[ConnectionPool[Connection], Connection]:
        while True:
            pool = self._opened()
            try:
                return pool, pool.getconn()
            except PoolClosed:
                continue  # closed by another thread meanwhile
            except PoolTimeout as error:
                raise Unavailable(
                    f"{self._location} gives no connection; is the server running?"
                ) from error

    def _opened(self) -> ConnectionPool[Connection]:
        with self._lock:
            if self._pool is None or self._process != os.getpid():
                with self.alone() as connection:  # reports a wrong address or version at once
                    self._check(connection)
                self._pool = ConnectionPool(
                    self._conninfo(),
                    kwargs={"autocommit": True},
                    configure=_set_up,
                    min_size=0,
                    max_size=CONNECTIONS_MAX,
                    timeout=WAIT_SECONDS,
                    num_workers=1,
                    open=True,
                )
                self._process = os.getpid()
            return self._pool


class PostgresSingleRead(PostgresSql):
    """Runs single queries, each on a connection borrowed for it."""

    def __init__(self, connections: Connections, location: str) -> None:
        """Keep the pool; a query borrows a connection."""
        self._connections = connections
        self._location = location
        self._rows = 0

    @property
    def is_open(self) -> bool:
        """Never: no transaction is around a single query."""
        return False

    def _execute(self, statement: str, params: Params | None) -> None:
        def ask(connection: Connection) -> psycopg.RawCursor[TupleRow]:
            self._cursor = open_cursor(connection)
            super(PostgresSingleRead, self)._execute(statement, params)
            return self._cursor

        with self._connections.lent(ask):
            pass  # the rows are read; the connection can go back


def _release(pool: ConnectionPool[Connection], connection: Connection) -> None:
    """Return a connection without a transaction; the pool discards a lost one."""
    with suppress(psycopg.Error):
        connection.rollback()
    pool.putconn(connection)


def _set_up(connection: Connection) -> None:
    connection.adapters.register_loader("numeric", WholeNumber)
    connection.adapters.register_loader("numeric", WholeNumberBinary)
    # A pooler in between, such as PgBouncer, tells a process of its own, and gives each transaction
    # another server connection, which does not know what the last one prepared.
    connection.prepare_threshold = None
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    if row is not None and row[0] == connection.info.backend_pid:
        connection.prepare_threshold = PREPARE_AFTER
