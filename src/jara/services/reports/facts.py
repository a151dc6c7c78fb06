"""Facts of reports from outside the books, within the cut of a report.

A cut is the report's period, the state of the books, and the time up to which facts count. The
clock only decides whether the period is over. The same books always give the same report: one of a
period that is not over ends with the newest fact.
"""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from jara.domain.books.account import PAYEE_PARENTS, nearest, project_slug
from jara.domain.content.kinds import DONATIONS, GRANTS, PROJECTS, kind_of
from jara.domain.content.schema import measured_results, milestones_of
from jara.domain.errors import InvalidInput
from jara.domain.giving.changemaker import CARD_PERIOD, GRACE, Changemakers, paid_until, votes_until
from jara.domain.giving.pledge import PledgeChange, standing_at
from jara.domain.giving.standing import PledgePayment
from jara.domain.language import ENGLISH, Language
from jara.domain.projects import Progress, measure_progress
from jara.domain.reports.impact import ProjectProgress
from jara.domain.reports.parts import BooksMark, Payout, ReportPeriod, mark_sample
from jara.domain.time_zone import TimeZone
from jara.records.content import ContentItem, by_account
from jara.records.journal import Cut
from jara.services.books.tracing import At, log_size_at
from jara.store.unit_of_work import UnitOfWork

_SECOND = timedelta(seconds=1)


class ReportCut(NamedTuple):
    """What a report includes."""

    period: ReportPeriod
    books: BooksMark  # the log head that it states
    size: int | None  # only entries below this log index; None for the whole log
    instant: datetime  # only facts up to this time
    language: Language = ENGLISH  # the language of its reader, for the titles in it

    @property
    def to_date(self) -> Cut:
        """Everything up to the period's end."""
        return Cut(last=self.period.end, size=self.size)

    @property
    def within(self) -> Cut:
        """The period alone."""
        return Cut(last=self.period.end, size=self.size, first=self.period.first)


def make_cut(
    work: UnitOfWork,
    period: ReportPeriod,
    at: At = None,
    *,
    today: date,
    language: Language = ENGLISH,
) -> ReportCut:
    """Return what a report of a period includes.

    Facts outside the log, such as the state of a pledge, count up to the end of the period. For
    an earlier state of the books they count up to the time of its next entry. A current period
    ends with the newest fact of that state, or at the given time.

    Raises:
        InvalidInput: the log was never of that size, the time is in the future, or the period has
            not begun.
    """
    zone, size = work.zone, log_size_at(work, at)
    newest = work.journal.newest(size)
    head = work.log.size() if size is None else size
    books = BooksMark(head, work.log.root(head).hex(), None if newest is None else newest.booked_at)
    until = at if isinstance(at, datetime) else work.reporting.booked_next(head)
    # At midnight the new day has no entries yet.
    known = today if until is None else zone.day_of(until - _SECOND)
    if known > today:
        raise InvalidInput(f"{known} is in the future; the books of that day are not written yet.")
    period = _clamp(work, period)
    if not isinstance(at, datetime) and period.first <= known <= period.last:
        until = _newest_fact(work, head, books.at, before=until)
        known = period.first if until is None else max(period.first, zone.day_of(until))
    period = period.known_on(known)
    end = last_second(zone, period.end)
    return ReportCut(period, books, size, end if until is None else min(end, until), language)


def _newest_fact(
    work: UnitOfWork, size: int, booked_at: datetime | None, *, before: datetime | None
) -> datetime | None:
    """Return the time of the newest fact of a state: of its log, a pledge or published content."""
    outside = work.reporting.newest_outside(before)
    times = [at for at in (booked_at, outside) if at is not None]
    for record in work.proposals.all():
        for index, at in (
            (record.opened_index, record.opened_at),
            (record.closed_index, record.decided_at),
        ):
            if index is not None and at is not None and index < size:
                times.append(at)
    return max(times, default=None)


def last_second(zone: TimeZone, day: date) -> datetime:
    """Return the last second of a day."""
    return zone.end_of(day) - _SECOND


def items_at(
    work: UnitOfWork, kind: str, instant: datetime, *, is_public: bool = True
) -> list[ContentItem]:
    """Return the public items of a kind as they were at a time, or all, oldest first."""
    known: dict[str, ContentItem] = {}
    for change in work.content.history(kind):
        if change.at <= instant:
            known[change.item.id] = change.item
    return [item for item in known.values() if item.published or not is_public]


def _clamp(work: UnitOfWork, period: ReportPeriod) -> ReportPeriod:
    """Start a period without a start at the first entry."""
    if period.first > date.min:
        return period
    first = work.reporting.first_day() or period.last
    return ReportPeriod(min(first, period.last), period.last)


class Payees(NamedTuple):
    """The payees: the title of each account, the slug of each project's, the known proposals."""

    titles: Mapping[str, str]
    projects: Mapping[str, str]
    proposals: frozenset[str]

    def payouts(self, work: UnitOfWork, cut: ReportCut) -> tuple[Payout, ...]:
        """Return every payout up to the period's end, oldest first."""
        return tuple(
            Payout(
                day=moved.day,
                project=slug_of(moved.account),
                title=self.title_of(moved.account),
                account=moved.account,
                cents=moved.cents,
                proposal=moved.reference if moved.reference in self.proposals else None,
                foreign=moved.foreign,
            )
            for moved in work.reporting.movements_below(PAYEE_PARENTS, cut.to_date)
        )

    def title_of(self, account: str) -> str:
        """Return the title of a payee; without content the words of its slug."""
        named = nearest(account, self.titles)
        if named is not None:
            return self.titles[named]
        words = slug_of(account).replace("-", " ")
        return words[:1].upper() + words[1:]

    def project_of(self, account: str) -> str | None:
        """Return the slug of the project that an account pays; None if it pays no project."""
        named = nearest(account, self.projects)
        return None if named is None else self.projects[named]


def read_payees(work: UnitOfWork, cut: ReportCut, *, is_public: bool = True) -> Payees:
    """Read the titles of projects, grants and donations as they were at the cut.

    Only operators see the titles of those that are not published.

    What pays a project has the project's title, whether or not it is a grant or a donation too.
    """
    titles: dict[str, str] = {}
    projects: dict[str, str] = {}
    for name in (PROJECTS, GRANTS, DONATIONS):
        items = by_account(items_at(work, name, cut.instant, is_public=is_public))
        for account, item in items.items():
            title = str(item.read_in(cut.language)[kind_of(name).title])
            titles.setdefault(account, mark_sample(title, sample=item.doc.get("sample") is True))
            if name == PROJECTS:
                projects[account] = item.slug
    known = frozenset(record.proposal.id for record in work.proposals.all())
    return Payees(titles, projects, known)


def slug_of(account: str) -> str:
    """Return the slug of the payee of an account: the part after the parent of its kind."""
    parent = nearest(account, PAYEE_PARENTS) or account.rpartition(":")[0]
    return account.removeprefix(f"{parent}:").partition(":")[0]


def count_changemakers_at(work: UnitOfWork, cut: ReportCut) -> Changemakers:
    """Count the changemakers at the end of the period, from dated rows only.

    `is_changemaker` needs a `Pledge`, which is stored only in its present state; both apply
    `votes_until`.
    """
    first = work.zone.day_of(cut.instant) - CARD_PERIOD - GRACE
    payments: defaultdict[str, list[PledgePayment]] = defaultdict(list)
    for payment in work.reporting.pledge_payments(cut.to_date, cards_from=first):
        payments[payment.member_key].append(payment)
    histories: defaultdict[str, list[PledgeChange]] = defaultdict(list)
    for change in work.pledges.changes(until=cut.instant):
        if change.member_key in payments:
            histories[change.member_key].append(change)
    cents = [
        standing.dollars * 100
        for key, history in histories.items()
        if (standing := standing_at(history, cut.instant)) is not None
        and (
            until := votes_until(
                standing.state,
                past_due_since=standing.since,
                paid_until=paid_until(payments[key], history, zone=work.zone),
            )
        )
        is not None
        and cut.instant <= until
    ]
    return Changemakers(count=len(cents), monthly_cents=sum(cents))


def project_progress(
    work: UnitOfWork, cut: ReportCut, payees: Payees, payouts: Sequence[Payout]
) -> tuple[ProjectProgress, ...]:
    """Return the public projects at the end of the period, and other projects that were paid.

    An account is counted with one project, so that the projects add up to what was paid out.
    """
    lines = []
    items = items_at(work, PROJECTS, cut.instant)
    accounts = {str(item.doc["account"]) for item in items}
    paid = _paid_by_account(payouts, accounts, date.min)
    lately = _paid_by_account(payouts, accounts, cut.period.first)
    for item in sorted(items, key=lambda item: not item.is_namesake):  # the first gets its account
        account = item.doc["account"]
        line = _progress(item, cut)
        sums = paid.pop(account, 0), lately.pop(account, 0)
        shown = item.read_in(cut.language)
        results = measured_results(shown, paid_cents=sums[0], on=cut.period.end)
        lines.append(
            line._replace(paid_cents=sums[0], paid_in_period_cents=sums[1], results=results)
        )
    order = {item.slug: place for place, item in enumerate(items)}
    lines.sort(key=lambda line: order[line.slug])
    unlisted = [
        ProjectProgress(
            slug=slug_of(account),
            title=payees.title_of(account),
            status="Not listed",
            milestones=Progress(0, 0),
            paid_cents=cents,
            paid_in_period_cents=lately.get(account, 0),
            account=account,
        )
        for account, cents in paid.items()
        if project_slug(account)
    ]
    return (*lines, *unlisted)


def _paid_by_account(
    payouts: Sequence[Payout], accounts: Container[str], first: date
) -> dict[str, int]:
    """Sum payouts by account; one below an account of a project counts for that."""
    sums: defaultdict[str, int] = defaultdict(int)
    for payout in payouts:
        if payout.day >= first:
            sums[nearest(payout.account, accounts) or payout.account] += payout.cents
    return dict(sums)


def _progress(item: ContentItem, cut: ReportCut) -> ProjectProgress:
    title = str(item.read_in(cut.language)["title"])
    return ProjectProgress(
        slug=item.slug,
        title=mark_sample(title, sample=item.doc.get("sample") is True),
        status=item.doc["status"],
        milestones=measure_progress(milestones_of(item.doc), on=cut.period.end),
        account=item.doc["account"],
    )
