"""The file of an SQLite database: where it may be made, how it is filled and taken away."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from pathlib import Path

from jara.domain.errors import Conflict, NotFound
from jara.store.copying import copy_rows
from jara.store.sql.connection import Sql
from jara.store.sqlite.connection import SqliteSql, sqlite3, translated


class SqliteFile(ABC):
    """What a database does as a file."""

    path: str
    was_made = False
    """Whether this object made the file."""

    def require_absent(self) -> None:
        """Let a place pass where a database can be made.

        Raises:
            Conflict: there is one already.
            NotFound: its folder is not there.
        """
        file = Path(self.path)
        if file.exists():
            raise Conflict(f"The database {file} exists already; nothing was changed.")
        if not file.parent.is_dir():
            raise NotFound(f"There is no folder '{file.parent}' for the database.")

    def fill(self, source: Sql) -> None:
        """Become a new database with everything of another, or stay away."""
        self.create()
        try:
            with self.transaction(write=True) as sql:
                copy_rows(source, sql)
        except BaseException:
            self.remove()
            raise

    def remove(self) -> None:
        """Take away what this object made, if it made anything."""
        self.close()
        if self.was_made:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def become_single_file(self) -> None:
        """Leave no second file that would belong to this one, and close it."""
        self.close()
        with translated(self.path):
            connection = sqlite3.connect(self.path, isolation_level=None)
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.close()

    @abstractmethod
    def create(self) -> None:
        """Make a new database with the whole schema."""

    @abstractmethod
    def transaction(self, *, write: bool) -> AbstractContextManager[SqliteSql]:
        """Run one transaction."""

    @abstractmethod
    def close(self) -> None:
        """Close this thread's connection."""
