"""The status of a funded project."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from jara.domain.projects.milestone import Milestone, measure_progress

PERCENT_MAX = 100


class ProjectStatus(StrEnum):
    """The status of a project, in the site's words (spec §4)."""

    PLANNING = "Planning"
    IN_PROGRESS = "In Progress"
    COMPLETE = "Complete"


def progress_percent(
    milestones: Iterable[Milestone], *, status: str, stated_percent: int | None = None
) -> int:
    """Return the progress of a project in whole percent.

    This is the share of completed milestones; without milestones, the operator's figure,
    else 100 for a complete project and 0 for others.
    """
    progress = measure_progress(milestones)
    if progress.total:
        return progress.percent
    if stated_percent is not None:
        return stated_percent
    return PERCENT_MAX if status == ProjectStatus.COMPLETE else 0
