"""SQLite: opening the file, its pragmas, transactions and migrations.

SQLite 3.51.3 or newer is required: older ones can lose committed transactions when
two connections checkpoint at once (trust §4). The wheel ``pysqlite3`` carries one.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.store.schema import m0001_foundation as m0001
from jara.store.sql import Params, Row

try:
    from pysqlite3 import dbapi2 as sqlite3
except ImportError:  # pragma: no cover - platforms without the wheel
    from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]

SCHEMA_VERSION = 1
APPLICATION_ID = 0x6A617261
"""'jara' in ASCII: tells our files from any other SQLite database."""

OLDEST_SQLITE = (3, 51, 3)
BUFFER_ROWS_MAX = 20_000
_CREATE = re.compile(r"CREATE TABLE (\w+)")


class SqliteSql:
    """The `Sql` door on one SQLite connection, with buffered appends.

    ``append`` collects rows and writes them in batches: any read, and the commit,
    writes them first, so that nobody sees the difference.
    """

    def __init__(self, connection: Any) -> None:  # noqa: ANN401 - pysqlite3 has no types
        """Wrap a connection that the caller opened and will close."""
        self.connection = connection
        self._waiting: dict[str, list[Params]] = {}
        self._rows = 0

    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""
        self.flush()
        with _translated():
            return int(self.connection.execute(statement, params or {}).rowcount)

    def run_many(self, statement: str, rows: Iterable[Params]) -> None:
        """Execute a statement once for each set of parameters."""
        self.flush()
        with _translated():
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
        with _translated():
            for statement, rows in self._waiting.items():
                if rows:
                    self.connection.executemany(statement, rows)
                    rows.clear()

    def one(self, statement: str, params: Params | None = None) -> Row | None:
        """Return the first row, or None."""
        self.flush()
        with _translated():
            row: Row | None = self.connection.execute(statement, params or {}).fetchone()
            return row

    def all(self, statement: str, params: Params | None = None) -> list[Row]:
        """Return every row."""
        self.flush()
        with _translated():
            rows: list[Row] = self.connection.execute(statement, params or {}).fetchall()
            return rows

    def each(self, statement: str, params: Params | None = None) -> Iterator[Row]:
        """Return the rows one after the other, in bounded memory."""
        self.flush()
        with _translated():
            yield from self.connection.execute(statement, params or {})


class SqliteDatabase:
    """A Jara database file; one connection for each thread, opened on first use."""

    def __init__(self, path: Path | str, *, durable: bool = True) -> None:
        """Name the file; nothing is opened yet.

        Args:
            path: the file, or ``:memory:`` for a database that lives in this thread.
            durable: False skips waiting for the disk; for samples and tests only.
        """
        self.path = str(path)
        self.durable = durable
        self._local = threading.local()

    @property
    def in_memory(self) -> bool:
        """Whether the database has no file."""
        return self.path == ":memory:"

    def create(self) -> None:
        """Make a new database with the whole schema.

        Raises:
            Conflict: the file is there already.
        """
        if not self.in_memory and Path(self.path).exists():
            raise Conflict(f"The database {self.path} exists already; nothing was changed.")
        self.migrate()

    def migrate(self) -> list[str]:
        """Apply the steps that are missing, under a write lock; return their names."""
        from sqlite_utils import Database, Migrations

        connection = self._connection(check=False)
        _refuse_strangers(connection, self.path)
        steps = Migrations("jara")

        @steps()
        def m0001_foundation(db: Database) -> None:
            for statement in _for_sqlite(m0001.STATEMENTS):
                db.execute(statement)
            for table in m0001.APPEND_ONLY:
                for statement in _append_only(table):
                    db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute("PRAGMA user_version = 1")

        with _translated(self.path):
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

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[SqliteSql]:
        """Run one transaction: everything in the block is kept, or nothing is.

        A write takes the lock at once (``BEGIN IMMEDIATE``), since a read that turns
        into a write may fail however long one waits.
        """
        connection = self._connection()
        if connection.in_transaction:
            raise RuntimeError("A unit of work is open in this thread already.")
        with _translated(self.path):
            connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
        sql = SqliteSql(connection)
        try:
            yield sql
            sql.flush()
            with _translated(self.path):
                connection.execute("COMMIT" if write else "ROLLBACK")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def backup(self, target: Path) -> None:
        """Copy the database to a new file while others go on working.

        Raises:
            Conflict: the target is there already.
        """
        if target.exists():
            raise Conflict(f"{target} exists already; a backup never overwrites a file.")
        with _translated(str(target)):
            copy = sqlite3.connect(str(target), isolation_level=None)
            try:
                self._connection().backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()

    def integrity_findings(self) -> list[str]:
        """Return what SQLite's own checks complain about; empty when all is well."""
        connection = self._connection()
        with _translated(self.path):
            pages = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
            keys = list(connection.execute("PRAGMA foreign_key_check"))
        found = [] if pages == ["ok"] else pages
        return found + [f"row {row[1]} of {row[0]} refers to nothing in {row[2]}" for row in keys]

    def truncate_log(self) -> None:
        """Move the write-ahead log into the file, so that erased data leaves both."""
        with _translated(self.path):
            self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    def _connection(self, *, check: bool = True) -> Any:  # noqa: ANN401
        connection = getattr(self._local, "connection", None)
        if connection is None:
            if check and not self.in_memory and not Path(self.path).exists():
                raise NotFound(f"There is no database {self.path}; `jara init` makes one.")
            connection = _open(self.path, durable=self.durable)
            if check:
                try:
                    _refuse_other_versions(connection, self.path)
                except BaseException:
                    connection.close()
                    raise
            self._local.connection = connection
        return connection


def _open(path: str, *, durable: bool) -> Any:  # noqa: ANN401
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:  # pragma: no cover - needs an old SQLite
        raise Unavailable(
            f"SQLite {sqlite3.sqlite_version} is older than 3.51.3 and may lose data; "
            "install the package pysqlite3."
        )
    with _translated(path):
        connection = sqlite3.connect(path, timeout=5.0, isolation_level=None)
        try:
            connection.execute("PRAGMA busy_timeout = 5000")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA cache_size = -65536")
            with suppress(sqlite3.OperationalError):  # a read-only file stays readable
                connection.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            connection.close()
            raise
        return connection


def _refuse_strangers(connection: Any, path: str) -> None:  # noqa: ANN401
    with _translated(path):
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if tables and not ours:
        raise Unavailable(f"{path} is an SQLite file of another program; it was left alone.")
    if tables:
        _refuse_newer(connection, path)


def _refuse_newer(connection: Any, path: str) -> int:  # noqa: ANN401
    with _translated(path):
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise Unavailable(
            f"The database {path} is of version {version}, newer than this program's "
            f"{SCHEMA_VERSION}; use the newer program."
        )
    return version


def _refuse_other_versions(connection: Any, path: str) -> None:  # noqa: ANN401
    if path == ":memory:":
        return
    with _translated(path):
        ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if not ours:
        raise Unavailable(f"{path} is not a Jara database; `jara init` makes one.")
    if _refuse_newer(connection, path) < SCHEMA_VERSION:
        raise Conflict(f"The database {path} is of an older version; run `jara migrate`.")


def _for_sqlite(statements: Iterable[str]) -> Iterator[str]:
    for statement in statements:
        match = _CREATE.match(statement)
        if match is None:
            yield statement
        else:
            rowid = ", WITHOUT ROWID" if match[1] in m0001.WITHOUT_ROWID else ""
            yield f"{statement} STRICT{rowid}"


def _append_only(table: str) -> Iterator[str]:
    for act in ("UPDATE", "DELETE"):
        yield (
            f"CREATE TRIGGER {table}_refuses_{act.lower()} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )


@contextmanager
def _translated(path: str = "the database") -> Iterator[None]:
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
        ("disk I/O", f"The disk failed while {path} was in use; nothing was changed."),
    )
    for word, sentence in known:
        if word in reason:
            return sentence[0].upper() + sentence[1:]
    return f"The database {path} failed: {reason}."
