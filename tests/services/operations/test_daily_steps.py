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
    """Stand for a step that succeeds."""
    return StepOutcome("Closed 1 vote.", {"closed": 1})


def fail(context: Context) -> StepOutcome:
    """Stand for a step whose outside world is away."""
    raise Unavailable("The provider is away.")


def crash(context: Context) -> StepOutcome:
    """Stand for a step with a defect."""
    raise ZeroDivisionError("oops")


def complain(context: Context) -> StepOutcome:
    """Stand for a step that finds something wrong."""
    return StepOutcome("2 findings.", {"findings": 2}, ok=False)


def test_each_step_has_its_turn(place: Path) -> None:
    """Whatever a step meets, the next one is done, and each says what it did."""
    context = make_organisation(place)
    assert None is last_run(context)

    results = run_daily(
        context,
        [Step("a", fail), Step("b", crash), Step("c", complain), Step("d", work_well)],
    )

    assert [
        StepResult("a", ok=False, message="The provider is away.", counts={}),
        StepResult("b", ok=False, message="ZeroDivisionError: oops (a defect of Jara)", counts={}),
        StepResult("c", ok=False, message="2 findings.", counts={"findings": 2}),
        StepResult("d", ok=True, message="Closed 1 vote.", counts={"closed": 1}),
    ] == results
    assert LastRun(context.now(), ("a", "b", "c")) == last_run(context)


def test_a_day_without_failures_is_noted(place: Path) -> None:
    """The doctor learns when the daily run was made, and that it went well."""
    context = make_organisation(place)

    run_daily(context, [Step("d", work_well)])

    assert LastRun(context.now(), ()) == last_run(context)
