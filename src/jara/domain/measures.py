"""Measures of a project: what a vote was promised, what was measured, and what a unit cost."""

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import NotFound

Number = int | float
"""A value with at most three decimals."""


class Measure(NamedTuple):
    """What a project is to change, as its proposal says."""

    id: str  # its id within the project
    name: str  # what is counted, such as ``Households within 400 m of clean water``
    unit: str  # the unit, such as ``households``; may be empty
    baseline: Number  # the value before the project
    target: Number  # the value it is to reach; below the baseline where less is better
    due_on: date  # the last day for it
    has_unit_cost: bool = True
    """Whether the money buys units, as with taps; not so with minutes of a walk."""


class Measurement(NamedTuple):
    """A value that was measured on a day, and how."""

    measure: str
    value: Number
    measured_on: date
    note: str = ""


class MeasureState(StrEnum):
    """What became of a measure.

    It is overdue when its day has passed, and nothing was measured since that reaches or misses it.
    """

    OPEN = "open"
    REACHED = "reached"
    MISSED = "missed"
    OVERDUE = "overdue"


class MeasuredResult(NamedTuple):
    """A measure beside its newest value.

    ``cost_per_unit_cents`` is what the project was paid, divided by the change since the baseline.
    It is None while the change towards the target is less than one unit, where one unit cost less
    than a cent, and where the measure has no such cost.
    """

    id: str
    name: str
    unit: str
    baseline: Number
    target: Number
    due_on: date
    actual: Number | None
    measured_on: date | None
    state: MeasureState
    cost_per_unit_cents: int | None
    note: str = ""


def compare_measures(
    measures: Iterable[Measure], measurements: Iterable[Measurement], *, paid_cents: int, on: date
) -> tuple[MeasuredResult, ...]:
    """Compare each measure with the newest value that was measured by a day."""
    newest: dict[str, Measurement] = {}
    for one in sorted(measurements, key=lambda one: one.measured_on):
        if one.measured_on <= on:
            newest[one.measure] = one
    return tuple(
        _compare(measure, newest.get(measure.id), paid_cents=paid_cents, on=on)
        for measure in measures
    )


def find_measure(measures: Sequence[Measure], measure_id: str) -> Measure:
    """Return the measure with an id.

    Raises:
        NotFound: there is none.
    """
    for measure in measures:
        if measure.id == measure_id:
            return measure
    known = ", ".join(measure.id for measure in measures) or "none yet"
    raise NotFound(f"The project has no measure '{measure_id}'; its measures: {known}.")


def _compare(
    measure: Measure, newest: Measurement | None, *, paid_cents: int, on: date
) -> MeasuredResult:
    return MeasuredResult(
        measure.id,
        measure.name,
        measure.unit,
        measure.baseline,
        measure.target,
        measure.due_on,
        actual=None if newest is None else newest.value,
        measured_on=None if newest is None else newest.measured_on,
        state=_state(measure, newest, on),
        cost_per_unit_cents=_unit_cost(measure, newest, paid_cents),
        note="" if newest is None else newest.note,
    )


def _unit_cost(measure: Measure, newest: Measurement | None, paid_cents: int) -> int | None:
    if newest is None or not measure.has_unit_cost:
        return None
    change = newest.value - measure.baseline
    gain = change if measure.target >= measure.baseline else -change
    cents = round(paid_cents / gain) if gain >= 1 else 0
    return cents if cents > 0 else None


def _state(measure: Measure, newest: Measurement | None, on: date) -> MeasureState:
    if newest is not None and _reaches(measure, newest.value):
        return MeasureState.REACHED
    if on <= measure.due_on:
        return MeasureState.OPEN
    is_final = newest is not None and newest.measured_on >= measure.due_on
    return MeasureState.MISSED if is_final else MeasureState.OVERDUE


def _reaches(measure: Measure, value: Number) -> bool:
    if measure.target >= measure.baseline:
        return value >= measure.target
    return value <= measure.target
