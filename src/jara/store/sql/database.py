"""The interface between the store and a database engine, and what makes the schema of both."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, TypeVar

from jara.domain.progress import Progress, no_progress
from jara.records.operations import DatabaseFacts
from jara.store.schema import BASELINE_VERSION, Step, all_steps
from jara.store.sql.connection import Sql

Result = TypeVar("Result")


class Database(Protocol):
    """The interface of `SqliteDatabase` and `PostgresDatabase`."""

    def require_absent(self) -> None:
        """Check that a database can be created here.

        Raises:
            Conflict: the file exists.
        """
        ...

    def create(self) -> None:
        """Create a new database."""
        ...

    def remove(self) -> None:
        """Delete what this object created, if it created anything."""
        ...

    def fill(self, source: Sql, *, progress: Progress = no_progress) -> None:
        """Copy everything from another database, or nothing."""
        ...

    def migrate(self) -> list[str]:
        """Apply the missing schema steps; return their names."""
        ...

    def transaction(self, *, write: bool) -> AbstractContextManager[Sql]:
        """Run one transaction."""
        ...

    def read_once(self) -> Sql:
        """Return an interface for single queries outside a transaction."""
        ...

    def backup(
        self, target: Path, read: Callable[[Sql], Result], *, progress: Progress = no_progress
    ) -> Result:
        """Copy the database to a new file, and return what `read` reads from the copy."""
        ...

    def integrity_findings(self) -> list[str]:
        """Return the problems that the engine's own checks report."""
        ...

    def schema_findings(self) -> list[str]:
        """Return what the schema has and Jara's has not, and what it lacks."""
        ...

    def facts(self) -> DatabaseFacts:
        """Return engine, version, size and other facts."""
        ...

    def truncate_log(self) -> None:
        """Move the write-ahead log into the database file."""
        ...

    def trim(self) -> None:
        """Keep fewer pages in memory, in this thread's connection, for long work."""
        ...

    def wipe(self) -> None:
        """Leave no copy of deleted rows in the file."""
        ...

    def revision(self) -> tuple[int, int]:
        """Return a value that changes with every commit."""
        ...

    def close(self) -> None:
        """Close this thread's connection."""
        ...


def apply_steps(
    sql: Sql,
    statements_of: Callable[[int, str, Step], Iterable[str]],
    since: int = 0,
    until: int | None = None,
) -> list[str]:
    """Take the steps after a version, in the caller's transaction; return their names.

    A new database has version 0; the last step is `until`, by default the latest. `statements_of`
    gives what the engine carries out for the version that a step leads to, its name, and the step.
    """
    taken = []
    for version, (name, step) in enumerate(all_steps().items(), start=BASELINE_VERSION):
        if since < version <= (until or version):
            for statement in statements_of(version, name, step):
                sql.run(statement)
            taken.append(name)
    return taken
