"""One transaction with the repositories as attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from jara.store.sql.connection import Sql
from jara.store.sql.group_commit import GroupCommit

if TYPE_CHECKING:  # `OnDemand` imports them, and a command starts without ports
    from jara.services.ports.database import DatabaseFacts
    from jara.store.repositories.access import SqlAccess
    from jara.store.repositories.book_records import SqlCommitments, SqlIdentities, SqlPayments
    from jara.store.repositories.book_settings import SqlBookSettings
    from jara.store.repositories.content import SqlContent
    from jara.store.repositories.electors import SqlElectors
    from jara.store.repositories.inspection import SqlInspection
    from jara.store.repositories.journal import SqlJournal
    from jara.store.repositories.log import SqlLog
    from jara.store.repositories.operations import SqlMeta, SqlOperations, SqlOutbox
    from jara.store.repositories.people import SqlContributors, SqlMembers
    from jara.store.repositories.pledges import SqlPledges
    from jara.store.repositories.proposals import SqlProposals
    from jara.store.repositories.provider_events import SqlProviderEvents
    from jara.store.repositories.registrations import SqlRegistrations
    from jara.store.repositories.reporting import SqlReporting
    from jara.store.repositories.trace import SqlTraces
    from jara.store.repositories.voting import SqlBallots

PUBLIC_REVISION = "public.revision"
"""Of the organisation's small facts: how often something changed that visitors may see."""

_SHOWN_TO_NOBODY = frozenset({"sql", "access", "outbox", "provider_events"})
"""What a transaction may use that changes nothing for visitors: limits, sessions, mail."""

Result = TypeVar("Result")
Repository = TypeVar("Repository")


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

    def read_once(self) -> Sql:
        """Return the door for one question, with no transaction around it."""
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

    def wipe(self) -> None:
        """Leave no copy of erased rows behind."""
        ...

    def revision(self) -> tuple[int, int]:
        """Return what differs once anything was committed."""
        ...

    def close(self) -> None:
        """Close this thread's connection."""
        ...


class OnDemand(Generic[Repository]):
    """A repository that is made when a transaction first asks for it; most need two or three.

    Its module is imported then, too: a command starts without those that it does not use.
    """

    def __init__(self, module: str, kind: str, *others: str) -> None:
        """Say where its class is, and over which others it is made, to keep them up to date."""
        self._place = f"jara.store.repositories.{module}", kind
        self._kind: Callable[..., Repository] | None = None
        self._others = others
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, work: SqlUnitOfWork, owner: type) -> Repository:
        if self._kind is None:
            module, kind = self._place
            self._kind = getattr(import_module(module), kind)
        made = self._kind(work.sql, *[getattr(work, name) for name in self._others])
        work.__dict__[self._name] = made  # where Python looks before it asks here again
        return made


class SqlUnitOfWork:
    """The repositories over one transaction."""

    electors: OnDemand[SqlElectors] = OnDemand("electors", "SqlElectors")
    log: OnDemand[SqlLog] = OnDemand("log", "SqlLog")
    journal: OnDemand[SqlJournal] = OnDemand("journal", "SqlJournal")
    payments: OnDemand[SqlPayments] = OnDemand("book_records", "SqlPayments", "electors")
    identities: OnDemand[SqlIdentities] = OnDemand("book_records", "SqlIdentities")
    commitments: OnDemand[SqlCommitments] = OnDemand("book_records", "SqlCommitments")
    book_settings: OnDemand[SqlBookSettings] = OnDemand("book_settings", "SqlBookSettings")
    trace: OnDemand[SqlTraces] = OnDemand("trace", "SqlTraces")
    members: OnDemand[SqlMembers] = OnDemand("people", "SqlMembers", "electors")
    registrations: OnDemand[SqlRegistrations] = OnDemand("registrations", "SqlRegistrations")
    pledges: OnDemand[SqlPledges] = OnDemand("pledges", "SqlPledges", "electors")
    access: OnDemand[SqlAccess] = OnDemand("access", "SqlAccess")
    contributors: OnDemand[SqlContributors] = OnDemand("people", "SqlContributors")
    proposals: OnDemand[SqlProposals] = OnDemand("proposals", "SqlProposals")
    ballots: OnDemand[SqlBallots] = OnDemand("voting", "SqlBallots")
    inspection: OnDemand[SqlInspection] = OnDemand("inspection", "SqlInspection")
    reporting: OnDemand[SqlReporting] = OnDemand("reporting", "SqlReporting")
    content: OnDemand[SqlContent] = OnDemand("content", "SqlContent")
    meta: OnDemand[SqlMeta] = OnDemand("operations", "SqlMeta")
    operations: OnDemand[SqlOperations] = OnDemand("operations", "SqlOperations")
    outbox: OnDemand[SqlOutbox] = OnDemand("operations", "SqlOutbox")
    provider_events: OnDemand[SqlProviderEvents] = OnDemand("provider_events", "SqlProviderEvents")

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self.sql = sql

    def finish(self) -> None:
        """Write what was held back for the end: totals, changemakers, the head of the log."""
        used = self.__dict__
        if "journal" in used:
            self.journal.save_totals()
        if "electors" in used:
            self.electors.save()
        if "log" in used:
            self.log.save_head()
        if not used.keys() <= _SHOWN_TO_NOBODY:
            self.meta.count_up(PUBLIC_REVISION)


class SqlStore:
    """The store over a database driver."""

    def __init__(self, database: Database) -> None:
        """Use a driver."""
        self._database = database
        self._group_commit = GroupCommit(lambda: database.transaction(write=True))
        self._public_revision: tuple[tuple[int, int], str | None] | None = None

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

    def read_once(self) -> SqlUnitOfWork:
        """Return the repositories for one question, which is a transaction of its own."""
        return SqlUnitOfWork(self._database.read_once())

    @contextmanager
    def write(self) -> Iterator[SqlUnitOfWork]:
        """Open a transaction that may change things; writers wait for each other."""
        with self._database.transaction(write=True) as sql:
            work = SqlUnitOfWork(sql)
            yield work
            work.finish()

    def write_grouped(self, act: Callable[[SqlUnitOfWork], Result]) -> Result:
        """Do an act in a transaction that it may share; it is committed when this returns."""

        def do(sql: Sql) -> Result:
            work = SqlUnitOfWork(sql)
            result = act(work)
            work.finish()
            return result

        return self._group_commit.do(do)

    def backup(self, target: Path) -> tuple[int, bytes]:
        """Copy the whole database to a new file while others go on.

        Returns:
            Size and root of the log in the copy.
        """

        def head(sql: Sql) -> tuple[int, bytes]:
            log = SqlUnitOfWork(sql).log
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

    def wipe(self) -> None:
        """Write the database anew, so that no page holds a copy of what was erased."""
        self._database.wipe()

    def revision(self) -> tuple[int, int]:
        """Return what differs once anything was committed, here or elsewhere."""
        return self._database.revision()

    def public_revision(self) -> str | None:
        """Return what differs once anything was committed that visitors may see."""
        mark, known = self._database.revision(), self._public_revision
        if known is None or known[0] != mark:
            # Read after the mark: should more be committed in between, the next one differs.
            known = self._public_revision = mark, self.read_once().meta.get(PUBLIC_REVISION)
        return known[1]

    def close(self) -> None:
        """Close this thread's connection."""
        self._database.close()
