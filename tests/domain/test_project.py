"""Projects: milestones and their payments, measures and their cost of one."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain import projects
from jara.domain.content.fields import Document, Field, Form, normalise, parse_number
from jara.domain.content.kinds import PROJECTS, kind_of
from jara.domain.content.schema import MEASURE, measured_results, measures_of
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.measures import (
    Measure,
    MeasuredResult,
    Measurement,
    MeasureState,
    compare_measures,
)
from jara.domain.projects import Milestone, Progress, ProjectStatus

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
    percent = projects.progress_percent(_milestones(*done), status=status, stated_percent=stated)

    assert percent == expected


def test_progress_of_an_earlier_day_is_known() -> None:
    """A report of an earlier day counts the milestones completed by that day."""
    first, second, third = _milestones(True, True, False)
    milestones = [first, second._replace(completed_on=DAY + timedelta(days=1)), third]

    assert projects.measure_progress(milestones) == Progress(2, 3)
    assert projects.measure_progress(milestones, on=DAY) == Progress(1, 3)
    assert projects.measure_progress(milestones, on=DAY - timedelta(days=1)).percent == 0
    assert projects.measure_progress([]).percent == 0


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
    assert [m.id for m in projects.unlocked_milestones(_milestones(*done))] == unlocked


def test_a_locked_milestone_names_the_unfinished_one() -> None:
    """A refused payment says which milestone has to be completed first."""
    milestones = _milestones(True, False, False)

    assert milestones[1] == projects.require_unlocked(milestones, "m1")
    with pytest.raises(Conflict, match="'Step 2' is paid after 'Step 1' is complete"):
        projects.require_unlocked(milestones, "m2")


def test_completing_a_milestone_keeps_its_first_day() -> None:
    """Completing a milestone again keeps its first day."""
    later = DAY + timedelta(days=5)
    milestones = projects.complete_milestone(_milestones(True, False), "m1", on=later)

    assert [m.completed_on for m in milestones] == [DAY, later]
    assert projects.complete_milestone(milestones, "m0", on=later) == milestones


def test_unknown_milestone_is_not_found() -> None:
    """A milestone of another project is not found."""
    with pytest.raises(NotFound, match="'m9'"):
        projects.complete_milestone(_milestones(False), "m9", on=date(2026, 5, 1))


@given(st.lists(st.booleans(), max_size=8))
def test_exactly_the_next_incomplete_milestone_is_unlocked(done: list[bool]) -> None:
    """Beyond the completed ones at the beginning, at most one milestone may be paid."""
    unlocked = projects.unlocked_milestones(_milestones(*done))

    assert all(m.completed for m in unlocked[:-1])
    assert len(unlocked) == len(done) or not unlocked[-1].completed


@pytest.mark.parametrize(
    ("done", "unlocked"),
    [((), None), ((False, False), 100_000), ((True, False), 200_000), ((True, True), 200_000)],
)
def test_tranches_unlock_one_after_another(done: tuple[bool, ...], unlocked: int | None) -> None:
    """Completed steps and the next one may be paid; without prices, no amount is given."""
    assert projects.unlocked_cents(_milestones(*done)) == unlocked
    free = [milestone._replace(cost_cents=0) for milestone in _milestones(*done)]
    assert projects.unlocked_cents(free) is None


@given(st.lists(st.booleans(), max_size=6), st.integers(-50_000, 800_000))
def test_payments_fill_the_tranches_in_order(done: list[bool], paid: int) -> None:
    """Law: no step gets more than its price, and each is filled before the next."""
    milestones = _milestones(*done)
    shares = projects.share_payments(milestones, paid)

    assert min(max(paid, 0), 100_000 * len(done)) == sum(shares)
    assert sorted(shares, reverse=True) == list(shares)
    assert all(0 <= share <= 100_000 for share in shares)


DUE = date(2026, 12, 31)
HOMES = Measure("homes", "Homes with water", "homes", 10, 110, DUE)
WALK = Measure("walk", "Walk for water", "minutes", 190, 15, DUE)

values = st.integers(-1000, 1000) | st.decimals(-1000, 1000, places=3).map(float)
days = st.integers(-400, 400).map(lambda n: DUE + timedelta(days=n))


def compare(measure: Measure, *measured: Measurement, paid: int = 0, on: date) -> MeasuredResult:
    """Return one measure beside its newest value."""
    (result,) = compare_measures([measure], measured, paid_cents=paid, on=on)
    return result


@pytest.mark.parametrize(
    ("measure", "value", "measured_on", "on", "state"),
    [
        (HOMES, None, None, DUE, MeasureState.OPEN),
        (HOMES, None, None, DUE + timedelta(days=1), MeasureState.OVERDUE),
        (HOMES, 110, DUE - timedelta(days=90), DUE, MeasureState.REACHED),
        (HOMES, 109, DUE - timedelta(days=1), DUE + timedelta(days=1), MeasureState.OVERDUE),
        (HOMES, 109, DUE, DUE + timedelta(days=1), MeasureState.MISSED),
        (HOMES, 109, DUE, DUE, MeasureState.OPEN),
        (WALK, 15, DUE, DUE + timedelta(days=1), MeasureState.REACHED),
        (WALK, 15.5, DUE, DUE + timedelta(days=1), MeasureState.MISSED),
    ],
)
def test_a_measure_is_open_reached_missed_or_overdue(
    measure: Measure, value: float | None, measured_on: date | None, on: date, state: MeasureState
) -> None:
    """A value of the last day or later is final; less is better where the target is lower."""
    measured = (
        []
        if value is None or measured_on is None
        else [Measurement(measure.id, value, measured_on)]
    )

    assert compare(measure, *measured, on=on).state is state


def test_the_unit_cost_is_the_amount_paid_divided_by_the_change() -> None:
    """Without a change towards the target there is no cost of one."""
    half = Measurement("homes", 60, DUE)
    worse = Measurement("homes", 5, DUE)

    assert compare(HOMES, half, paid=100_000, on=DUE).cost_per_unit_cents == 2000
    assert compare(HOMES, worse, paid=100_000, on=DUE).cost_per_unit_cents is None
    assert compare(HOMES, half, paid=0, on=DUE).cost_per_unit_cents is None
    assert compare(HOMES, paid=100_000, on=DUE).cost_per_unit_cents is None
    shorter = Measurement("walk", 90, DUE)
    assert compare(WALK, shorter, paid=100_000, on=DUE).cost_per_unit_cents == 1000


def test_a_cost_of_one_that_says_nothing_is_not_given() -> None:
    """Less than one unit, less than a cent for one, and what the measure itself excludes."""
    part = Measurement("homes", 10.5, DUE)
    litres = Measure("litres", "Water a year", "litres", 0, 9_000_000, DUE)
    flowing = Measurement("litres", 9_000_000, DUE)
    shorter = Measurement("walk", 90, DUE)
    no_cost = WALK._replace(has_unit_cost=False)

    assert compare(HOMES, part, paid=100_000, on=DUE).cost_per_unit_cents is None
    assert compare(litres, flowing, paid=40_000, on=DUE).cost_per_unit_cents is None
    assert compare(no_cost, shorter, paid=100_000, on=DUE).cost_per_unit_cents is None


def test_the_note_of_the_newest_value_is_shown_with_it() -> None:
    """How it was measured belongs to the value."""
    first = Measurement("homes", 20, DUE - timedelta(days=9), "Asked")
    last = Measurement("homes", 60, DUE, "Counted")

    assert compare(HOMES, last, first, on=DUE).note == "Counted"
    assert compare(HOMES, on=DUE).note == ""


@given(st.lists(st.tuples(values, days), max_size=6), days)
def test_the_newest_value_by_the_day_counts(measured: list[tuple[float, date]], on: date) -> None:
    """Later values change no earlier comparison, so old reports stay as they were."""
    measurements = [Measurement("homes", value, day) for value, day in measured]
    known = [one for one in measurements if one.measured_on <= on]

    result = compare(HOMES, *measurements, on=on)

    assert result == compare(HOMES, *known, on=on)
    if known:
        last = max(one.measured_on for one in known)
        assert result.measured_on == last
        assert result.actual in {one.value for one in known if one.measured_on == last}
    else:
        assert (result.actual, result.measured_on) == (None, None)


@given(values)
def test_numbers_are_read_as_they_are_written(value: float) -> None:
    """Checking a value twice changes nothing; the command line reads what it prints."""
    field = Field("value", Form.NUMBER)
    once = normalise("measure", [field], {"value": value})

    assert once == normalise("measure", [field], once)
    assert once["value"] == value
    assert normalise("measure", [field], {"value": f"{value}"}) == once
    assert parse_number("The value", f"{value}") == value


@pytest.mark.parametrize("value", [True, "12,5", None, 1.2345, float("nan"), float("inf"), 10**12])
def test_an_invalid_number_is_refused(value: object) -> None:
    """The error names the value."""
    with pytest.raises(InvalidInput, match="target"):
        normalise("measure", MEASURE, {"name": "Homes", "target": value, "by": "2026-12-31"})


@pytest.mark.parametrize("text", ["", "1,5", "1e3", "0x10", "1.2345", "٣", "--2", "9" * 13])
def test_an_invalid_number_on_the_command_line_is_refused(text: str) -> None:
    """The error names the value and shows how to write one."""
    with pytest.raises(InvalidInput, match="write a number with at most 3 decimals"):
        parse_number("The value", text)


PROJECT: Document = {
    "title": "Wells",
    "status": "In Progress",
    "category": "water",
    "measures": [{"name": "Homes with water", "target": 110, "by": "2026-12-31"}],
}


def test_a_measure_gets_its_id_from_its_name() -> None:
    """The baseline is 0 and the unit empty where the file says none."""
    document = kind_of(PROJECTS).complete(PROJECT)

    assert measures_of(document) == (
        Measure("homes-with-water", "Homes with water", "", 0, 110, DUE),
    )


def test_a_value_belongs_to_a_measure_of_its_project() -> None:
    """The error names the measures that there are."""
    strange = {"measure": "litres", "value": 3, "date": "2026-11-01"}

    with pytest.raises(InvalidInput, match="'litres'; its measures are: homes-with-water"):
        kind_of(PROJECTS).complete({**PROJECT, "measurements": [strange]})


def test_two_measures_have_two_ids() -> None:
    """A project's measures have different ids."""
    with pytest.raises(InvalidInput, match="Two measures have the id 'homes-with-water'"):
        kind_of(PROJECTS).complete({**PROJECT, "measures": PROJECT["measures"] * 2})


def test_a_project_without_measures_has_no_results() -> None:
    """Documents of earlier versions have neither key."""
    assert measured_results({}, paid_cents=5, on=DUE) == ()
