"""The store: transactions that contain every repository."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from jara.services.ports.access import AccessRepository
from jara.services.ports.bank import BankRepository, BankRulesRepository
from jara.services.ports.book_settings import BookSettingsRepository, CommitmentRepository
from jara.services.ports.books import IdentityRepository, PaymentRepository, TraceRepository
from jara.services.ports.content import ContentRepository
from jara.services.ports.electors import ElectorRepository
from jara.services.ports.inspection import InspectionRepository
from jara.services.ports.journal import JournalRepository
from jara.services.ports.log import LogRepository
from jara.services.ports.newcomers import NewcomerRepository
from jara.services.ports.operations import (
    MetaRepository,
    OperationsRepository,
    OutboxRepository,
)
from jara.services.ports.passkeys import PasskeyRepository
from jara.services.ports.payment_events import ProviderEventRepository
from jara.services.ports.people import (
    ContributorRepository,
    MemberRepository,
    PledgeRepository,
    RegistrationRepository,
)
from jara.services.ports.progress import Progress, no_progress
from jara.services.ports.reporting import ReportingRepository
from jara.services.ports.sessions import SessionRepository
from jara.services.ports.voting import BallotRepository, ProposalRepository
from jara.services.ports.witnesses import WitnessRepository

Result = TypeVar("Result")
Final = TypeVar("Final")

OLDEST_SQLITE = (3, 51, 3)
"""The oldest supported SQLite; older versions may lose data."""


class DatabaseFacts(NamedTuple):
    """Facts about the database itself."""

    engine: str
    engine_version: str
    location: str
    schema_version: int
    journal_mode: str
    size_bytes: int
    readable_by_others: bool


class UnitOfWork(Protocol):
    """One transaction with every repository."""

    @property
    def log(self) -> LogRepository:
        """The public log."""
        ...

    @property
    def witnesses(self) -> WitnessRepository:
        """The log's witnesses and their cosignatures."""
        ...

    @property
    def journal(self) -> JournalRepository:
        """Entries and balances."""
        ...

    @property
    def payments(self) -> PaymentRepository:
        """Payments received."""
        ...

    @property
    def identities(self) -> IdentityRepository:
        """The provider's movements that are booked."""
        ...

    @property
    def commitments(self) -> CommitmentRepository:
        """Money committed to proposals."""
        ...

    @property
    def book_settings(self) -> BookSettingsRepository:
        """Accounts, policies, fixed costs, locked years."""
        ...

    @property
    def bank(self) -> BankRepository:
        """Bank statements."""
        ...

    @property
    def bank_rules(self) -> BankRulesRepository:
        """Rules and CSV mappings for bank files."""
        ...

    @property
    def trace(self) -> TraceRepository:
        """The money trace."""
        ...

    @property
    def members(self) -> MemberRepository:
        """The members."""
        ...

    @property
    def registrations(self) -> RegistrationRepository:
        """Registrations in progress."""
        ...

    @property
    def newcomers(self) -> NewcomerRepository:
        """Members imported from a file."""
        ...

    @property
    def pledges(self) -> PledgeRepository:
        """The pledges."""
        ...

    @property
    def electors(self) -> ElectorRepository:
        """The maintained list of changemakers."""
        ...

    @property
    def access(self) -> AccessRepository:
        """Idempotency keys, rate limits, known devices, mailed codes, subscribers."""
        ...

    @property
    def sessions(self) -> SessionRepository:
        """Sessions of members."""
        ...

    @property
    def passkeys(self) -> PasskeyRepository:
        """Passkeys of members."""
        ...

    @property
    def contributors(self) -> ContributorRepository:
        """Maps a provider's handle to a key of the books."""
        ...

    @property
    def proposals(self) -> ProposalRepository:
        """The proposals."""
        ...

    @property
    def ballots(self) -> BallotRepository:
        """The ballots."""
        ...

    @property
    def inspection(self) -> InspectionRepository:
        """Raw stored rows, for checks."""
        ...

    @property
    def reporting(self) -> ReportingRepository:
        """Sums over the books, for reports."""
        ...

    @property
    def content(self) -> ContentRepository:
        """Content of the site."""
        ...

    @property
    def meta(self) -> MetaRepository:
        """Facts about the organisation."""
        ...

    @property
    def operations(self) -> OperationsRepository:
        """Operators, audit, approvals."""
        ...

    @property
    def outbox(self) -> OutboxRepository:
        """Queued emails."""
        ...

    @property
    def provider_events(self) -> ProviderEventRepository:
        """Events of the payment provider."""
        ...


class Store(Protocol):
    """The database."""

    def create(self) -> None:
        """Create a new database.

        Raises:
            Conflict: it exists already.
        """
        ...

    def migrate(self) -> list[str]:
        """Bring the schema up to date; return the steps taken."""
        ...

    def read(self) -> AbstractContextManager[UnitOfWork]:
        """Open a read transaction on a consistent snapshot."""
        ...

    def read_once(self) -> UnitOfWork:
        """Return the repositories for a single read."""
        ...

    def write(self) -> AbstractContextManager[UnitOfWork]:
        """Open a write transaction; writers wait for each other."""
        ...

    def write_grouped(self, act: Callable[[UnitOfWork], Result]) -> Result:
        """Run a function in a transaction that it may share with others (group commit).

        The function succeeds or fails independently, and is committed when this returns.
        """
        ...

    def write_grouped_then(
        self, act: Callable[[UnitOfWork], Result], then: Callable[[Result], Final]
    ) -> Final:
        """Like `write_grouped`, and call ``then`` with the result after the commit.

        Follow-ups run one at a time, in the order of the writes. An error in one is raised only to
        its caller; the write stays committed.
        """
        ...

    def backup(self, target: Path, *, progress: Progress = no_progress) -> tuple[int, bytes]:
        """Copy the whole database to a new file while others use it.

        Args:
            target: the file.
            progress: called with the number of bytes or rows copied.

        Returns:
            Size and root of the log in the copy.
        """
        ...

    def integrity_findings(self) -> list[str]:
        """Return the problems that the database's own integrity check reports."""
        ...

    def facts(self) -> DatabaseFacts:
        """Return facts about the database."""
        ...

    def truncate_log(self) -> None:
        """Checkpoint the write-ahead log, so that erased data is gone."""
        ...

    def wipe(self) -> None:
        """Rewrite the database, so that no page holds a copy of erased data."""
        ...

    def revision(self) -> tuple[int, int]:
        """Return a mark that changes with every commit, of any process."""
        ...

    def public_revision(self) -> str | None:
        """Return a mark that changes with every commit of publicly visible data."""
        ...

    def close(self) -> None:
        """Close this thread's connection."""
        ...
