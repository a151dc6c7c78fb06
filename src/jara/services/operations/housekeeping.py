"""The daily run: steps that do not depend on each other's success.

Whatever one of them meets, the others have their turn; each may be done twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from jara.domain.errors import JaraError
from jara.services.audit import SCHEDULER
from jara.services.context import Context

LAST_RUN = "daily.last_run"


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What a step did: a sentence, and figures for a script."""

    message: str
    counts: Mapping[str, int] = field(default_factory=dict)
    ok: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """A piece of the daily work under its name."""

    name: str
    run: Callable[[Context], StepOutcome]


@dataclass(frozen=True, slots=True)
class StepResult:
    """One line of the daily run."""

    step: str
    ok: bool
    message: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LastRun:
    """When the daily run was made last, and which steps failed."""

    at: datetime
    failed: tuple[str, ...]


def run_daily(context: Context, steps: Iterable[Step]) -> list[StepResult]:
    """Do each step, in the scheduler's name, and note that the day's work was done."""
    scheduled = replace(context, operator=SCHEDULER)
    results = [_run(scheduled, step) for step in steps]
    failed = [result.step for result in results if not result.ok]
    with context.store.write() as work:
        work.meta.put(LAST_RUN, json.dumps({"at": context.now().isoformat(), "failed": failed}))
    return results


def last_run(context: Context) -> LastRun | None:
    """Return when the daily run was made last; None before the first."""
    with context.store.read() as work:
        text = work.meta.get(LAST_RUN)
    if text is None:
        return None
    document = json.loads(text)
    return LastRun(datetime.fromisoformat(document["at"]), tuple(document["failed"]))


def _run(context: Context, step: Step) -> StepResult:
    try:
        outcome = step.run(context)
    except JaraError as error:
        return StepResult(step.name, ok=False, message=error.message, counts={})
    except Exception as error:  # noqa: BLE001 - a defect in one step must not stop the others
        message = f"{type(error).__name__}: {error} (a defect of Jara)"
        return StepResult(step.name, ok=False, message=message, counts={})
    return StepResult(step.name, outcome.ok, outcome.message, outcome.counts)
