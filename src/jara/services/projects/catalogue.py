"""The website's catalogue: published content, the money of projects, and which are late."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from jara.documents import Document, to_document, to_json
from jara.domain.books.account import PLEDGES, AccountType, nearest
from jara.domain.content.kinds import DONATIONS, GRANTS, KINDS, PROJECTS, ROADMAP, UPDATES, kind_of
from jara.domain.content.schema import measured_results, milestones_of
from jara.domain.content.translations import ORIGINAL, reading_keys
from jara.domain.errors import NotFound
from jara.domain.language import Language
from jara.domain.projects import Lateness, lateness, progress_percent
from jara.records.content import ContentItem, by_account
from jara.records.journal import RegisterLine
from jara.services.context import Context
from jara.services.projects import tranches
from jara.services.proposals.views import show_proposal
from jara.store.unit_of_work import UnitOfWork


class OverdueMilestone(NamedTuple):
    """A milestone that should be done."""

    title: str
    due_on: date


class ProjectDelay(NamedTuple):
    """Why a project is late, as its page shows it."""

    silent_since: date | None
    overdue: tuple[OverdueMilestone, ...]


def read_lateness(
    work: UnitOfWork, project: ContentItem, lines: Iterable[RegisterLine], *, today: date
) -> Lateness | None:
    """Return why a project is late; a sample that was never paid never is.

    `lines` are the register of its account.
    """
    paid_on = next((line.posted.entry.day for line in lines if line.cents > 0), None)
    if project.doc.get("sample") and paid_on is None:
        return None
    milestones = milestones_of(project.doc)
    heard = [
        date.fromisoformat(update.doc["date"])
        for update in work.content.all(UPDATES, published_only=True)
        if update.doc["project"] == project.slug
    ]
    heard += [one.completed_on for one in milestones if one.completed_on is not None]
    heard += [] if paid_on is None else [paid_on]
    return lateness(
        milestones,
        status=str(project.doc["status"]),
        heard_on=max(heard, default=None),
        today=today,
    )


def show_delay(late: Lateness | None) -> ProjectDelay | None:
    """Return what the page of a project says of its lateness."""
    if late is None:
        return None
    overdue = (OverdueMilestone(one.title, one.due_on) for one in late.overdue)
    return ProjectDelay(late.silent_since, tuple(overdue))


COMPLETE = "Complete"
_SLUG = "projectSlug"


class ProjectCard(NamedTuple):
    """The figures of a project's card."""

    summary: str
    progress: int
    capital_used_cents: int
    account: str
    last_step_on: date | None
    sample: bool


class ProjectLink(NamedTuple):
    """Which project a grant or a donation paid for."""

    project_slug: str | None  # the project's slug; None if it paid for none that is public


class PublicSlugs(NamedTuple):
    """The names in the addresses of the public pages of projects and proposals."""

    projects: tuple[str, ...]
    proposals: tuple[str, ...]


def list_slugs(context: Context) -> PublicSlugs:
    """Return the slugs of the published projects and of the listed proposals."""
    with context.store.read() as work:
        projects = work.content.all(PROJECTS, published_only=True)
        proposals = work.proposals.listed()
        return PublicSlugs(
            tuple(item.slug for item in projects),
            tuple(record.proposal.slug for record in proposals),
        )


def list_published(context: Context, kind: str) -> list[Document]:
    """Return the published items of a kind in their order."""
    with context.store.read() as work:
        return [
            item.read_in(context.language) for item in work.content.all(kind, published_only=True)
        ]


def list_projects(context: Context, category: str | None = None) -> list[Document]:
    """Return the cards of the published projects, of one category or all."""
    with context.store.read() as work:
        spent = _spent(work)
        return [
            _card(item, spent, context.language)
            for item in work.content.all(PROJECTS, published_only=True)
            if category is None or item.doc["category"] == category
        ]


def show_project(context: Context, name: str) -> Document:
    """Return a published project by its title or slug, with its vote, money and news.

    Raises:
        NotFound: there is none.
    """
    with context.store.read() as work:
        items = work.content.all(PROJECTS, published_only=True)
        item = next((i for i in items if name in {i.slug, i.id, i.doc["title"]}), None)
        if item is None:
            raise NotFound("There is no such project.")
        card = _card(item, _spent(work), context.language)
        news = [
            update.read_in(context.language)
            for update in work.content.all(UPDATES, published_only=True)
            if update.doc["project"] == item.slug
        ]
        lines = list(work.journal.register(item.account, first_day=None, last_day=None))
        payouts = tranches.list_payouts(work, lines)
        paid = sum(payout.cents for payout in payouts)
        shown = item.read_in(context.language)
        milestones = tranches.show_milestones(work, item, lines, shown.get("milestones", ()))
        commitment = tranches.show_commitment(work, item.doc.get("proposal"))
        late = read_lateness(work, item, lines, today=context.today())
    return {
        **shown,
        **card,
        **reading_keys(shown),
        "milestones": milestones,
        "measures": to_json(measured_results(shown, paid_cents=paid, on=context.today())),
        "updates": sorted(news, key=lambda one: str(one["date"]), reverse=True),
        "late": to_json(show_delay(late)),
        "commitment": to_json(commitment),
        "payouts": to_json(payouts),
        "paidAbroad": to_json(tranches.sum_abroad(lines)),
        "paidCents": paid,
        "vote": _vote(context, item.doc.get("proposal")),
    }


def hidden_payees(work: UnitOfWork) -> list[tuple[str, str]]:
    """Return slug and title of the projects that were paid and are not published."""
    spent = _spent(work)
    return [
        (item.slug, str(item.doc["title"]))
        for item in work.content.all(PROJECTS)
        if not item.published and spent[item.account]
    ]


def list_roadmap(context: Context) -> list[Document]:
    """Return the roadmap; reached targets are complete, with the day they were reached."""
    with context.store.read() as work:
        return [
            _reached(work, item.read_in(context.language))
            for item in work.content.all(ROADMAP, published_only=True)
        ]


def list_grants(context: Context) -> list[Document]:
    """Return the grants, each under the title of the project that it paid for."""
    return _list_named(context, GRANTS, by=(PROJECTS,))


def list_donations(context: Context) -> Document:
    """Return the donations with their number and sum, each named as its project, or its grant."""
    card = KINDS[DONATIONS].card
    donations = [
        {**{key: item[key] for key in (*card, _SLUG)}, **reading_keys(item, card)}
        for item in _list_named(context, DONATIONS, by=(PROJECTS, GRANTS))
    ]
    return {
        "count": len(donations),
        "totalCents": sum(one["amountCents"] for one in donations),
        "donations": donations,
    }


def used_cents(context: Context, item: ContentItem) -> int:
    """Return what a project has used, in cents: as the books say, or as its operator does."""
    with context.store.read() as work:
        return _used(item, _spent(work))


def latest_updates(context: Context) -> list[Document]:
    """Return the published field updates of published projects, newest first."""
    public = {item["slug"] for item in list_published(context, PROJECTS)}
    updates = [one for one in list_published(context, UPDATES) if one["project"] in public]
    return sorted(updates, key=lambda one: str(one["date"]), reverse=True)


def _list_named(context: Context, kind: str, *, by: Sequence[str]) -> list[Document]:
    """Return the items of a kind, named by what has their account; earlier kinds go first."""
    namers: dict[str, ContentItem] = {}
    with context.store.read() as work:
        for other in by:
            published = work.content.all(other, published_only=True)
            namers = by_account(published) | namers
        items = work.content.all(kind, published_only=True)
    return [_named(item, namers, context.language) for item in items]


def _named(item: ContentItem, namers: Mapping[str, ContentItem], language: Language) -> Document:
    """Return a grant or a donation, under the title of what has its account."""
    shown = item.read_in(language)
    account = nearest(item.account, namers)
    if account is None:
        return {**shown, **to_document(ProjectLink(None))}
    namer = namers[account]
    key, its_key, names = (
        kind_of(item.kind).title,
        kind_of(namer.kind).title,
        namer.read_in(language),
    )
    original = {name: text for name, text in shown.pop(ORIGINAL, {}).items() if name != key}
    if its_key in names.get(ORIGINAL, {}):
        original[key] = names[ORIGINAL][its_key]
    named = {**shown, key: names[its_key], **({ORIGINAL: original} if original else {})}
    return {**named, **to_document(ProjectLink(namer.slug if namer.kind == PROJECTS else None))}


def _reached(work: UnitOfWork, act: Document) -> Document:
    day = _day_reached(work, act)
    if act["status"] == COMPLETE or day is None:
        return act
    return {**act, "status": COMPLETE, "completedOn": act.get("completedOn") or day.isoformat()}


def _day_reached(work: UnitOfWork, act: Document) -> date | None:
    match act.get("measure"), act.get("targetCount"), act.get("targetCents"):
        case "changemakers", int(count), _ if count > 0:
            return work.reporting.day_of_payer(count)
        case "monthlyIncome", _, int(cents) if cents > 0:
            return _month_of_income(work, cents)
        case _:
            return None


def _month_of_income(work: UnitOfWork, cents: int) -> date | None:
    """Return the first day of the first month whose monthly contributions reached a sum."""
    months: dict[str, int] = {}
    for row in work.journal.balances(accounts=(PLEDGES,), by_month=True):
        months[row.month or ""] = months.get(row.month or "", 0) - row.cents
    reached = sorted(month for month, sum_cents in months.items() if month and sum_cents >= cents)
    return date.fromisoformat(f"{reached[0]}-01") if reached else None


def _card(item: ContentItem, spent: Counter[str], language: Language) -> Document:
    doc = item.read_in(language)
    progress = progress_percent(
        milestones_of(doc), status=doc["status"], stated_percent=doc.get("progress")
    )
    figures = ProjectCard(
        doc.get("summary", ""),
        progress,
        _used(item, spent),
        item.account,
        max((one.completed_on for one in milestones_of(doc) if one.completed_on), default=None),
        doc.get("sample", False),
    )
    return {
        **{key: doc.get(key) for key in KINDS[PROJECTS].card},
        **to_document(figures),
        **reading_keys(doc, KINDS[PROJECTS].card),
    }


def _used(item: ContentItem, spent: Counter[str]) -> int:
    return spent[item.account] or item.doc.get("capitalUsedCents") or 0


def _spent(work: UnitOfWork) -> Counter[str]:
    """Return what was spent on each account with those below it."""
    sums: Counter[str] = Counter()
    for row in work.journal.balances(accounts=(AccountType.EXPENSES,)):
        account = row.account
        while account:
            sums[account] += row.cents
            account = account.rpartition(":")[0]
    return sums


def _vote(context: Context, proposal: str | None) -> Document | None:
    if proposal is None:
        return None
    with context.store.read() as work:
        record = work.proposals.get(proposal)
        if record is None or not record.proposal.is_public:
            return None
    keys = ("id", "slug", "title", "status", "endDate", "tally")
    document = show_proposal(context, proposal)
    return {key: document[key] for key in keys}
