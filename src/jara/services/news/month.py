"""The emails of a month and of a year: what a member's money did, the news, and the statement.

The monthly email has all news that the member was not told in an email of its own. What it told is
kept with the email, so that news that are withdrawn and shown again are told once.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from jara.domain.books.account import PAYEE_PARENTS, is_below
from jara.domain.email_kinds import kind_of
from jara.domain.giving.member import Member
from jara.domain.language import Language
from jara.domain.reports.parts import ReportPeriod
from jara.domain.voting.proposal import DECIDED, ProposalStatus
from jara.records.operations import NewsItem
from jara.records.voting import ProposalRecord
from jara.services.context import Context
from jara.services.news.stories import Recipient, Story, StoryCache, TellStory
from jara.services.news_items import cause_news
from jara.services.projects.calendar import read_calendar
from jara.services.reports.statements import read_basis, statement_key, write_statement
from jara.store.unit_of_work import UnitOfWork

MONTH = "month"
TOLD = "items"
"""The value of a monthly email that has the ids of the news in it."""
CLOSED_WITHIN = timedelta(days=14)
"""A month that ended earlier is told only if no daily run has been since: not after an upgrade."""
MONTHS_BACK = 3
EVENTS_AHEAD = timedelta(days=60)


def close_months(context: Context, work: UnitOfWork, *, last_run: datetime | None) -> None:
    """Note the months that are over, had news, and were not noted by an earlier daily run."""
    first = context.today().replace(day=1)
    for _ in range(MONTHS_BACK):
        ended = context.zone.start_of(first)
        is_missed = last_run is not None and last_run < ended
        if not is_missed and context.now() - ended > CLOSED_WITHIN:
            return
        first = (first - timedelta(days=1)).replace(day=1)
        is_known = work.news.get(f"{MONTH}:{first:%Y-%m}") is not None
        if not is_known and _news_of(context, work, first):
            cause_news(context, work, MONTH, f"{first:%Y-%m}", first=first.isoformat())


def tell_month(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return what a month is to everybody: its votes, and the events to come."""
    first, today = date.fromisoformat(str(item.about["first"])), context.today()
    events = [
        {"title": event.title, "day": event.first_day.isoformat(), "place": event.place}
        for event in read_calendar(work, language).events
        if not event.state.is_off and today <= event.last_day <= today + EVENTS_AHEAD
    ]
    return Story(
        {
            "month": first.isoformat(),
            "votes": [
                _vote(context, record, language) for record in _votes_of(context, work, first)
            ],
            "events": sorted(events, key=lambda event: event["day"]),
        }
    )


def month_of(
    tellers: Mapping[str, TellStory],
    cache: StoryCache,
    work: UnitOfWork,
    item: NewsItem,
    story: Story,
    recipient: Recipient,
) -> Mapping[str, Any] | None:
    """Return a recipient's month; None without news."""
    first = date.fromisoformat(str(item.about["first"]))
    told = _told_to(work, recipient)
    projects: dict[str, dict[str, Any]] = {}
    items: list[str] = []
    for news in cache.once(work, (MONTH, first), lambda: _news_of(cache.context, work, first)):
        own = cache.story(work, news, recipient.language, tellers[news.kind])
        if news.id in told or own is None:
            continue
        items.append(news.id)
        if own.account:
            _add(projects, cache, work, news, own, recipient)
    if not items:  # votes alone are no reason: their own emails told them
        return None
    money = {} if recipient.member is None else _money(cache, work, first, recipient.member)
    return {**story.values, **money, "projects": [*projects.values()], TOLD: items}


def _add(
    projects: dict[str, dict[str, Any]],
    cache: StoryCache,
    work: UnitOfWork,
    news: NewsItem,
    story: Story,
    recipient: Recipient,
) -> None:
    """Add news to its project, which has the member's share of all that it was paid."""
    values = story.values
    project = projects.setdefault(
        story.account,
        {"project": values["project"], "link": values["page"], "shareCents": 0, "news": []},
    )
    entry = {"kind": news.kind, **values}
    if recipient.member is not None:
        whole = cache.share(work, story._replace(entries=None), recipient.member.key)
        project |= {"shareCents": whole.own_cents, "paidCents": whole.paid_cents}
        if story.entries is not None:
            entry["shareCents"] = cache.share(work, story, recipient.member.key).own_cents
    project["news"].append(entry)


def _money(cache: StoryCache, work: UnitOfWork, first: date, member: Member) -> dict[str, Any]:
    """Return a member's payments of the month, and what they paid for by now."""
    period = ReportPeriod(first, _next(first) - timedelta(days=1))
    context = cache.context.for_reader(member.language)
    basis = cache.once(
        work, ("statement", first, member.language), lambda: read_basis(context, work, period)
    )
    statement = write_statement(work, basis, member)
    payees: Counter[str] = Counter()
    running = 0
    for payment in (payment for fund in statement.trace for payment in fund.paid):
        if any(is_below(payment.account, parent) for parent in PAYEE_PARENTS):
            payees[payment.title] += payment.cents
        else:
            running += payment.cents
    return {
        "gaveCents": statement.paid_cents,
        "backCents": statement.refunded_cents,
        "went": [{"to": title, "cents": cents} for title, cents in payees.most_common()],
        "runningCents": running,
        "waitingCents": sum(fund.waiting_cents for fund in statement.trace),
        "last": period.last.isoformat(),
    }


def _told_to(work: UnitOfWork, recipient: Recipient) -> set[str]:
    """Return the ids of the news that somebody was told, or will be in an email that waits."""
    member = recipient.member
    emails = (
        work.outbox.of_reader(recipient.address)
        if member is None
        else work.outbox.of_member(member.id)
    )
    told: set[str] = set()
    for email in emails:
        if "news" in email.doc:
            told.add(str(email.doc["news"]))
        if email.sent_at is not None:
            told.update(email.doc.get(TOLD, ()))
    return told


def _news_of(context: Context, work: UnitOfWork, first: date) -> list[NewsItem]:
    """Return the news of a month that its email tells."""
    zone = context.zone
    items = work.news.between(zone.start_of(first), zone.start_of(_next(first)))
    return [item for item in items if kind_of(item.kind).may_be_bundled]


def _votes_of(context: Context, work: UnitOfWork, first: date) -> list[ProposalRecord]:
    """Return the votes that opened or were decided in a month."""
    start, end = context.zone.start_of(first), context.zone.start_of(_next(first))

    def is_within(*instants: datetime | None) -> bool:
        return any(at is not None and start <= at < end for at in instants)

    records: Iterable[ProposalRecord] = work.proposals.all(ProposalStatus.OPEN, *DECIDED)
    return [one for one in records if is_within(one.opened_at, one.decided_at)]


def _vote(context: Context, record: ProposalRecord, language: Language) -> dict[str, Any]:
    """Return what is public of a vote; nothing of it says who voted."""
    proposal = record.proposal
    states = {ProposalStatus.OPEN: "open", ProposalStatus.REJECTED: "rejected"}
    return {
        "title": record.title_in(language),
        "state": states.get(proposal.status, "passed"),
        "ends": context.zone.day_of(context.zone.last_minute(proposal.ends_at)).isoformat(),
        "link": f"{context.rules.site_url}/proposals/{proposal.slug}",
    }


def _next(first: date) -> date:
    """Return the first day of the next month."""
    return (first + timedelta(days=31)).replace(day=1)


STATEMENT = "statement"
READY_ON = (1, 15)
"""Month and day on which the statements of the year before are ready: by then the bank's file of
December is usually imported. A year that was closed earlier is ready earlier."""
LAST_MONTH = 3
"""Later in the year, the statements of the year before are no news."""


def announce_statements(context: Context, work: UnitOfWork) -> None:
    """Note that the statements of last year are ready."""
    today, year = context.today(), context.today().year - 1
    is_closed = any(lock.year == year for lock in work.book_settings.locked_years())
    if today.month > LAST_MONTH or not (is_closed or (today.month, today.day) >= READY_ON):
        return
    if work.news.get(f"{STATEMENT}:{year}") is None:
        cause_news(context, work, STATEMENT, str(year), year=str(year))


def tell_statement(
    _context: Context, _work: UnitOfWork, item: NewsItem, _language: Language
) -> Story | None:
    """Return the story: the days of the year."""
    period = _year_of(item)
    return Story({"first": period.first.isoformat(), "last": period.last.isoformat()})


def concerned_by_statement(
    context: Context, work: UnitOfWork, item: NewsItem
) -> Callable[[Recipient], bool]:
    """Return whether somebody paid, or got money back, in the year."""
    basis = read_basis(context, work, _year_of(item))

    def has_statement(recipient: Recipient) -> bool:
        statement = recipient.member and write_statement(work, basis, recipient.member)
        return bool(statement and (statement.lines or statement.returns))

    return has_statement


def statement_values(
    _cache: StoryCache, _work: UnitOfWork, _item: NewsItem, story: Story, _recipient: Recipient
) -> Mapping[str, Any]:
    """Return what the email says: the same to everybody."""
    return story.values


def key_of_statement(item: NewsItem, recipient: Recipient) -> str:
    """Return the once-key that the command which mails statements uses, too."""
    return statement_key(recipient.name, _year_of(item))


def _year_of(item: NewsItem) -> ReportPeriod:
    year = int(item.about["year"])
    return ReportPeriod(date(year, 1, 1), date(year, 12, 31))
