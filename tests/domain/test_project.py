"""Projects, their milestones, and when a milestone is paid."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import Conflict, NotFound
from jara.domain.projects import (
    Milestone,
    Progress,
    ProjectStatus,
    complete_milestone,
    measure_progress,
    progress_percent,
    require_unlocked,
    share_payments,
    unlocked_cents,
    unlocked_milestones,
)

NOON = datetime(2026, 5, 10, 12, tzinfo=UTC)
DAY = NOON.date()


def _milestones(*done: bool) -> tuple[Milestone, ...]:
    return tuple(
        Milestone(
            id=f"m{number}",
            title=f"Step {number}",
            due_on=DAY,
            cost_cents=100_000,
            completed_on=DAY if completed else None,
        )
        for number, completed in enumerate(done)
    )


def test_status_has_the_words_of_the_site() -> None:
    """The three statuses are those of spec §4."""
    assert {str(status) for status in ProjectStatus} == {"Planning", "In Progress", "Complete"}


@pytest.mark.parametrize(
    ("status", "stated", "done", "expected"),
    [
        (ProjectStatus.IN_PROGRESS, None, (True, False, False), 33),
        (ProjectStatus.IN_PROGRESS, 65, (True, True), 100),
        (ProjectStatus.IN_PROGRESS, 65, (), 65),
        (ProjectStatus.IN_PROGRESS, None, (), 0),
        (ProjectStatus.COMPLETE, None, (), 100),
    ],
)
def test_milestones_decide_the_progress(
    status: ProjectStatus, stated: int | None, done: tuple[bool, ...], expected: int
) -> None:
    """Progress is the share of completed milestones, else the operator's figure or the status."""
    percent = progress_percent(_milestones(*done), status=status, stated_percent=stated)

    assert percent == expected


def test_progress_of_an_earlier_day_is_known() -> None:
    """A report of an earlier day counts the milestones completed by that day."""
    first, second, third = _milestones(True, True, False)
    milestones = [first, second._replace(completed_on=DAY + timedelta(days=1)), third]

    assert measure_progress(milestones) == Progress(2, 3)
    assert measure_progress(milestones, on=DAY) == Progress(1, 3)
    assert measure_progress(milestones, on=DAY - timedelta(days=1)).percent == 0
    assert measure_progress([]).percent == 0


@pytest.mark.parametrize(
    ("done", "unlocked"),
    [
        ((), []),
        ((False, False), ["m0"]),
        ((True, False, False), ["m0", "m1"]),
        ((True, True), ["m0", "m1"]),
        ((False, True), ["m0"]),
    ],
)
def test_milestone_pays_after_those_before_it(done: tuple[bool, ...], unlocked: list[str]) -> None:
    """A tranche is unlocked when all earlier milestones are complete."""
    assert [m.id for m in unlocked_milestones(_milestones(*done))] == unlocked


def test_locked_milestone_names_what_is_missing() -> None:
    """A refused payment says which milestone has to be completed first."""
    milestones = _milestones(True, False, False)

    assert milestones[1] == require_unlocked(milestones, "m1")
    with pytest.raises(Conflict, match="'Step 2' is paid after 'Step 1' is complete"):
        require_unlocked(milestones, "m2")


def test_completing_a_milestone_keeps_its_first_day() -> None:
    """Completing a milestone again keeps its first day."""
    later = DAY + timedelta(days=5)
    milestones = complete_milestone(_milestones(True, False), "m1", on=later)

    assert [m.completed_on for m in milestones] == [DAY, later]
    assert complete_milestone(milestones, "m0", on=later) == milestones


def test_unknown_milestone_is_not_found() -> None:
    """A milestone of another project is not found."""
    with pytest.raises(NotFound, match="'m9'"):
        complete_milestone(_milestones(False), "m9", on=date(2026, 5, 1))


@given(st.lists(st.booleans(), max_size=8))
def test_exactly_the_next_incomplete_milestone_is_unlocked(done: list[bool]) -> None:
    """Beyond the completed ones at the beginning, at most one milestone may be paid."""
    unlocked = unlocked_milestones(_milestones(*done))

    assert all(m.completed for m in unlocked[:-1])
    assert len(unlocked) == len(done) or not unlocked[-1].completed


@pytest.mark.parametrize(
    ("done", "unlocked"),
    [((), None), ((False, False), 100_000), ((True, False), 200_000), ((True, True), 200_000)],
)
def test_tranches_unlock_one_after_another(done: tuple[bool, ...], unlocked: int | None) -> None:
    """Completed steps and the next one may be paid; without prices, no amount is given."""
    assert unlocked_cents(_milestones(*done)) == unlocked
    free = [milestone._replace(cost_cents=0) for milestone in _milestones(*done)]
    assert unlocked_cents(free) is None


@given(st.lists(st.booleans(), max_size=6), st.integers(-50_000, 800_000))
def test_payments_fill_the_tranches_in_order(done: list[bool], paid: int) -> None:
    """Law: no step gets more than its price, and each is filled before the next."""
    milestones = _milestones(*done)
    shares = share_payments(milestones, paid)

    assert min(max(paid, 0), 100_000 * len(done)) == sum(shares)
    assert sorted(shares, reverse=True) == list(shares)
    assert all(0 <= share <= 100_000 for share in shares)
