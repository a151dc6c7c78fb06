"""One transaction with the repositories as attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from jara.domain.books.trace_rows import Pool
from jara.services.ports.database import DatabaseFacts
from jara.store.access import SqlAccess
from jara.store.book_records import SqlCommitments, SqlIdentities, SqlPayments
from jara.store.book_settings import SqlBookSettings
from jara.store.content import SqlContent
from jara.store.inspection import SqlInspection
from jara.store.journal import SqlJournal
from jara.store.log import SqlLog
from jara.store.operations import SqlMeta, SqlOperations, SqlOutbox
from jara.store.people import SqlContributors, SqlMembers
from jara.store.pledges import SqlPledges
from jara.store.proposals import SqlProposals
from jara.store.provider_events import SqlProviderEvents
from jara.store.registrations import SqlRegistrations
from jara.store.reporting import SqlReporting
from jara.store.sql import Sql
from jara.store.trace import SqlTrace
from jara.store.voting import SqlBallots

Result = TypeVar("Result")


class Database(Protocol):
    """What an engine's driver offers."""

    def require_absent(self) -> None:
        """Let a place pass where a database can be made."""
        ...

    def create(self) -> None:
        """Make a new database."""
        ...

    def remove(self) -> None:
        """Take away what this object made, if it made anything."""
        ...

    def fill(self, source: Sql) -> None:
        """Take everything from another database, or nothing."""
        ...

    def migrate(self) -> list[str]:
        """Apply the schema steps that are missing."""
        ...

    def transaction(self, *, write: bool) -> AbstractContextManager[Sql]:
        """Run one transaction."""
        ...

    def backup(self, target: Path, read: Callable[[Sql], Result]) -> Result:
        """Copy the database to a new file, and return what is read from the copy."""
        ...

    def integrity_findings(self) -> list[str]:
        """Return what the engine's own checks complain about."""
        ...

    def facts(self) -> DatabaseFacts:
        """Return what the database says of itself."""
        ...

    def truncate_log(self) -> None:
        """Move written-ahead pages into place."""
        ...

    def change_mark(self) -> tuple[int, int]:
        """Return what differs once anything was committed."""
        ...

    def close(self) -> None:
        """Close this thread's connection."""
        ...


class SqlTraces:
    """The trace rows of every pool."""

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self._sql = sql
        self._pools: dict[Pool, SqlTrace] = {}

    def pool(self, name: Pool) -> SqlTrace:
        """Return the rows of a pool."""
        if name not in self._pools:
            self._pools[name] = SqlTrace(self._sql, name)
        return self._pools[name]


class SqlUnitOfWork:
    """The repositories over one transaction."""

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self.log = SqlLog(sql)
        self.journal = SqlJournal(sql)
        self.payments = SqlPayments(sql)
        self.identities = SqlIdentities(sql)
        self.commitments = SqlCommitments(sql)
        self.book_settings = SqlBookSettings(sql)
        self.trace = SqlTraces(sql)
        self.members = SqlMembers(sql)
        self.registrations = SqlRegistrations(sql)
        self.pledges = SqlPledges(sql)
        self.access = SqlAccess(sql)
        self.contributors = SqlContributors(sql)
        self.proposals = SqlProposals(sql)
        self.ballots = SqlBallots(sql)
        self.inspection = SqlInspection(sql)
        self.reporting = SqlReporting(sql)
        self.content = SqlContent(sql)
        self.meta = SqlMeta(sql)
        self.operations = SqlOperations(sql)
        self.outbox = SqlOutbox(sql)
        self.provider_events = SqlProviderEvents(sql)

    def finish(self) -> None:
        """Write what was held back for the end: totals and the head of the log."""
        self.journal.save_totals()
        self.log.save_head()


class SqlStore:
    """The store over a database driver."""

    def __init__(self, database: Database) -> None:
        """Use a driver."""
        self._database = database

    def create(self) -> None:
        """Make a new database.

        Raises:
            Conflict: it exists.
        """
        self._database.create()

    def migrate(self) -> list[str]:
        """Bring the schema up to date; return the steps taken."""
        return self._database.migrate()

    @contextmanager
    def read(self) -> Iterator[SqlUnitOfWork]:
        """Open a transaction that sees one state and changes nothing."""
        with self._database.transaction(write=False) as sql:
            yield SqlUnitOfWork(sql)

    @contextmanager
    def write(self) -> Iterator[SqlUnitOfWork]:
        """Open a transaction that may change things; writers wait for each other."""
        with self._database.transaction(write=True) as sql:
            work = SqlUnitOfWork(sql)
            yield work
            work.finish()

    def backup(self, target: Path) -> tuple[int, bytes]:
        """Copy the whole database to a new file while others go on.

        Returns:
            Size and root of the log in the copy.
        """

        def head(sql: Sql) -> tuple[int, bytes]:
            log = SqlLog(sql)
            return log.size(), log.root()

        return self._database.backup(target, head)

    def integrity_findings(self) -> list[str]:
        """Return what the engine's own checks complain about."""
        return self._database.integrity_findings()

    def facts(self) -> DatabaseFacts:
        """Return what the database says of itself."""
        return self._database.facts()

    def truncate_log(self) -> None:
        """Move written-ahead pages into place, so that erased data is gone."""
        self._database.truncate_log()

    def change_mark(self) -> tuple[int, int]:
        """Return what differs once anything was committed, here or elsewhere."""
        return self._database.change_mark()

    def close(self) -> None:
        """Close this thread's connection."""
        self._database.close()
