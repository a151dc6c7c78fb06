"""The step of the daily run that shows the log to its witnesses."""

from __future__ import annotations

from jara.services.context import Context
from jara.services.operations.daily_run import Step, StepOutcome
from jara.services.publiclog.offering import offer_checkpoint


def witness_step() -> Step:
    """Return the step; it comes after the day's checkpoint."""
    return Step("witnesses", _ask_witnesses)


def _ask_witnesses(context: Context) -> StepOutcome:
    """Offer the checkpoint; a missing signature is shown elsewhere, and is no failure."""
    standing = offer_checkpoint(context)
    if standing is None:
        return StepOutcome("No witnesses are chosen.", {"seen": 0, "witnesses": 0})
    known = len(standing.sights)
    return StepOutcome(
        f"{standing.seen} of {known} witnesses have seen the log of {standing.size} leaves.",
        {"seen": standing.seen, "witnesses": known},
    )
