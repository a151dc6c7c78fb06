"""A funded project, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from jara.domain.content import (
    HTML_MAX,
    Category,
    check_cents,
    check_country_code,
    check_line,
    check_slug,
    check_text,
    check_url,
)
from jara.domain.errors import InvalidInput
from jara.domain.projects.milestone import Milestone, measure_progress

PERCENT_MAX = 100


class ProjectStatus(StrEnum):
    """Where a project stands, in the words of the site (spec §4)."""

    PLANNING = "Planning"
    IN_PROGRESS = "In Progress"
    COMPLETE = "Complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What money is paid to, once a proposal passed; its slug names its ledger account.

    Args:
        id: names it.
        slug: names it in links and in the ledger.
        title: one line.
        status: where it stands.
        category: what it is about.
        location: where it is, in words; empty when not told.
        country_code: where it is, two letters; empty when not told.
        image: the photo of its card.
        summary: a plain text.
        story_html: the story, sanitised.
        completion_text: when it was or will be done, in words.
        progress_percent: told by an operator; milestones, where there are any, say it.
        capital_used_cents: told by an operator for what was spent before the ledger
            began; the ledger's own figure comes on top.
        proposal_id: the proposal whose vote allows its payouts.
        sample: whether it came with the sample content.
        position: its place in lists.
    """

    id: str
    slug: str
    title: str
    status: ProjectStatus
    category: Category
    location: str = ""
    country_code: str = ""
    image: str = ""
    summary: str = ""
    story_html: str = ""
    completion_text: str = ""
    progress_percent: int | None = None
    capital_used_cents: int | None = None
    proposal_id: str | None = None
    sample: bool = False
    position: int = 0

    def __post_init__(self) -> None:
        check_slug(self.slug)
        check_line("title of a project", self.title)
        check_country_code(self.country_code)
        check_url("image of a project", self.image)
        check_text("location of a project", self.location)
        check_text("summary of a project", self.summary)
        check_text("story of a project", self.story_html, length_max=HTML_MAX)
        check_text("completion of a project", self.completion_text)
        if self.progress_percent is not None and not 0 <= self.progress_percent <= PERCENT_MAX:
            raise InvalidInput(
                f"A project cannot be {self.progress_percent} % done; write 0 to {PERCENT_MAX}."
            )
        if self.capital_used_cents is not None:
            check_cents("fund capital used of a project", self.capital_used_cents)


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A dated fact: from this instant on the project had this status."""

    at: datetime
    status: ProjectStatus


def progress_percent(
    project: Project, milestones: Iterable[Milestone], *, on: date | None = None
) -> int:
    """Return how much of a project is done, in whole percent.

    Completed milestones of all milestones; without milestones what the operator said,
    else 100 when it is complete and 0 before.
    """
    progress = measure_progress(milestones, on=on)
    if progress.total:
        return progress.percent
    if project.progress_percent is not None:
        return project.progress_percent
    return PERCENT_MAX if project.status is ProjectStatus.COMPLETE else 0


def status_at(changes: Iterable[StatusChange], at: datetime) -> ProjectStatus | None:
    """Return a project's status at an instant, from its rows in order of time."""
    status: ProjectStatus | None = None
    for change in changes:
        if change.at > at:
            break
        status = change.status
    return status
