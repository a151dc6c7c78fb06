"""Projects that are late: no report for long, or milestones that are overdue."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from jara.domain.content.kinds import UPDATES
from jara.domain.content.schema import milestones_of
from jara.domain.projects import Lateness, lateness
from jara.records.content import ContentItem
from jara.records.journal import RegisterLine
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

    Args:
        lines: the register of its account.
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
