"""``jara run``: tasks for a scheduler."""

from __future__ import annotations

import typer

from jara.bootstrap.emails import mail_sender
from jara.bootstrap.serving import require_own_account
from jara.files.publiclog.tile_folder import TileFolder
from jara.services.operations.daily_run import daily_steps, run_daily, tiles_step, witness_step
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application, reopening
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag
from jara_cli.output import emit
from jara_cli.progress import counted, show_progress

app = typer.Typer(no_args_is_help=True)


@app.callback()
def run() -> None:
    """Run the tasks that are due."""


@app.command()
def daily(ctx: typer.Context, as_json: JsonFlag = False) -> int:
    """Run the daily tasks: charges, votes, emails, checkpoint; safe to run twice.

    A step that fails does not stop the others; the exit code is then 1.

    \b
    Example:
      jara run daily
    """
    application = open_application(ctx)
    require_own_account(application)
    steps = daily_steps(
        clockwork=application.sandbox_gateway,
        sender=mail_sender(application.context, application.settings),
        events=application.live.events if application.live else None,
        reopen=reopening(ctx),
    )
    steps.append(witness_step())
    if (folder := application.settings.tiles_dir) is not None:
        steps.append(tiles_step(TileFolder(folder).write))
    with show_progress("Daily run", total=len(steps)) as advance:
        results = run_daily(application.context, counted(steps, advance, at_once=1))
    emit(
        [
            {"step": r.step, "ok": r.ok, "message": r.message, "counts": dict(r.counts)}
            for r in results
        ],
        as_json=as_json,
        columns=[
            Column("step", "Step"),
            Column("ok", "Done"),
            Column("message", "What was done", Kind.SENTENCE),
        ],
    )
    return ExitCode.DONE if all(result.ok for result in results) else ExitCode.NO
