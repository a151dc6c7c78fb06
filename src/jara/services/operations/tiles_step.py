"""The step of the daily run that writes the public log as static files."""

from __future__ import annotations

from functools import partial

from jara.services.context import Context
from jara.services.operations.daily_run import Step, StepOutcome
from jara.services.publiclog.tiles import WriteFiles, publish_files


def tiles_step(write: WriteFiles) -> Step:
    """Return the step; it comes after the day's checkpoint."""
    return Step("tiles", partial(_write_files, write=write))


def _write_files(context: Context, *, write: WriteFiles) -> StepOutcome:
    done = publish_files(context, write)
    return StepOutcome(
        f"{done.tiles} tiles and {done.pages} pages of leaves are new.",
        {"size": done.size, "tiles": done.tiles, "pages": done.pages},
    )
