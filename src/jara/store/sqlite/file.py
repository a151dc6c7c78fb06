"""The file of an SQLite database: creating, filling and deleting it, and facts about it."""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

from jara.domain.errors import Conflict, JaraError, NotFound
from jara.domain.progress import Progress, no_progress
from jara.records.operations import DatabaseFacts
from jara.store.copying import copy_rows, is_empty
from jara.store.sql.connection import Sql
from jara.store.sqlite.connection import Connection, SqliteSql, sqlite3, translated
from jara.store.sqlite.objects import APPLICATION_ID


def read_facts(connection: Connection, path: str, engine_version: str) -> DatabaseFacts:
    """Read the facts over an open connection."""

    def pragma(name: str) -> Any:  # noqa: ANN401 - a number or a text
        return connection.execute(f"PRAGMA {name}").fetchone()[0]

    return DatabaseFacts(
        engine="SQLite",
        engine_version=engine_version,
        location=path,
        schema_version=int(pragma("user_version")),
        journal_mode=str(pragma("journal_mode")),
        size_bytes=int(pragma("page_count")) * int(pragma("page_size")),
        readable_by_others=_is_readable_by_others(path),
    )


def _is_readable_by_others(path: str) -> bool:
    file = Path(path)
    return file.exists() and bool(file.stat().st_mode & 0o077)


class SqliteFile(ABC):
    """File operations of an SQLite database."""

    path: str
    was_made = False
    """Whether this object made the file."""

    def require_absent(self) -> None:
        """Check that a database can be created here.

        Raises:
            Conflict: the file exists, and somebody has written to it.
            NotFound: the folder does not exist.
        """
        file = Path(self.path)
        if file.exists() and not self._is_unused():
            raise Conflict(f"The database {file} exists already; nothing was changed.")
        if not file.parent.is_dir():
            raise NotFound(f"There is no folder '{file.parent}' for the database.")

    def _is_unused(self) -> bool:
        """Return whether the file has no tables, or only our empty ones, as after a kill."""
        try:
            with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
                tables = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]
                ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
                return not tables or (ours and is_empty(SqliteSql(connection)))
        except (sqlite3.DatabaseError, JaraError):
            return False

    def fill(self, source: Sql, *, progress: Progress = no_progress) -> None:
        """Create the database as a copy of another, or not at all."""
        self.create()
        try:
            with self.transaction(write=True) as sql:
                copy_rows(source, sql, progress)
        except BaseException:
            self.remove()
            raise

    def remove(self) -> None:
        """Delete what this object created, if it created anything."""
        self.close()
        if self.was_made:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def become_single_file(self) -> None:
        """Close the database and leave no write-ahead log beside it."""
        self.close()
        with translated(self.path):
            connection = sqlite3.connect(self.path, isolation_level=None)
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.close()

    @abstractmethod
    def create(self) -> None:
        """Create a new database with the whole schema."""

    @abstractmethod
    def transaction(self, *, write: bool) -> AbstractContextManager[SqliteSql]:
        """Run one transaction."""

    @abstractmethod
    def close(self) -> None:
        """Close this thread's connection."""
