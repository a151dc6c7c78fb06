"""Operators, and the partners of a project, are told once of each of its delays.

A delay is no report for long, or a milestone that is overdue.
"""

from collections import Counter

from jara.domain.content.kinds import PROJECTS
from jara.domain.projects import Lateness
from jara.records.content import ContentItem
from jara.records.operations import NewsItem
from jara.services.authority import active_operators
from jara.services.context import Context
from jara.services.field.partners import REPORT_DUE, partners_to_tell
from jara.services.notices.emails import queue_email
from jara.services.organisation import read_identity
from jara.services.projects.catalogue import read_lateness
from jara.store.unit_of_work import UnitOfWork

LATE = "project_late"


def tell_of_late_projects(context: Context, work: UnitOfWork) -> Counter[str]:
    """Queue the emails about each project with a new delay; count them by kind."""
    written: Counter[str] = Counter()
    for project in work.content.all(PROJECTS, published_only=True):
        account = str(project.doc["account"])
        lines = list(work.journal.register(account, first_day=None, last_day=None))
        late = read_lateness(work, project, lines, today=context.today())
        if late is not None and _note(context, work, project, late):
            written.update(_tell(context, work, project, late))
    return written


def _note(context: Context, work: UnitOfWork, project: ContentItem, late: Lateness) -> bool:
    """Note the delays; return whether one is new."""
    names = [f"milestone:{one.id}:{one.due_on}" for one in late.overdue]
    names += [] if late.silent_since is None else [f"silent:{late.silent_since}"]
    now, about = context.now(), {"project": project.slug}
    items = [
        NewsItem(f"{LATE}:{project.slug}:{name}", LATE, about, now, done_at=now) for name in names
    ]
    return any([work.news.add(item) for item in items])  # noqa: C419 - adds each of them


def _tell(context: Context, work: UnitOfWork, project: ContentItem, late: Lateness) -> Counter[str]:
    overdue = [{"title": one.title, "day": one.due_on.isoformat()} for one in late.overdue]
    values = {
        "firstname": "",
        "project": project.doc["title"],
        "slug": project.slug,
        "silentSince": "" if late.silent_since is None else late.silent_since.isoformat(),
        "overdue": overdue,
    }
    addresses = {operator.email for operator in active_operators(work).values() if operator.email}
    contact = read_identity(context, work).contact
    operators = sorted(addresses) or ([contact] if contact else [])
    for address in operators:
        queue_email(context, work, LATE, address=address, values=values)
    partners = partners_to_tell(context, work, project.slug)
    for partner in partners:
        theirs = {**values, "language": partner.language, "partner": partner.name}
        queue_email(context, work, REPORT_DUE, address=partner.email, values=theirs)
    return Counter({LATE: len(operators), REPORT_DUE: len(partners)})
