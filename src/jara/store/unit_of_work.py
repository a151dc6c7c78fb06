"""Transactions with every repository as an attribute."""

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.store.repositories.access import (
    AccessRepository,
    AddressChangeRepository,
    PasskeyRepository,
    SessionRepository,
)
from jara.store.repositories.bank import BankRepository, BankRulesRepository
from jara.store.repositories.books.electors import ElectorRepository
from jara.store.repositories.books.payments import IdentityRepository, PaymentRepository
from jara.store.repositories.books.settings import (
    BookSettingsRepository,
    CommitmentRepository,
    PlanRepository,
)
from jara.store.repositories.content import ContentRepository, LegalRepository
from jara.store.repositories.field import FieldRepository
from jara.store.repositories.inspection import InspectionRepository
from jara.store.repositories.journal.entries import JournalRepository
from jara.store.repositories.journal.reporting import ReportingRepository
from jara.store.repositories.journal.trace import TraceRepository
from jara.store.repositories.log import LogRepository, WitnessRepository
from jara.store.repositories.news import AnnouncementRepository, NewsRepository
from jara.store.repositories.operations import MetaRepository, OperationsRepository
from jara.store.repositories.papers import PaperRepository
from jara.store.repositories.people.members import ContributorRepository, MemberRepository
from jara.store.repositories.people.pledges import PledgeRepository
from jara.store.repositories.people.registrations import (
    GiftPromiseRepository,
    NewcomerRepository,
    RegistrationRepository,
)
from jara.store.repositories.queues import (
    OutboxRepository,
    ProviderEventRepository,
    ReturnedEmailRepository,
)
from jara.store.repositories.voting.ballots import BallotRepository
from jara.store.repositories.voting.box import BoxRepository
from jara.store.repositories.voting.closings import ClosingRepository
from jara.store.repositories.voting.proposals import ProposalRepository
from jara.store.sql.connection import Sql

BOOKS_CURRENCY = "books.currency"
"""Key in `meta`: the code of the books' currency; US dollars without it."""
PUBLIC_REVISION = "public.revision"
"""Key in `meta`: counts the commits that may change what visitors see."""

_NOT_PUBLIC = frozenset(
    {
        *("sql", "access", "sessions", "passkeys", "outbox", "provider_events"),
        *("bank", "bank_rules", "field", "news", "returned_emails", "zone"),
        *("gift_promises", "closings"),
    }
)
"""Repositories whose changes visitors never see: rate limits, sessions, emails, reports."""

TIME_ZONE = "organisation.time-zone"
"""Key in `meta`: the IANA name of the organisation's time zone; UTC without it."""


R = TypeVar("R")


def _lazily(repository: Callable[[Sql], R]) -> cached_property[R]:
    """Create a repository when it is first used."""
    return cached_property(lambda work: repository(work.sql))


class UnitOfWork:
    """The repositories of one transaction, each created on first use."""

    def __init__(self, sql: Sql) -> None:
        self.sql = sql

    access = _lazily(AccessRepository)
    address_changes = _lazily(AddressChangeRepository)
    ballots = _lazily(BallotRepository)
    bank = _lazily(BankRepository)
    bank_rules = _lazily(BankRulesRepository)
    box = _lazily(BoxRepository)
    closings = _lazily(ClosingRepository)
    book_settings = _lazily(BookSettingsRepository)
    commitments = _lazily(CommitmentRepository)
    announcements = _lazily(AnnouncementRepository)
    content = _lazily(ContentRepository)
    contributors = _lazily(ContributorRepository)
    field = _lazily(FieldRepository)
    gift_promises = _lazily(GiftPromiseRepository)
    identities = _lazily(IdentityRepository)
    inspection = _lazily(InspectionRepository)
    journal = _lazily(JournalRepository)
    legal = _lazily(LegalRepository)
    log = _lazily(LogRepository)
    meta = _lazily(MetaRepository)
    news = _lazily(NewsRepository)
    newcomers = _lazily(NewcomerRepository)
    operations = _lazily(OperationsRepository)
    outbox = _lazily(OutboxRepository)
    papers = _lazily(PaperRepository)
    passkeys = _lazily(PasskeyRepository)
    plans = _lazily(PlanRepository)
    proposals = _lazily(ProposalRepository)
    provider_events = _lazily(ProviderEventRepository)
    registrations = _lazily(RegistrationRepository)
    reporting = _lazily(ReportingRepository)
    returned_emails = _lazily(ReturnedEmailRepository)
    sessions = _lazily(SessionRepository)
    trace = _lazily(TraceRepository)
    witnesses = _lazily(WitnessRepository)

    @cached_property
    def zone(self) -> TimeZone:
        """The organisation's time zone."""
        name = MetaRepository(self.sql).get(TIME_ZONE)
        return UTC_ZONE if name is None else TimeZone(name)

    @cached_property
    def electors(self) -> ElectorRepository:
        """The changemakers, whose right ends at the end of a day there."""
        return ElectorRepository(self.sql, lambda: self.zone)

    @cached_property
    def members(self) -> MemberRepository:
        """The members; their changes keep the changemakers up to date."""
        return MemberRepository(self.sql, self.electors)

    @cached_property
    def payments(self) -> PaymentRepository:
        """The payments; their changes keep the changemakers up to date."""
        return PaymentRepository(self.sql, self.electors)

    @cached_property
    def pledges(self) -> PledgeRepository:
        """The pledges; their changes keep the changemakers up to date."""
        return PledgeRepository(self.sql, self.electors)

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
