"""Where a funded project stands."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from jara.domain.projects.milestone import Milestone, measure_progress

PERCENT_MAX = 100


class ProjectStatus(StrEnum):
    """Where a project stands, in the words of the site (spec §4)."""

    PLANNING = "Planning"
    IN_PROGRESS = "In Progress"
    COMPLETE = "Complete"


def progress_percent(
    milestones: Iterable[Milestone], *, status: str, stated_percent: int | None = None
) -> int:
    """Return how much of a project is done, in whole percent.

    Completed milestones of all milestones; without milestones what the operator stated,
    else 100 when it is complete and 0 before.
    """
    progress = measure_progress(milestones)
    if progress.total:
        return progress.percent
    if stated_percent is not None:
        return stated_percent
    return PERCENT_MAX if status == ProjectStatus.COMPLETE else 0
