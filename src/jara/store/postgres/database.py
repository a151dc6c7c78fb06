"""The PostgreSQL engine: transactions over a connection pool, and migrations under a lock.

Writers on all hosts lock the row of the log's head. Readers never wait, and see one
snapshot.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from jara.domain.errors import Conflict, NoDatabase, OlderDatabase, Unavailable
from jara.domain.progress import Progress, no_progress
from jara.records.operations import NEW_ORGANISATION, DatabaseFacts
from jara.store.copying import copy_rows, is_empty
from jara.store.postgres.connection import Connection, Cursor, PostgresSql, translated
from jara.store.postgres.objects import schema_findings
from jara.store.postgres.pool import Connections, PostgresSingleRead
from jara.store.postgres.schema import drop_statements, read_facts, read_findings, statements_of
from jara.store.schema import latest_version, require_known
from jara.store.sql.connection import Sql
from jara.store.sql.database import apply_steps
from jara.store.sqlite.database import SqliteDatabase

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# A host that vanished inside a transaction must not block the others for ever.
_WRITE = (
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '5s'; "
    "SET LOCAL idle_in_transaction_session_timeout = '2min'"
)
_LOCK_HEAD = "SELECT 1 FROM log_head WHERE id = 1 FOR UPDATE"
_SNAPSHOT = "SELECT CAST(pg_current_snapshot() AS TEXT)"
_LOCK_SCHEMA = "SELECT pg_advisory_xact_lock(1784771169)"  # 'jara' in ASCII
_TABLES_HERE = (
    "SELECT COUNT(*) FROM pg_class WHERE relkind IN ('r', 'p') "
    "AND relnamespace = CAST(current_schema() AS regnamespace)"
)

Result = TypeVar("Result")


def _carry_out(statements: str, connection: Connection) -> Cursor:
    # Several statements at once cannot be prepared.
    return connection.execute(statements.encode(), prepare=False)


class PostgresDatabase:
    """A PostgreSQL database, in the first schema of the search path."""

    def __init__(
        self,
        url: str,
        *,
        location: str = "The database",
        durable: bool = True,
        remedy: Callable[[], str] = lambda: NEW_ORGANISATION,
    ) -> None:
        """Name the database; nothing is opened yet.

        Args:
            url: its address, as libpq reads it.
            location: its name in messages, without a password.
            durable: False skips waiting for the disk; for samples and tests only.
            remedy: says what to do if there is no organisation.
        """
        self.location = location
        self._remedy = remedy
        begin = [_WRITE, *([] if durable else ["SET LOCAL synchronous_commit = off"]), _LOCK_HEAD]
        self._begin_write = "; ".join(begin)
        self._local = threading.local()
        self._connections = Connections(url, location, self._refuse_other_versions)
        self._made = False

    def require_absent(self) -> None:
        """Check that nobody has written to the database.

        Raises:
            Conflict: it holds an organisation.
            Unavailable: it cannot be reached, or holds something else.
        """
        with self._connections.alone() as connection:
            self._refuse_content(connection)

    def create(self) -> None:
        """Create the whole schema in an existing, empty database.

        Raises:
            Conflict: it holds an organisation already.
        """
        with self._connections.alone() as connection:
            connection.execute(_LOCK_SCHEMA)
            self._refuse_content(connection)
            if self._has_schema(connection):
                return  # but no rows: an interrupted `jara init` leaves it so
            self._take_steps(connection, 0)
        self._made = True

    def remove(self) -> None:
        """Delete what this object created, if it created anything."""
        if not self._made:
            return
        self.close()
        with self._connections.alone() as connection:
            connection.execute("; ".join(drop_statements()).encode())
        self._made = False

    def migrate(self) -> list[str]:
        """Apply the missing steps, one process at a time; return their names.

        Raises:
            NotFound: it holds no organisation.
            OlderDatabase: it holds one that is older than 0.2.0.
            Unavailable: it holds one of a newer program.
        """
        with self._connections.alone() as connection:
            connection.execute(_LOCK_SCHEMA)
            return self._take_steps(connection, self._version(connection))

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[PostgresSql]:
        """Run one transaction: commit all changes of the block, or none.

        A write takes the lock at once, and then sees everything that the previous one committed.
        """
        if getattr(self._local, "busy", False):
            raise RuntimeError("A unit of work is open in this thread already.")
        first = self._begin_write if write else _READ
        with self._connections.lent(partial(_carry_out, first)) as (connection, _):
            self._local.busy = True
            try:
                sql = PostgresSql(connection, self.location)
                yield sql
                sql.flush()
                if write:
                    self._commit(connection)
            finally:
                self._local.busy = False

    def backup(
        self, target: Path, read: Callable[[Sql], Result], *, progress: Progress = no_progress
    ) -> Result:
        """Copy the database to a new SQLite file; other connections can continue.

        The file can be read without PostgreSQL, and restored on either engine. `read` reads
        from the copy before it is closed; `progress` receives the number of rows copied.

        Raises:
            Conflict: the target exists.
        """
        copy = SqliteDatabase(target, durable=False)  # the caller syncs it to disk
        with self.transaction(write=False) as sql:
            copy.fill(sql, progress=progress)
        with copy.transaction(write=False) as arrived:
            result = read(arrived)
        copy.become_single_file()
        return result

    def fill(self, source: Sql, *, progress: Progress = no_progress) -> None:
        """Copy everything from another database, or nothing.

        Raises:
            Conflict: this database is not empty.
            Unavailable: the copy differs from the source.
        """
        with self._connections.alone() as connection:
            is_new = not self._has_schema(connection)
        if is_new:
            self.create()
        try:
            with self.transaction(write=True) as sql:
                self._require_empty(sql)
                copy_rows(source, sql, progress)
                sql.run("ANALYZE")  # otherwise the planner assumes empty tables
        except BaseException:
            self.remove()
            raise

    def integrity_findings(self) -> list[str]:
        """Return the problems with constraints and indexes, and what the schema has or lacks."""
        with self.transaction(write=False) as sql:
            return read_findings(sql) + schema_findings(sql)

    def schema_findings(self) -> list[str]:
        """Return what the schema has and Jara's has not, and what it lacks."""
        with self.transaction(write=False) as sql:
            return schema_findings(sql)

    def facts(self) -> DatabaseFacts:
        """Return the facts about the database."""
        with self.transaction(write=False) as sql:
            return read_facts(sql, self.location)

    def truncate_log(self) -> None:
        """Do nothing: PostgreSQL recycles its log, and vacuum removes dead rows."""

    def trim(self) -> None:
        """Do nothing: the server keeps the pages."""

    def wipe(self) -> None:
        """Do nothing: only the owner may rewrite tables, and no server runs as the owner.

        Vacuum removes dead rows; see docs/postgresql.md.
        """

    def revision(self) -> tuple[int, int]:
        """Return a value that changes with every commit, of any host.

        The same snapshot means the same rows. It costs one query, writes nothing, and works
        on a replica too.
        """
        with self._connections.lent(partial(_carry_out, _SNAPSHOT)) as (_, cursor):
            return int.from_bytes(str(cursor.fetchone()).encode()), 0

    def read_once(self) -> PostgresSingleRead:
        """Return an interface for single queries outside a transaction."""
        return PostgresSingleRead(self._connections, self.location)

    def close(self) -> None:
        """Close idle connections; the next transaction opens new ones."""
        self._connections.close()

    def _commit(self, connection: Connection) -> None:
        with translated(self.location):
            status = connection.execute("COMMIT", prepare=False).statusmessage
        if status != "COMMIT":  # PostgreSQL rolls back if a statement failed
            raise Unavailable(f"{self.location} rolled back the change; nothing was saved.")

    def _take_steps(self, connection: Connection, since: int) -> list[str]:
        return apply_steps(PostgresSql(connection, self.location), statements_of, since)

    def _refuse_content(self, connection: Connection) -> None:
        if self._has_schema(connection):
            self._refuse_other_versions(connection)
            self._require_empty(PostgresSql(connection, self.location))
            return
        row = connection.execute(_TABLES_HERE).fetchone()
        if row is None or row[0]:
            raise Unavailable(f"{self.location} belongs to another program; it was not changed.")

    def _refuse_other_versions(self, connection: Connection) -> None:
        if self._version(connection) < latest_version():
            raise OlderDatabase(f"{self.location} has an older version; run `jara migrate`.")

    def _version(self, connection: Connection) -> int:
        if not self._has_schema(connection):
            raise NoDatabase(f"There is no organisation in {self.location}; {self._remedy()}")
        row = connection.execute("SELECT COALESCE(MAX(number), 0) FROM schema_steps").fetchone()
        version = int(row[0]) if row else 0
        require_known(version, self.location)
        return version

    def _has_schema(self, connection: Connection) -> bool:
        row = connection.execute("SELECT to_regclass('schema_steps') IS NOT NULL").fetchone()
        return bool(row and row[0])

    def _require_empty(self, sql: Sql) -> None:
        if not is_empty(sql):
            raise Conflict(self._occupied())

    def _occupied(self) -> str:
        return f"{self.location} exists already; nothing was changed."
