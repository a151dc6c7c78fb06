"""News of projects: an update is published, a milestone is done, a payout is made."""

from collections.abc import Iterable, Mapping
from typing import Any

from jara.domain.books.account import is_below
from jara.domain.books.foreign import public_amount
from jara.domain.books.journal import PostedEntry
from jara.domain.content.excerpt import excerpt
from jara.domain.content.kinds import PROJECTS, UPDATES
from jara.domain.language import Language
from jara.records.content import ContentItem
from jara.records.operations import NewsItem
from jara.services.books.tracing import spent_on
from jara.services.context import Context
from jara.services.news.stories import Story
from jara.store.unit_of_work import UnitOfWork

TEXT_CHARACTERS = 1500
"""Of an update, in its email; the rest is on the project's page."""
BRIEF_CHARACTERS = 300
"""Of an update, in the monthly email."""


def tell_update(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return the story of a field update, with its share of all payouts to the project."""
    update = work.content.get(UPDATES, str(item.about["update"]))
    if update is None or not update.published:
        return None
    project = _public_project(work, str(update.doc["project"]), language)
    if project is None:
        return None
    update = update.for_reader(language)
    html = str(update.doc["content"])
    text, brief = (excerpt(html, characters=most) for most in (TEXT_CHARACTERS, BRIEF_CHARACTERS))
    pictures = update.doc.get("images") or ([text.picture] if text.picture else [])
    values = {
        "title": update.doc["title"],
        "author": update.doc["author"],
        "day": update.doc["date"],
        "text": text.paragraphs,
        "isWhole": text.is_whole,
        "brief": " ".join(brief.paragraphs),
        "isBrief": brief.is_whole,
        **_picture(context, pictures, str(update.doc["title"])),
        **_of_project(context, project, anchor=update.id),
    }
    return Story(values, account=_account_of(project))


def tell_milestone(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return the story of a milestone that is done, with its share of what paid for it.

    The newest field update about it is its note. Without a payment of its own, the share is that
    of all payouts to the project.
    """
    project = _public_project(work, str(item.about["project"]), language)
    if project is None:
        return None
    milestones = {one["id"]: one for one in project.doc.get("milestones", ())}
    done = milestones.get(str(item.about["milestone"]))
    if done is None or not done.get("completed"):
        return None
    account = _account_of(project)
    indexes = [
        line.posted.index for line in work.journal.register(account, first_day=None, last_day=None)
    ]
    named = work.commitments.tranches(indexes)
    own = frozenset(index for index, name in named.items() if name == done["id"])
    values = {
        "title": done["title"],
        "day": done.get("completedOn", done["date"]),
        "done": sum(bool(one.get("completed")) for one in milestones.values()),
        "of": len(milestones),
        "isOwnPayment": bool(own),
        **_note(context, work, project, done, language),
        **_of_project(context, project),
    }
    return Story(values, account=account, entries=own or None)


def tell_payout(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return the story of a payout to a project, unless it was undone or all of it came back."""
    posted = work.journal.get(int(item.about["entry"]))
    project = project_of(work, posted)
    if project is None or not project.published:
        return None
    if work.journal.reversal_of(posted.index) is not None:
        return None
    project, account = project.for_reader(language), _account_of(project)
    cents = spent_on(posted, account)
    milestone = work.commitments.tranches([posted.index]).get(posted.index)
    titles = {one["id"]: one["title"] for one in project.doc.get("milestones", ())}
    abroad = public_amount(posted.entry.foreign, cents)
    values = {
        "amountCents": cents,
        "abroad": "" if abroad is None else abroad.text,
        "day": posted.entry.day.isoformat(),
        "entry": posted.id,
        "receipt": "" if abroad is None else abroad.receipt or "",
        "milestone": titles.get(milestone or "", ""),
        **_of_project(context, project),
    }
    return Story(values, account=account, entries=frozenset({posted.index}))


def project_of(work: UnitOfWork, posted: PostedEntry) -> ContentItem | None:
    """Return the project that an entry pays, if there is one."""
    paid = [posting.account for posting in posted.entry.postings if posting.cents > 0]
    projects = work.content.all(PROJECTS)
    paying = (one for one in projects if any(is_below(each, _account_of(one)) for each in paid))
    return next(paying, None)


def _note(
    context: Context,
    work: UnitOfWork,
    project: ContentItem,
    milestone: Mapping[str, Any],
    language: Language,
) -> dict[str, Any]:
    """Return picture and text of a milestone: its own photos, and the newest update about it."""
    updates = [
        update.for_reader(language).doc
        for update in work.content.all(UPDATES, published_only=True)
        if update.doc["project"] == project.slug and update.doc.get("milestone") == milestone["id"]
    ]
    newest = max(updates, key=lambda one: str(one["date"]), default=None)
    photos = [*milestone.get("images", ()), *((newest and newest.get("images")) or ())]
    shown = _picture(context, photos, str(milestone["title"]))
    if newest is None:
        return {**shown, "note": (), "brief": ""}
    html = str(newest["content"])
    text, brief = (excerpt(html, characters=most) for most in (TEXT_CHARACTERS, BRIEF_CHARACTERS))
    return {
        **shown,
        "note": text.paragraphs,
        "brief": " ".join(brief.paragraphs),
        "author": newest["author"],
        "noteDay": newest["date"],
    }


def _public_project(work: UnitOfWork, name: str, language: Language) -> ContentItem | None:
    project = work.content.get(PROJECTS, name)
    return project.for_reader(language) if project is not None and project.published else None


def _account_of(project: ContentItem) -> str:
    return str(project.doc["account"])


def _of_project(context: Context, project: ContentItem, *, anchor: str = "") -> dict[str, Any]:
    page = f"{context.rules.site_url}/projects/{project.slug}"
    return {
        "project": project.doc["title"],
        "page": page,
        "link": f"{page}#{anchor}" if anchor else page,
    }


def _picture(context: Context, paths: Iterable[str], alt: str) -> dict[str, str]:
    """Return the first picture that mail programs show, by its absolute address."""
    for path in paths:
        address = path if path.startswith("https://") else f"{context.rules.site_url}{path}"
        if not path.endswith(".svg"):
            return {"picture": address, "alt": alt}
    return {"picture": "", "alt": ""}
