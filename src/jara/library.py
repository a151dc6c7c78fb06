"""The Python API: ``jara.open("jara.db")`` and the organisation that it returns."""

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Generic, Self, TypeVar

from jara.bootstrap import Application, build_from_environ, read_only
from jara.bootstrap.organisation import branding_of
from jara.domain.books.account import Fund
from jara.domain.books.budget import YearBudget
from jara.domain.books.fund_policy import split
from jara.domain.books.journal import PostedEntry
from jara.domain.currency import books_currency, use_currency
from jara.domain.dates import parse_period, parse_year
from jara.domain.errors import Conflict
from jara.domain.giving.member import Member
from jara.domain.reports.funds import FundsReport
from jara.domain.reports.impact import ImpactReport
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.spending import SpendingReport
from jara.domain.reports.statement import Statement
from jara.domain.reports.voting import VotingReport
from jara.domain.voting.proposal import Proposal
from jara.domain.voting.tally import Tally
from jara.records.journal import EntryQuery
from jara.records.operations import Command
from jara.reports.render import render
from jara.services.ballots.counting import count_vote
from jara.services.books.balances import Balance, read_balances, read_budget
from jara.services.books.policies import show_policies
from jara.services.books.tracing import MemberTrace, ProjectTrace, trace_member, trace_project
from jara.services.context import Context
from jara.services.organisation import currency_of, identity_of
from jara.services.reports.impact import impact_report, voting_report
from jara.services.reports.spending import spending_report
from jara.services.reports.statements import member_statement
from jara.services.reports.yearly_funds import funds_report

Facts = TypeVar("Facts", ImpactReport, VotingReport, FundsReport, Statement, SpendingReport)
Day = date | str
"""A day, or a text that ``parse_period`` reads: ``2026-11-20``, ``2026-11``, ``last-month``."""


@dataclass(frozen=True, slots=True)
class Report(Generic[Facts]):
    """A report: its facts as values, and its renderings as files."""

    facts: Facts  # the figures, typed and frozen
    render: Callable[[str], bytes]
    """Writes the report in a format: ``md``, ``html``, ``pdf``, ``json`` or ``csv``."""
    currency: str = field(default_factory=books_currency)  # the currency of its amounts

    def text(self, as_format: str = "md") -> str:
        """Return the report as text: ``md``, ``html``, ``json`` or ``csv``."""
        return self._rendered(as_format).decode()

    def write(self, path: str | Path) -> Path:
        """Write the report in the format of the path's suffix; return the path."""
        target = Path(path)
        target.write_bytes(self._rendered(target.suffix.lstrip(".")))
        return target

    def _rendered(self, as_format: str) -> bytes:
        use_currency(self.currency)  # another organisation may have been read since
        return self.render(as_format)


@dataclass(frozen=True, slots=True)
class Vote:
    """A proposal and its counts, final or as of now."""

    proposal: Proposal
    tally: Tally


class Reports:
    """The reports of an organisation; a period is ``2026-10``, ``2026``, ``last-month``."""

    def __init__(self, application: Application) -> None:
        self._app = application

    def impact(self, period: str = "last-month") -> Report[ImpactReport]:
        """Return the impact report of a period."""
        facts = impact_report(self._app.context, self._period(period))
        return self._report(facts)

    def voting(self, period: str = "last-month") -> Report[VotingReport]:
        """Return the votes of a period."""
        facts = voting_report(self._app.context, self._period(period))
        return self._report(facts)

    def spending(self, period: str = "last-month") -> Report[SpendingReport]:
        """Return what left in a period, who asked for it and who signed; not for publication."""
        days = self._period(period)
        return self._report(spending_report(self._app.context, days, by_signers=True))

    def funds(self, year: int | str = "last-year") -> Report[FundsReport]:
        """Return the financial statements by fund of a year."""
        chosen_year = parse_year(str(year), today=self._app.context.today()).first.year
        return self._report(funds_report(self._app.context, chosen_year))

    def statement(self, member: str, period: str = "last-month") -> Report[Statement]:
        """Return the statement of a member: what they gave, and what it paid for.

        Raises:
            NotFound: there is no such member.
        """
        facts = member_statement(self._app.context, member, self._period(period))
        return self._report(facts)

    def _report(self, facts: Facts) -> Report[Facts]:
        look = branding_of(self._app)
        return Report(facts, lambda chosen: render(facts, chosen, branding=look))

    def _period(self, text: str) -> ReportPeriod:
        period = parse_period(text, today=self._app.context.today())
        return ReportPeriod(period.first, period.last)


class Organisation:
    """An organisation that a program opened.

    Amounts are integers, hundredths of its `currency`. Every value is typed and frozen. Use it
    in one thread, as a context manager or with `close`.
    """

    def __init__(self, application: Application, *, write: bool) -> None:
        """Wrap a wired application; programs call `jara.open` instead."""
        self._app = application
        self._may_write = write
        self.report = Reports(application)

    def __enter__(self) -> Self:
        """Return the organisation."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the database."""
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._app.database.close()

    @property
    def context(self) -> Context:
        """The context that the use cases of ``jara.services`` take, for programs that write.

        Raises:
            Conflict: the organisation was opened read-only.
        """
        if not self._may_write:
            raise Conflict("This organisation was opened to be read; use open(…, write=True).")
        return self._app.context

    @property
    def name(self) -> str:
        """The organisation's name."""
        return identity_of(self._app.context).name

    @property
    def currency(self) -> str:
        """The code of the currency of all its amounts, such as ``USD``."""
        return currency_of(self._app.context)

    def balances(
        self, *accounts: str, at: Day | None = None, by: Collection[str] = ()
    ) -> tuple[Balance, ...]:
        """Return the balance of each account, without its sub-accounts.

        Args:
            accounts: list these and their sub-accounts; by default all accounts.
            at: the last day to include; by default every entry counts.
            by: also group by ``fund``, ``month`` or ``year``.

        Raises:
            NotFound: there is no such account.
        """
        day = None if at is None else self._days(at).last
        return tuple(read_balances(self._app.context, accounts, at=day, by=by))

    def entries(self, period: Day | None = None) -> Iterator[PostedEntry]:
        """Return the entries of a period, or all, oldest first."""
        query = EntryQuery()
        if period is not None:
            days = self._days(period)
            query = EntryQuery(first_day=days.first, last_day=days.last)
        with self._app.context.store.read() as work:
            yield from work.journal.entries(query)

    def budget(self, year: int | None = None) -> YearBudget:
        """Return what a year received, spent and promised, by fund; by default this year."""
        return read_budget(self._app.context, year or self._app.context.today().year)

    def members(self) -> Iterator[Member]:
        """Return the members, in order of joining."""
        with self._app.context.store.read() as work:
            yield from work.members.all()

    def votes(self) -> tuple[Vote, ...]:
        """Return every proposal that was put to the vote, with its counts."""
        context = self._app.context
        with context.store.read() as work:
            return tuple(
                Vote(record.proposal, count_vote(context, work, record))
                for record in work.proposals.all()
                if record.opened_at is not None
            )

    def tally(self, proposal: str) -> Tally:
        """Return the counts of a vote.

        Args:
            proposal: its slug or id, or a prefix of either.

        Raises:
            NotFound: there is no such proposal.
        """
        context = self._app.context
        with context.store.read() as work:
            return count_vote(context, work, work.proposals.find(proposal))

    def trace(self, member: str) -> MemberTrace:
        """Return what a member's money paid for: paid + waiting + refunded = received.

        Raises:
            NotFound: there is no such member.
        """
        return trace_member(self._app.context, member)

    def trace_project(self, slug: str) -> ProjectTrace:
        """Return whose money paid for a project.

        Raises:
            NotFound: nothing was paid to it.
        """
        return trace_project(self._app.context, slug)

    def split(self, cents: int) -> Mapping[Fund, int]:
        """Return each fund's share of an amount under today's policy; the shares add up to it."""
        weights = show_policies(self._app.context).in_force.weights
        return MappingProxyType(split(cents, weights))

    def _days(self, period: Day) -> ReportPeriod:
        if isinstance(period, date):
            return ReportPeriod(period, period)
        days = parse_period(period, today=self._app.context.today())
        return ReportPeriod(days.first, days.last)


def open_organisation(database: str | Path, *, write: bool) -> Organisation:
    """Open an organisation for `jara.open`."""
    program = Path(sys.argv[0]).name or "python"
    application = build_from_environ(
        os.environ,
        toml_path=_settings_beside(database),
        overrides={"database_url": str(database)},
        any_mode=not write,
        describe=lambda: Command("python", {"program": program}),
    )
    if not write:
        application = read_only(application)
    application.context.store.read_once()  # opens the database, and refuses any other file
    return Organisation(application, write=write)


def _settings_beside(database: str | Path) -> Path | None:
    """Return the ``jara.toml`` in the folder of a database file, if there is one."""
    if "://" in str(database):
        return None
    beside = Path(database).parent / "jara.toml"
    return beside if beside.is_file() else None
