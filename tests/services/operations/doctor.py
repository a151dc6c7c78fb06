"""Runs the doctor in tests, and reads its results."""

from collections.abc import Sequence
from dataclasses import dataclass

from jara.services.context import Context
from jara.services.operations.diagnosis import diagnose
from jara.services.operations.diagnosis_setup import CheckResult, Environment, Level

WELL = Environment(free_bytes=10**10, has_pdf=True, sends_mail=True)


@dataclass(frozen=True)
class LiveGateway:
    """A gateway that is not the sandbox."""

    name: str = "stripe"


def look(context: Context, around: Environment = WELL) -> list[CheckResult]:
    """Run the doctor."""
    return diagnose(context, around)


def found(results: Sequence[CheckResult], name: str) -> tuple[Level, str]:
    """Return the most severe result of a check."""
    order = [Level.ERROR, Level.WARNING, Level.OK]
    answers = sorted(
        (result for result in results if result.name == name),
        key=lambda result: order.index(result.level),
    )
    assert answers, f"no check '{name}' was made"
    return answers[0].level, answers[0].message
