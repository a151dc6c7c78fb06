"""Projects and their milestones: progress, cost, and when a tranche may be paid."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import Conflict, NotFound

PERCENT_MAX = 100


class Milestone(NamedTuple):
    """A step of a project."""

    id: str  # its id within the project
    title: str
    due_on: date  # the planned day
    cost_cents: int  # the tranche that pays for it; 0 if it costs nothing
    completed_on: date | None = None  # the day of completion, which keeps old reports correct

    @property
    def completed(self) -> bool:
        """Whether it is done."""
        return self.completed_on is not None

    def was_completed(self, on: date) -> bool:
        """Return whether it was done by the end of a day."""
        return self.completed_on is not None and self.completed_on <= on


class Progress(NamedTuple):
    """The number of completed milestones, and their total."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """Whole percent, rounded down, so that 100 means all; 0 without milestones."""
        return self.done * 100 // self.total if self.total else 0


def measure_progress(milestones: Iterable[Milestone], *, on: date | None = None) -> Progress:
    """Count the completed milestones, now or at the end of an earlier day."""
    done = [m.completed if on is None else m.was_completed(on) for m in milestones]
    return Progress(done=sum(done), total=len(done))


def unlocked_milestones(milestones: Sequence[Milestone]) -> tuple[Milestone, ...]:
    """Return the milestones whose tranche may be paid: the completed ones and the next one.

    A tranche is paid only after all earlier milestones are complete.
    """
    for place, milestone in enumerate(milestones):
        if not milestone.completed:
            return tuple(milestones[: place + 1])
    return tuple(milestones)


def require_unlocked(milestones: Sequence[Milestone], milestone_id: str) -> Milestone:
    """Return the milestone if its tranche may be paid.

    Raises:
        NotFound: the project has no such milestone.
        Conflict: an earlier one is not complete.
    """
    wanted = find_milestone(milestones, milestone_id)
    unlocked = unlocked_milestones(milestones)
    if wanted not in unlocked:
        raise Conflict(
            f"The milestone '{wanted.title}' is paid after '{unlocked[-1].title}' is complete."
        )
    return wanted


def unlocked_cents(milestones: Sequence[Milestone]) -> int | None:
    """Return the sum of the unlocked tranches; None if no milestone has a cost."""
    if not any(milestone.cost_cents for milestone in milestones):
        return None
    return sum(milestone.cost_cents for milestone in unlocked_milestones(milestones))


def share_payments(
    milestones: Sequence[Milestone], paid_cents: int, named: Mapping[str, int] | None = None
) -> tuple[int, ...]:
    """Divide payments over the milestones in order, beside those that name their milestone.

    `paid_cents` is the sum of the payments that name none, `named` those of the others, by the id
    of their milestone.
    """
    shares = []
    for milestone in milestones:
        own = (named or {}).get(milestone.id, 0)
        share = max(0, min(milestone.cost_cents - own, paid_cents))
        shares.append(own + share)
        paid_cents -= share
    return tuple(shares)


def complete_milestone(
    milestones: Sequence[Milestone], milestone_id: str, *, on: date
) -> tuple[Milestone, ...]:
    """Complete a milestone on a day; an already completed one is unchanged.

    Raises:
        NotFound: the project has no such milestone.
    """
    wanted = find_milestone(milestones, milestone_id)
    done = wanted if wanted.completed else wanted._replace(completed_on=on)
    return tuple(done if m.id == milestone_id else m for m in milestones)


def find_milestone(milestones: Iterable[Milestone], milestone_id: str) -> Milestone:
    """Return the milestone with an id.

    Raises:
        NotFound: there is none.
    """
    for milestone in milestones:
        if milestone.id == milestone_id:
            return milestone
    raise NotFound(f"The project has no milestone '{milestone_id}'.")


REPORT_WITHIN = timedelta(days=90)
"""A project that was paid is late if nothing was heard of it for longer."""


class Lateness(NamedTuple):
    """Why a project is late."""

    silent_since: date | None  # the day of its last report, if that is too long ago; else None
    overdue: tuple[Milestone, ...]  # the milestones that should be done and are not


def lateness(
    milestones: Iterable[Milestone], *, status: str, heard_on: date | None, today: date
) -> Lateness | None:
    """Return why a project is late, or None if it is not; a complete one never is.

    `heard_on` is the day of its last report, or of its first payment; None if it has neither.
    """
    if status == ProjectStatus.COMPLETE:
        return None
    is_silent = heard_on is not None and today - heard_on > REPORT_WITHIN
    late = Lateness(
        heard_on if is_silent else None,
        tuple(one for one in milestones if not one.completed and one.due_on < today),
    )
    return late if is_silent or late.overdue else None


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
