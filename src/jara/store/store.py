"""The store: transactions over a database driver, and maintenance of the database."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import local
from typing import NoReturn, TypeVar

from jara.domain.currency import DEFAULT_CURRENCY, use_currency
from jara.domain.errors import ClosedDatabase, Conflict, NoDatabase
from jara.domain.progress import Progress, no_progress
from jara.domain.time_zone import TimeZone
from jara.records.operations import NEW_ORGANISATION, DatabaseFacts
from jara.store.seals import Seal, SealingSql
from jara.store.sql.connection import Sql
from jara.store.sql.database import Database
from jara.store.sql.group_commit import GroupCommit
from jara.store.sqlite.database import SqliteDatabase
from jara.store.unit_of_work import BOOKS_CURRENCY, PUBLIC_REVISION, UnitOfWork

Result = TypeVar("Result")
Check = Callable[[UnitOfWork], None]

_FILE = "sqlite:///"

CLOSED = "closed"
"""Key in `meta`: the sentence that says why this database takes no changes, such as that the
organisation moved to another one. It is read in each write transaction: a server that runs
refuses at once."""


UNFINISHED = "restore.unfinished"
"""Key in `meta`: what an unfinished restore has done, as a document; empty once it is finished."""


class Store:
    """The database: transactions over a driver, and maintenance."""

    def __init__(
        self,
        database: Database,
        *,
        admit: Callable[[], None] = lambda: None,
        admit_readers: bool = False,
        seal: Seal | None = None,
    ) -> None:
        """Use a driver.

        Args:
            database: the driver.
            admit: called before the first transaction that writes; what it raises refuses it.
            admit_readers: whether reading needs it too.
            seal: seals the rows that are written, see `jara.store.seals`; None seals none.
        """
        self._database = database
        self._admit = admit
        self._is_admitted = False
        self._admit_readers = admit_readers
        self._seal = seal
        self._group_commit = GroupCommit(lambda: database.transaction(write=True))
        self._public_revision: tuple[tuple[int, int], str | None] | None = None
        self._currency: str | None = None
        self._zone: TimeZone | None = None
        self._is_whole = False
        self._thread = local()

    def accept_unfinished(self) -> None:
        """Use the database although it is not whole yet, to complete it."""
        self._is_whole = True

    def create(self) -> None:
        """Create a new database.

        Raises:
            Conflict: it exists already.
        """
        self._database.create()
        self._is_admitted = True  # nothing exists yet that could refuse this program
        self.accept_unfinished()  # the caller writes the first rows

    def migrate(self) -> list[str]:
        """Bring the schema up to date; return the steps taken."""
        return self._database.migrate()

    @contextmanager
    def read(self) -> Iterator[UnitOfWork]:
        """Open a read transaction on a consistent snapshot."""
        self._admit_reader()
        with self._database.transaction(write=False) as sql:
            yield self._opened(sql)

    def read_once(self) -> UnitOfWork:
        """Return the repositories for single queries, without a transaction around them."""
        self._admit_reader()
        return self._opened(self._database.read_once())

    @contextmanager
    def write(self) -> Iterator[UnitOfWork]:
        """Open a write transaction; writers wait for each other.

        Raises:
            Conflict: the database is closed.
        """
        self.require_admission()
        check = self._check()
        with self._database.transaction(write=True) as sql:
            work = self._writing(sql, check)
            yield work
            work.finish()

    @contextmanager
    def checked(self, check: Check) -> Iterator[None]:
        """Check each write transaction of this thread; what `check` raises refuses it."""
        self._thread.check = check
        try:
            yield
        finally:
            del self._thread.check

    def _check(self) -> Check:
        return getattr(self._thread, "check", lambda _: None)

    @contextmanager
    def together(self) -> "Iterator[Store]":
        """Open a write transaction, and return a store whose transactions are parts of it."""
        with self.write() as work:
            yield JoinedStore(self._database, work.sql)

    @contextmanager
    def trial(self) -> "Iterator[TrialStore]":
        """Return a store that sees this database and keeps no change."""
        self._admit_reader()
        with self._database.transaction(write=False) as sql:
            yield TrialStore(self._database, sql)

    def write_grouped(self, act: Callable[[UnitOfWork], Result]) -> Result:
        """Run a function in a transaction that other threads may share (group commit).

        The function succeeds or fails independently, and is committed when this returns.
        """

        def do(sql: Sql) -> Result:
            work = self._writing(sql, check)
            result = act(work)
            work.finish()
            return result

        self.require_admission()
        check = self._check()  # another thread may run it
        return self._group_commit.do(do)

    def backup(self, target: Path, *, progress: Progress = no_progress) -> tuple[int, bytes]:
        """Copy the database to a new file while others use it; return size and root of its log.

        `progress` is called with the number of bytes or rows copied.
        """

        def head(sql: Sql) -> tuple[int, bytes]:
            log = UnitOfWork(sql).log
            return log.size(), log.root()

        self.require_admission()
        self.read_once()  # refuses an unfinished restore
        return self._database.backup(target, head, progress=progress)

    def require_admission(self) -> None:
        """Check once that this program may change the database."""
        if not self._is_admitted:
            self._admit()
            self._is_admitted = True

    def _admit_reader(self) -> None:
        if self._admit_readers:
            self.require_admission()

    def use_books_currency(self) -> None:
        """Set the currency of the books for this thread, without a query once it is fixed."""
        if self._currency is None:
            self.read_once()
        else:
            use_currency(self._currency)

    def _opened(self, sql: Sql) -> UnitOfWork:
        """Return the repositories; this thread's amounts are in the currency of the books.

        The currency is read once it cannot change any more, and each time until then.

        Raises:
            ClosedDatabase: the restore of a backup into it is not finished.
            NoDatabase: it has tables, but no organisation.
        """
        if not self._is_whole:
            _require_whole(UnitOfWork(sql))
            self._is_whole = True
        work = UnitOfWork(sql)
        currency = self._currency
        if currency is None:
            currency = work.meta.get(BOOKS_CURRENCY) or DEFAULT_CURRENCY
            if work.inspection.has_entries():
                self._currency = currency
            work = UnitOfWork(sql)  # what a transaction used says whether visitors see it
        use_currency(currency)
        return work

    def _writing(self, sql: Sql, check: Check) -> UnitOfWork:
        """Return the repositories of a transaction that writes, and seals what it writes.

        Raises:
            Conflict: the database is closed.
        """
        sealing = sql if self._seal is None else SealingSql(sql, self._seal)
        work = self._opened(sealing)
        check(work)
        return _require_open(work)

    def integrity_findings(self) -> list[str]:
        """Return the problems that the database's own integrity check reports."""
        return self._database.integrity_findings()

    def schema_findings(self) -> list[str]:
        """Return what the schema has and Jara's has not, and what it lacks."""
        return self._database.schema_findings()

    def facts(self) -> DatabaseFacts:
        """Return engine, version, size and other facts."""
        return self._database.facts()

    def truncate_log(self) -> None:
        """Move the write-ahead log into the database file, so that deleted data is gone."""
        self._database.truncate_log()

    def trim(self) -> None:
        """Keep fewer pages in memory, in this thread's connection, for long work."""
        self._database.trim()

    def wipe(self) -> None:
        """Rewrite the database, so that no page keeps a copy of deleted rows."""
        self._database.wipe()

    def public_revision(self) -> str | None:
        """Return a value that changes with every commit that visitors may see."""
        revision, known = self._database.revision(), self._public_revision
        if known is None or known[0] != revision:
            # Read after `revision`: a commit in between makes the next call read again.
            known = self._public_revision = revision, self.read_once().meta.get(PUBLIC_REVISION)
        return known[1]

    def zone(self) -> TimeZone:
        """Return the organisation's time zone; the first entry of the books fixes it."""
        if self._zone is not None:
            return self._zone
        work = self.read_once()
        is_fixed = work.inspection.has_entries()  # before the zone, which may change till then
        if is_fixed:
            self._zone = work.zone
        return work.zone

    def close(self) -> None:
        """Close this thread's connection."""
        self._database.close()


def _require_whole(work: UnitOfWork) -> None:
    state = work.meta.get(UNFINISHED)
    if state:
        raise ClosedDatabase(
            f"The restore of {json.loads(state)['file']} is not finished: type the same "
            "`jara restore` again, or delete this database."
        )
    if not work.log.size():
        raise NoDatabase(
            f"This database holds no organisation yet; {NEW_ORGANISATION} If `jara restore` was "
            "interrupted, type it again."
        )


def _require_open(work: UnitOfWork) -> UnitOfWork:
    """Return a unit of work that writes.

    Raises:
        Conflict: the database is closed.
    """
    reason = work.meta.get(CLOSED)
    if reason is not None:
        raise ClosedDatabase(reason)
    return UnitOfWork(work.sql)  # what a transaction used says whether visitors see it


class JoinedStore(Store):
    """A store inside an open transaction: what it writes is committed with it, or not at all."""

    def __init__(self, database: Database, sql: Sql) -> None:
        """Use the connection of an open write transaction, in the thread that opened it."""
        super().__init__(database)
        self.accept_unfinished()  # the store that opened the transaction has checked it
        self._sql = sql

    @contextmanager
    def read(self) -> Iterator[UnitOfWork]:
        """Read what the transaction sees."""
        yield self._opened(self._sql)

    def read_once(self) -> UnitOfWork:
        """Return the repositories of the transaction."""
        return self._opened(self._sql)

    @contextmanager
    def write(self) -> Iterator[UnitOfWork]:
        """Write a part of the transaction; an error undoes this part alone, if it is caught."""
        with self._sql.savepoint():
            work = self._opened(self._sql)
            yield work
            work.finish()

    @contextmanager
    def together(self) -> Iterator[Store]:
        """Stay in the open transaction."""
        with self._sql.savepoint():
            yield self

    def write_grouped(self, act: Callable[[UnitOfWork], Result]) -> Result:
        """Run a function as a part of the transaction, which no other thread shares."""
        with self.write() as work:
            return act(work)


class TrialStore(JoinedStore):
    """A store inside a read transaction, to see how far a use case comes; nothing is kept."""


class ReadOnlyStore(Store):
    """The store of a program that only reads."""

    def write(self) -> NoReturn:
        """Refuse.

        Raises:
            Conflict: always.
        """
        raise Conflict("This organisation was opened to be read only.")

    def write_grouped(self, act: Callable[[UnitOfWork], Result]) -> NoReturn:
        """Refuse.

        Raises:
            Conflict: always.
        """
        del act
        self.write()


def open_database(
    url: str,
    *,
    location: str,
    durable: bool = True,
    remedy: Callable[[], str] = lambda: NEW_ORGANISATION,
) -> Database:
    """Return the driver for a checked address; nothing is opened yet.

    `location` is the address without a password, for messages. The other arguments are those of
    `SqliteDatabase`.
    """
    if url.startswith(_FILE):
        return SqliteDatabase(url.removeprefix(_FILE), durable=durable, remedy=remedy)
    # psycopg is slow to import, and most organisations use SQLite.
    from jara.store.postgres.database import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(url, location=location, durable=durable, remedy=remedy)
