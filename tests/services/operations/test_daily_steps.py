"""The daily run: steps that do not stop each other."""

from __future__ import annotations

from pathlib import Path

from jara.domain.errors import Unavailable
from jara.services.context import Context
from jara.services.operations.daily_run import (
    Step,
    StepOutcome,
    StepResult,
    run_daily,
)
from jara.services.operations.last_run import LastRun, last_run
from tests.harness import make_organisation


def work_well(context: Context) -> StepOutcome:
    """A step that succeeds."""
    return StepOutcome("Closed 1 vote.", {"closed": 1})


def fail(context: Context) -> StepOutcome:
    """A step whose external service is down."""
    raise Unavailable("The provider is away.")


def crash(context: Context) -> StepOutcome:
    """A step with a bug."""
    raise ZeroDivisionError("oops")


def complain(context: Context) -> StepOutcome:
    """A step that finds a problem."""
    return StepOutcome("2 findings.", {"findings": 2}, ok=False)


def test_each_step_has_its_turn(place: Path) -> None:
    """Whatever happens in a step, the next one runs, and each has a result."""
    context = make_organisation(place)
    assert None is last_run(context)

    results = run_daily(
        context,
        [Step("a", fail), Step("b", crash), Step("c", complain), Step("d", work_well)],
    )

    assert results == [
        StepResult("a", ok=False, message="The provider is away.", counts={}),
        StepResult("b", ok=False, message="ZeroDivisionError: oops (a defect of Jara)", counts={}),
        StepResult("c", ok=False, message="2 findings.", counts={"findings": 2}),
        StepResult("d", ok=True, message="Closed 1 vote.", counts={"closed": 1}),
    ]
    assert LastRun(context.now(), ("a", "b", "c")) == last_run(context)


def test_a_day_without_failures_is_noted(place: Path) -> None:
    """The doctor sees when the daily run took place and that it succeeded."""
    context = make_organisation(place)

    run_daily(context, [Step("d", work_well)])

    assert LastRun(context.now(), ()) == last_run(context)
