"""Transactions with every repository as an attribute."""

from __future__ import annotations

from functools import cached_property

from jara.store.repositories.access import SqlAccess
from jara.store.repositories.bank import SqlBank
from jara.store.repositories.bank_rules import SqlBankRules
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
from jara.store.repositories.registrations import SqlNewcomers, SqlRegistrations
from jara.store.repositories.reporting import SqlReporting
from jara.store.repositories.sessions import SqlSessions
from jara.store.repositories.trace import SqlTraces
from jara.store.repositories.voting import SqlBallots
from jara.store.repositories.witnesses import SqlWitnesses
from jara.store.sql.connection import Sql

PUBLIC_REVISION = "public.revision"
"""Key in `meta`: counts the commits that may change what visitors see."""

_NOT_PUBLIC = frozenset(
    {"sql", "access", "sessions", "passkeys", "outbox", "provider_events", "bank", "bank_rules"}
)
"""Repositories whose changes visitors never see: rate limits, sessions, emails."""


class SqlUnitOfWork:
    """The repositories of one transaction, each created on first use."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
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
    def witnesses(self) -> SqlWitnesses:
        """The log's witnesses and their cosignatures."""
        return SqlWitnesses(self.sql)

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
    def bank_rules(self) -> SqlBankRules:
        """How an operator's bank is read."""
        return SqlBankRules(self.sql)

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
        """Registrations in progress."""
        return SqlRegistrations(self.sql)

    @cached_property
    def newcomers(self) -> SqlNewcomers:
        """Members imported from a file."""
        return SqlNewcomers(self.sql)

    @cached_property
    def pledges(self) -> SqlPledges:
        """The pledges."""
        return SqlPledges(self.sql, self.electors)

    @cached_property
    def access(self) -> SqlAccess:
        """Rate limits, known devices, emailed codes, newsletter readers."""
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
        """The sums of reports."""
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
