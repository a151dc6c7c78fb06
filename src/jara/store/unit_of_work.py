"""Transactions with every repository as an attribute."""

from __future__ import annotations

from functools import cached_property

from jara.store.repositories.access import AccessRepository
from jara.store.repositories.bank import BankRepository
from jara.store.repositories.bank_rules import BankRulesRepository
from jara.store.repositories.book_records import (
    CommitmentRepository,
    IdentityRepository,
    PaymentRepository,
)
from jara.store.repositories.book_settings import BookSettingsRepository
from jara.store.repositories.content import ContentRepository
from jara.store.repositories.electors import ElectorRepository
from jara.store.repositories.inspection import InspectionRepository
from jara.store.repositories.journal import JournalRepository
from jara.store.repositories.log import LogRepository
from jara.store.repositories.operations import MetaRepository, OperationsRepository
from jara.store.repositories.outbox import OutboxRepository
from jara.store.repositories.passkeys import PasskeyRepository
from jara.store.repositories.people import ContributorRepository, MemberRepository
from jara.store.repositories.pledges import PledgeRepository
from jara.store.repositories.proposals import ProposalRepository
from jara.store.repositories.provider_events import ProviderEventRepository
from jara.store.repositories.registrations import NewcomerRepository, RegistrationRepository
from jara.store.repositories.reporting import ReportingRepository
from jara.store.repositories.sessions import SessionRepository
from jara.store.repositories.trace import TraceRepository
from jara.store.repositories.voting import BallotRepository
from jara.store.repositories.witnesses import WitnessRepository
from jara.store.sql.connection import Sql

PUBLIC_REVISION = "public.revision"
"""Key in `meta`: counts the commits that may change what visitors see."""

_NOT_PUBLIC = frozenset(
    {"sql", "access", "sessions", "passkeys", "outbox", "provider_events", "bank", "bank_rules"}
)
"""Repositories whose changes visitors never see: rate limits, sessions, emails."""


class UnitOfWork:
    """The repositories of one transaction, each created on first use."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self.sql = sql

    @cached_property
    def electors(self) -> ElectorRepository:
        """The maintained electors."""
        return ElectorRepository(self.sql)

    @cached_property
    def log(self) -> LogRepository:
        """The public log."""
        return LogRepository(self.sql)

    @cached_property
    def witnesses(self) -> WitnessRepository:
        """The log's witnesses and their cosignatures."""
        return WitnessRepository(self.sql)

    @cached_property
    def journal(self) -> JournalRepository:
        """Entries and balances."""
        return JournalRepository(self.sql)

    @cached_property
    def payments(self) -> PaymentRepository:
        """Payments received."""
        return PaymentRepository(self.sql, self.electors)

    @cached_property
    def identities(self) -> IdentityRepository:
        """Provider movements that are booked."""
        return IdentityRepository(self.sql)

    @cached_property
    def commitments(self) -> CommitmentRepository:
        """Money promised to proposals."""
        return CommitmentRepository(self.sql)

    @cached_property
    def book_settings(self) -> BookSettingsRepository:
        """Accounts, policies, fixed costs, locked years."""
        return BookSettingsRepository(self.sql)

    @cached_property
    def bank(self) -> BankRepository:
        """Statements of the bank."""
        return BankRepository(self.sql)

    @cached_property
    def bank_rules(self) -> BankRulesRepository:
        """How an operator's bank is read."""
        return BankRulesRepository(self.sql)

    @cached_property
    def trace(self) -> TraceRepository:
        """Whose dollars paid for what."""
        return TraceRepository(self.sql)

    @cached_property
    def members(self) -> MemberRepository:
        """The members."""
        return MemberRepository(self.sql, self.electors)

    @cached_property
    def registrations(self) -> RegistrationRepository:
        """Registrations in progress."""
        return RegistrationRepository(self.sql)

    @cached_property
    def newcomers(self) -> NewcomerRepository:
        """Members imported from a file."""
        return NewcomerRepository(self.sql)

    @cached_property
    def pledges(self) -> PledgeRepository:
        """The pledges."""
        return PledgeRepository(self.sql, self.electors)

    @cached_property
    def access(self) -> AccessRepository:
        """Rate limits, known devices, emailed codes, newsletter readers."""
        return AccessRepository(self.sql)

    @cached_property
    def sessions(self) -> SessionRepository:
        """Sessions of members."""
        return SessionRepository(self.sql)

    @cached_property
    def passkeys(self) -> PasskeyRepository:
        """Passkeys of members."""
        return PasskeyRepository(self.sql)

    @cached_property
    def contributors(self) -> ContributorRepository:
        """From a provider's handle to a key of the books."""
        return ContributorRepository(self.sql)

    @cached_property
    def proposals(self) -> ProposalRepository:
        """The proposals."""
        return ProposalRepository(self.sql)

    @cached_property
    def ballots(self) -> BallotRepository:
        """The ballots."""
        return BallotRepository(self.sql)

    @cached_property
    def inspection(self) -> InspectionRepository:
        """Rows as they are stored, for checks."""
        return InspectionRepository(self.sql)

    @cached_property
    def reporting(self) -> ReportingRepository:
        """The sums of reports."""
        return ReportingRepository(self.sql)

    @cached_property
    def content(self) -> ContentRepository:
        """What the site shows."""
        return ContentRepository(self.sql)

    @cached_property
    def meta(self) -> MetaRepository:
        """Facts about the organisation."""
        return MetaRepository(self.sql)

    @cached_property
    def operations(self) -> OperationsRepository:
        """Operators, audit, approvals."""
        return OperationsRepository(self.sql)

    @cached_property
    def outbox(self) -> OutboxRepository:
        """Emails waiting to be sent."""
        return OutboxRepository(self.sql)

    @cached_property
    def provider_events(self) -> ProviderEventRepository:
        """Events received from the payment provider."""
        return ProviderEventRepository(self.sql)

    def finish(self) -> None:
        """Write the data saved once per transaction: totals, changemakers, the head of the log."""
        used = self.__dict__
        if "journal" in used:
            self.journal.save_totals()
        if "electors" in used:
            self.electors.save()
        if "log" in used:
            self.log.save_head()
        if not used.keys() <= _NOT_PUBLIC:
            self.meta.count_up(PUBLIC_REVISION)
