"""The steps of a project: what each costs, and when its money may be paid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from jara.domain.errors import Conflict, NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    """A step of a project.

    Args:
        id: names it within the project.
        title: what is done.
        due_on: the day it is planned for.
        cost_cents: the tranche that pays for it; 0 where nothing is to pay.
        completed_on: the day it was done; a dated fact, so that old reports stay true.
    """

    id: str
    title: str
    due_on: date
    cost_cents: int
    completed_on: date | None = None

    @property
    def completed(self) -> bool:
        """Whether it is done."""
        return self.completed_on is not None

    def was_completed(self, on: date) -> bool:
        """Tell whether it was done by the end of a day."""
        return self.completed_on is not None and self.completed_on <= on


@dataclass(frozen=True, slots=True)
class Progress:
    """How many milestones are done, of how many."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """Whole percent, rounded down, so that 100 means all of it; 0 without milestones."""
        return self.done * 100 // self.total if self.total else 0


def measure_progress(milestones: Iterable[Milestone], *, on: date | None = None) -> Progress:
    """Count the milestones that are done, now or by the end of an earlier day."""
    done = [m.completed if on is None else m.was_completed(on) for m in milestones]
    return Progress(done=sum(done), total=len(done))


def unlocked_milestones(milestones: Sequence[Milestone]) -> tuple[Milestone, ...]:
    """Return those whose tranche may be paid: the completed ones and the one after them.

    A milestone pays after all before it are complete, in the order of the list.
    """
    for place, milestone in enumerate(milestones):
        if not milestone.completed:
            return tuple(milestones[: place + 1])
    return tuple(milestones)


def require_unlocked(milestones: Sequence[Milestone], milestone_id: str) -> Milestone:
    """Return the milestone if its tranche may be paid.

    Raises:
        NotFound: the project has no such milestone.
        Conflict: one before it is not complete.
    """
    wanted = find_milestone(milestones, milestone_id)
    unlocked = unlocked_milestones(milestones)
    if wanted not in unlocked:
        raise Conflict(
            f"The milestone '{wanted.title}' is paid after '{unlocked[-1].title}' is complete."
        )
    return wanted


def unlocked_cents(milestones: Sequence[Milestone]) -> int | None:
    """Return what the unlocked tranches come to; None where no step has a price."""
    if not any(milestone.cost_cents for milestone in milestones):
        return None
    return sum(milestone.cost_cents for milestone in unlocked_milestones(milestones))


def share_payments(milestones: Sequence[Milestone], paid_cents: int) -> tuple[int, ...]:
    """Return what each step has got of the payments; the first unpaid tranche is filled first."""
    shares = []
    for milestone in milestones:
        share = max(0, min(milestone.cost_cents, paid_cents))
        shares.append(share)
        paid_cents -= share
    return tuple(shares)


def complete_milestone(
    milestones: Sequence[Milestone], milestone_id: str, *, on: date
) -> tuple[Milestone, ...]:
    """Return the milestones with this one done on that day; done already, it stays so.

    Raises:
        NotFound: the project has no such milestone.
    """
    wanted = find_milestone(milestones, milestone_id)
    done = wanted if wanted.completed else replace(wanted, completed_on=on)
    return tuple(done if m.id == milestone_id else m for m in milestones)


def find_milestone(milestones: Iterable[Milestone], milestone_id: str) -> Milestone:
    """Return the milestone of that id.

    Raises:
        NotFound: there is none.
    """
    for milestone in milestones:
        if milestone.id == milestone_id:
            return milestone
    raise NotFound(f"The project has no milestone '{milestone_id}'.")
