"""Transactions with every repository as an attribute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from jara.services.ports.database import DatabaseFacts
from jara.store.repositories.access import SqlAccess
from jara.store.repositories.bank import SqlBank
from jara.store.repositories.book_records import SqlCommitments, SqlIdentities, SqlPayments
from jara.store.repositories.book_settings import SqlBookSettings
from jara.store.repositories.content import SqlContent
from jara.store.repositories.electors import SqlElectors
from jara.store.repositories.inspection import SqlInspection
from jara.store.repositories.journal import SqlJournal
from jara.store.repositories.log import SqlLog
from jara.store.repositories.operations import SqlMeta, SqlOperations
from jara.store.repositories.outbox import SqlOutbox
from jara.store.repositories.passkeys import SqlPasskeys
from jara.store.repositories.people import SqlContributors, SqlMembers
from jara.store.repositories.pledges import SqlPledges
from jara.store.repositories.proposals import SqlProposals
from jara.store.repositories.provider_events import SqlProviderEvents
from jara.store.repositories.registrations import SqlRegistrations
from jara.store.repositories.reporting import SqlReporting
from jara.store.repositories.sessions import SqlSessions
from jara.store.repositories.trace import SqlTraces
from jara.store.repositories.voting import SqlBallots
from jara.store.sql.connection import Sql
from jara.store.sql.database import Database
from jara.store.sql.group_commit import GroupCommit

PUBLIC_REVISION = "public.revision"
"""Key in `meta`: counts the commits that may change what visitors see."""

_NOT_PUBLIC = frozenset(
    {"sql", "access", "sessions", "passkeys", "outbox", "provider_events", "bank"}
)
"""Repositories whose changes visitors never see: rate limits, sessions, emails."""

Result = TypeVar("Result")


class SqlUnitOfWork:
    """The repositories of one transaction, each made on first use."""

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self.sql = sql

    @cached_property
    def electors(self) -> SqlElectors:
        """The maintained electors."""
        return SqlElectors(self.sql)

    @cached_property
    def log(self) -> SqlLog:
        """The public log."""
        return SqlLog(self.sql)

    @cached_property
    def journal(self) -> SqlJournal:
        """Entries and balances."""
        return SqlJournal(self.sql)

    @cached_property
    def payments(self) -> SqlPayments:
        """Payments received."""
        return SqlPayments(self.sql, self.electors)

    @cached_property
    def identities(self) -> SqlIdentities:
        """Provider movements that are booked."""
        return SqlIdentities(self.sql)

    @cached_property
    def commitments(self) -> SqlCommitments:
        """Money promised to proposals."""
        return SqlCommitments(self.sql)

    @cached_property
    def book_settings(self) -> SqlBookSettings:
        """Accounts, policies, fixed costs, locked years."""
        return SqlBookSettings(self.sql)

    @cached_property
    def bank(self) -> SqlBank:
        """Statements of the bank."""
        return SqlBank(self.sql)

    @cached_property
    def trace(self) -> SqlTraces:
        """Whose dollars paid for what."""
        return SqlTraces(self.sql)

    @cached_property
    def members(self) -> SqlMembers:
        """The members."""
        return SqlMembers(self.sql, self.electors)

    @cached_property
    def registrations(self) -> SqlRegistrations:
        """Registrations under way."""
        return SqlRegistrations(self.sql)

    @cached_property
    def pledges(self) -> SqlPledges:
        """The pledges."""
        return SqlPledges(self.sql, self.electors)

    @cached_property
    def access(self) -> SqlAccess:
        """Ended sessions, used-up limits, emailed codes."""
        return SqlAccess(self.sql)

    @cached_property
    def sessions(self) -> SqlSessions:
        """Sessions of members."""
        return SqlSessions(self.sql)

    @cached_property
    def passkeys(self) -> SqlPasskeys:
        """Passkeys of members."""
        return SqlPasskeys(self.sql)

    @cached_property
    def contributors(self) -> SqlContributors:
        """From a provider's handle to a key of the books."""
        return SqlContributors(self.sql)

    @cached_property
    def proposals(self) -> SqlProposals:
        """The proposals."""
        return SqlProposals(self.sql)

    @cached_property
    def ballots(self) -> SqlBallots:
        """The ballots."""
        return SqlBallots(self.sql)

    @cached_property
    def inspection(self) -> SqlInspection:
        """Rows as they are stored, for checks."""
        return SqlInspection(self.sql)

    @cached_property
    def reporting(self) -> SqlReporting:
        """What reports add up from the books."""
        return SqlReporting(self.sql)

    @cached_property
    def content(self) -> SqlContent:
        """What the site shows."""
        return SqlContent(self.sql)

    @cached_property
    def meta(self) -> SqlMeta:
        """Facts about the organisation."""
        return SqlMeta(self.sql)

    @cached_property
    def operations(self) -> SqlOperations:
        """Operators, audit, approvals."""
        return SqlOperations(self.sql)

    @cached_property
    def outbox(self) -> SqlOutbox:
        """Emails waiting to be sent."""
        return SqlOutbox(self.sql)

    @cached_property
    def provider_events(self) -> SqlProviderEvents:
        """Events received from the payment provider."""
        return SqlProviderEvents(self.sql)

    def finish(self) -> None:
        """Write what is saved once per transaction: totals, changemakers, the head of the log."""
        used = self.__dict__
        if "journal" in used:
            self.journal.save_totals()
        if "electors" in used:
            self.electors.save()
        if "log" in used:
            self.log.save_head()
        if not used.keys() <= _NOT_PUBLIC:
            self.meta.count_up(PUBLIC_REVISION)


class SqlStore:
    """The store over a database driver."""

    def __init__(self, database: Database, *, admit: Callable[[], None] = lambda: None) -> None:
        """Use a driver.

        Args:
            database: the driver.
            admit: called before the first transaction; what it raises refuses the transaction.
        """
        self._database = database
        self._admit = admit
        self._is_admitted = False
        self._group_commit = GroupCommit(lambda: database.transaction(write=True))
        self._public_revision: tuple[tuple[int, int], str | None] | None = None

    def create(self) -> None:
        """Create a new database; it must not exist."""
        self._database.create()

    def migrate(self) -> list[str]:
        """Bring the schema up to date; return the steps taken."""
        return self._database.migrate()

    @contextmanager
    def read(self) -> Iterator[SqlUnitOfWork]:
        """Open a read transaction, which sees one state of the data."""
        self.require_admission()
        with self._database.transaction(write=False) as sql:
            yield SqlUnitOfWork(sql)

    def read_once(self) -> SqlUnitOfWork:
        """Return the repositories for single queries, without a transaction around them."""
        self.require_admission()
        return SqlUnitOfWork(self._database.read_once())

    @contextmanager
    def write(self) -> Iterator[SqlUnitOfWork]:
        """Open a write transaction; writers wait for each other."""
        self.require_admission()
        with self._database.transaction(write=True) as sql:
            work = SqlUnitOfWork(sql)
            yield work
            work.finish()

    def write_grouped(self, act: Callable[[SqlUnitOfWork], Result]) -> Result:
        """Run a write in a transaction shared with other threads; return after the commit."""

        def do(sql: Sql) -> Result:
            work = SqlUnitOfWork(sql)
            result = act(work)
            work.finish()
            return result

        self.require_admission()
        return self._group_commit.do(do)

    def backup(self, target: Path) -> tuple[int, bytes]:
        """Copy the whole database to a new file while others go on.

        Returns:
            Size and root of the log in the copy.
        """

        def head(sql: Sql) -> tuple[int, bytes]:
            log = SqlUnitOfWork(sql).log
            return log.size(), log.root()

        self.require_admission()
        return self._database.backup(target, head)

    def require_admission(self) -> None:
        """Check once that this program may open the database."""
        if not self._is_admitted:
            self._admit()
            self._is_admitted = True

    def integrity_findings(self) -> list[str]:
        """Return the problems that the engine's own checks report."""
        return self._database.integrity_findings()

    def facts(self) -> DatabaseFacts:
        """Return engine, version, size and other facts."""
        return self._database.facts()

    def truncate_log(self) -> None:
        """Move the write-ahead log into the database file, so that deleted data is gone."""
        self._database.truncate_log()

    def wipe(self) -> None:
        """Rewrite the database, so that no page keeps a copy of deleted rows."""
        self._database.wipe()

    def revision(self) -> tuple[int, int]:
        """Return a value that changes with every commit, of any process."""
        return self._database.revision()

    def public_revision(self) -> str | None:
        """Return a value that changes with every commit that visitors may see."""
        revision, known = self._database.revision(), self._public_revision
        if known is None or known[0] != revision:
            # Read after `revision`: a commit in between makes the next call read again.
            known = self._public_revision = revision, self.read_once().meta.get(PUBLIC_REVISION)
        return known[1]

    def close(self) -> None:
        """Close this thread's connection."""
        self._database.close()
