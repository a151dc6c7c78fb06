"""``jara run``: tasks for a scheduler."""

import typer

from jara.bootstrap import Application
from jara.bootstrap.emails import mail_sender
from jara.bootstrap.serving import require_own_account
from jara.files.publiclog.tile_folder import TileFolder
from jara.services.operations.daily_run import daily_steps, run_daily, tiles_step, witness_step
from jara_cli.columns import Column, Kind
from jara_cli.context import reopening
from jara_cli.output import counted, show_progress
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)


@verb(
    app,
    Column("step", "Step"),
    Column("ok", "Done"),
    Column("message", "What was done", Kind.SENTENCE),
)
def daily(application: Application, ctx: typer.Context) -> Answer:
    """Run the daily tasks: charges, votes, emails, checkpoint; safe to run twice.

    A step that fails does not stop the others; the exit code is then 1.

    Example: jara run daily
    """
    require_own_account(application)
    steps = daily_steps(
        clockwork=application.sandbox_gateway,
        sender=mail_sender(application.context, application.settings),
        events=application.live.events if application.live else None,
        reopen=reopening(ctx),
        sends_mail=application.settings.smtp_url is not None,
    )
    steps.append(witness_step())
    if (folder := application.settings.tiles_dir) is not None:
        steps.append(tiles_step(TileFolder(folder).write))
    with show_progress("Daily run", total=len(steps)) as advance:
        results = run_daily(application.context, counted(steps, advance, at_once=1))
    return Answer(results, ok=all(result.ok for result in results))
