"""The SQLite engine: opening the file, pragmas, transactions and migrations.

SQLite 3.51.3 or newer is required: older ones can lose committed transactions when
two connections checkpoint at once. The wheel ``pysqlite3`` carries one.
"""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from jara.domain.errors import Conflict, NoDatabase, OlderDatabase, Unavailable
from jara.domain.lookup import without_accents
from jara.domain.progress import Progress, no_progress
from jara.records.operations import NEW_ORGANISATION, OLDEST_SQLITE, DatabaseFacts
from jara.store.schema import latest_version, require_known
from jara.store.sqlite.connection import (
    PLAIN,
    Connection,
    SqliteSql,
    SqliteTransaction,
    sqlite3,
    translated,
)
from jara.store.sqlite.file import SqliteFile, read_facts
from jara.store.sqlite.objects import APPLICATION_ID, read_findings, take_steps

Result = TypeVar("Result")
_FILE_MODE = 0o600
_UPGRADE_FACTOR = 2
"""The room for an upgrade as a multiple of the database: its changes, and its rewriting."""

_STATEMENTS = 2048
"""How many prepared statements a connection caches: more than the program has.

A full cache drops the newest statement first, so new ones push each other out, and each
query is then compiled again, which takes ten times as long as running it.
"""

_STEPS_BETWEEN_LOOKS = 500_000
"""Instructions of SQLite's virtual machine; they take some hundredths of a second."""


class SqliteDatabase(SqliteFile):
    """A Jara database file; one connection for each thread, opened on first use."""

    def __init__(
        self,
        path: Path | str,
        *,
        durable: bool = True,
        remedy: Callable[[], str] = lambda: NEW_ORGANISATION,
    ) -> None:
        """Name the file; nothing is opened yet.

        Args:
            path: the file, or ``:memory:`` for a database that lives in this thread.
            durable: False skips waiting for the disk; for samples and tests only.
            remedy: says what to do if there is no organisation.
        """
        self.path = str(path)
        self._remedy = remedy
        self.durable = durable
        self._local = threading.local()
        self._watch: Connection | None = None
        self._watch_lock = threading.Lock()

    @property
    def in_memory(self) -> bool:
        """Whether the database has no file."""
        return self.path == ":memory:"

    def create(self) -> None:
        """Create a new database with the whole schema.

        Raises:
            Conflict: the file exists, and somebody has written to it.
        """
        if not self.in_memory:
            self.require_absent()
            with suppress(OSError):  # SQLite says what is wrong
                Path(self.path).touch(_FILE_MODE, exist_ok=False)
                self.was_made = True
        connection = self._connection(check=False)
        if not self.in_memory:
            Path(self.path).chmod(_FILE_MODE)  # it contains personal data
        _write_ahead(connection, self.path)
        self._apply_steps(connection)

    def migrate(self) -> list[str]:
        """Apply the missing steps under a write lock; return their names.

        Raises:
            Unavailable: the file holds no organisation, or one of a newer program; or the disk
                has too little room.
        """
        connection = self._connection(check=False)
        version = refuse_strangers(connection, self.path)
        if self.path != ":memory:" and version < latest_version():
            _require_room(Path(self.path))
        _write_ahead(connection, self.path)
        return self._apply_steps(connection)

    def _apply_steps(self, connection: Connection) -> list[str]:
        with translated(self.path):
            return take_steps(connection)

    def transaction(self, *, write: bool) -> SqliteTransaction:
        """Run one transaction: commit all changes of the block, or none."""
        return SqliteTransaction(self._connection(), self.path, write=write)

    def read_once(self) -> SqliteSql:
        """Return an interface for single queries outside a transaction."""
        return SqliteSql(self._connection())

    def backup(
        self, target: Path, read: Callable[[SqliteSql], Result], *, progress: Progress = no_progress
    ) -> Result:
        """Rewrite the database into a new file; other connections can continue.

        VACUUM writes rows in the order of their keys. A copy of the pages would show in which
        order rows were inserted, and so link ballots to members. `read` reads from the copy before
        it is closed; `progress` receives the number of bytes written.

        Raises:
            Conflict: the target exists.
        """
        if target.exists():
            raise Conflict(f"{target} exists already; a backup never overwrites a file.")
        target.touch(mode=_FILE_MODE)
        with translated(str(target)), _watched(self._connection(), target, progress) as connection:
            connection.execute("VACUUM INTO :target", {"target": str(target)})
            copy = sqlite3.connect(str(target), isolation_level=None)
            try:
                copy.execute("PRAGMA journal_mode = DELETE")
                return read(SqliteSql(copy))
            finally:
                copy.close()

    def integrity_findings(self) -> list[str]:
        """Return the problems that SQLite's checks report, and what the schema has or lacks."""
        connection = self._connection()
        with translated(self.path):
            pages = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
            keys = list(connection.execute("PRAGMA foreign_key_check"))
        found = [] if pages == ["ok"] else pages
        found += [f"row {row[1]} of {row[0]} refers to nothing in {row[2]}" for row in keys]
        return found + self.schema_findings()

    def schema_findings(self) -> list[str]:
        """Return what the schema has and Jara's has not, and what it lacks."""
        with translated(self.path):
            foreign, missing = read_findings(self._connection())
        return foreign + missing

    def facts(self) -> DatabaseFacts:
        """Return the facts about the file."""
        with translated(self.path):
            return read_facts(self._connection(), self.path, sqlite3.sqlite_version)

    def truncate_log(self) -> None:
        """Move the write-ahead log into the file, so that deleted data leaves both."""
        with translated(self.path):
            self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def trim(self) -> None:
        """Keep at most 8 MiB of pages in memory, in this thread's connection, from now on."""
        with translated(self.path):
            self._connection().execute("PRAGMA cache_size = -8192")

    def wipe(self) -> None:
        """Rewrite the file: gaps in its pages may hold old copies of moved rows."""
        with translated(self.path):
            self._connection().execute("VACUUM")
        self.truncate_log()

    def revision(self) -> tuple[int, int]:
        """Return a value that changes with every commit, of any process.

        A separate connection reads `data_version`: it never writes, so every commit changes
        the value. This is cheaper than any query.
        """
        if self.in_memory:
            return 0, int(self._connection().total_changes)
        with self._watch_lock, translated(self.path):
            if self._watch is None:
                self._watch = sqlite3.connect(
                    _address(self.path),
                    timeout=5.0,
                    isolation_level=None,
                    check_same_thread=False,
                    uri=True,
                )
            version = self._watch.execute("PRAGMA data_version").fetchone()[0]
            return int(version), 0

    def close(self) -> None:
        """Close this thread's connection; the one that reads revisions stays open."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    def _connection(self, *, check: bool = True) -> Connection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            if check and not self.in_memory and not Path(self.path).exists():
                raise NoDatabase(f"There is no database {self.path}; {self._remedy()}")
            connection = _open(self.path, durable=self.durable)
            if check:
                try:
                    _refuse_other_versions(connection, self.path)
                    _write_ahead(connection, self.path)
                except BaseException:
                    connection.close()
                    raise
            self._local.connection = connection
        return connection


def _open(path: str, *, durable: bool) -> Connection:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:  # pragma: no cover - needs an old SQLite
        raise Unavailable(
            f"SQLite {sqlite3.sqlite_version} is older than 3.51.3 and may lose data; "
            "install the package pysqlite3."
        )
    with translated(path):
        connection = sqlite3.connect(
            _address(path),
            timeout=5.0,
            isolation_level=None,
            cached_statements=_STATEMENTS,
            uri=True,
        )
        try:
            connection.execute("PRAGMA busy_timeout = 5000")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA cache_size = -65536")
            connection.create_function(PLAIN, 1, without_accents, deterministic=True)
        except BaseException:
            connection.close()
            raise
        return connection


def _address(path: str) -> str:
    """Return how SQLite opens a file; where nothing can be written, it only reads.

    In write-ahead mode SQLite keeps a file for its readers beside the database. Where it cannot
    make one and nobody has the database open, there is nothing to share, and the file is read
    as one that does not change.
    """
    file = Path(path).absolute()
    if path == ":memory:" or os.access(file.parent, os.W_OK):
        return path
    is_open = Path(f"{path}-wal").exists()
    return f"{file.as_uri()}?{'mode=ro' if is_open else 'immutable=1'}"


@contextmanager
def _watched(connection: Connection, target: Path, progress: Progress) -> Iterator[Connection]:
    """Report the growth of a file while a statement writes it."""
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    total = pages * connection.execute("PRAGMA page_size").fetchone()[0]
    written = 0

    def look() -> int:
        nonlocal written
        size = min(target.stat().st_size, total)
        progress(size - written, total)
        written = size
        return 0  # continue

    connection.set_progress_handler(look, _STEPS_BETWEEN_LOOKS)
    try:
        yield connection
    finally:
        connection.set_progress_handler(None, 0)


def _write_ahead(connection: Connection, path: str) -> None:
    """Enable WAL, for readers beside a writer; on our own files only, since it is persistent."""
    with (
        translated(path),
        suppress(sqlite3.OperationalError),
    ):  # a read-only file cannot change its mode
        connection.execute("PRAGMA journal_mode = WAL")


def refuse_strangers(connection: Connection, path: str) -> int:
    """Return the version of a file.

    Raises:
        Unavailable: it is no database of Jara, or one of a newer program.
        OlderDatabase: it is older than 0.2.0.
    """
    with translated(path):
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if not tables:
        raise Unavailable(f"{path} is not a Jara database; {NEW_ORGANISATION}")
    if not ours:
        raise Unavailable(f"{path} is an SQLite file of another program; it was not changed.")
    return _known_version(connection, path)


def _known_version(connection: Connection, path: str) -> int:
    """Return the version of a file that this program can read or upgrade."""
    with translated(path):
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    require_known(version, f"the database {path}")
    return version


def _refuse_other_versions(connection: Connection, path: str) -> None:
    if path == ":memory:":
        return
    with translated(path):
        ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if not ours:
        raise Unavailable(f"{path} is not a Jara database; {NEW_ORGANISATION}")
    if _known_version(connection, path) < latest_version():
        raise OlderDatabase(f"The database {path} has an older version; run `jara migrate`.")


def _require_room(path: Path) -> None:
    """Check before an upgrade that the disk has room for it.

    Raises:
        Unavailable: it has not.
    """
    needed, free = _UPGRADE_FACTOR * path.stat().st_size, shutil.disk_usage(path.parent).free
    if free < needed:
        raise Unavailable(
            f"The upgrade needs {needed / 1e6:.1f} MB of room beside {path}, and "
            f"{free / 1e6:.1f} MB are free; nothing was changed."
        )
