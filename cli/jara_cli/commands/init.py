"""``jara init``: create an organisation."""

from __future__ import annotations

import typer

from jara.bootstrap.organisation import initialise, log_name
from jara.services.operations.upkeep import record_creation
from jara_cli.columns import Column
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note


def command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Create the database, secrets, fund policy and chart of accounts.

    An existing organisation is never touched. If a step fails, nothing is left
    behind; after a crash, run it again.

    \b
    Example:
      jara init
    """
    application = open_application(ctx)
    initialise(application)
    record_creation(application.context)
    settings = application.settings
    emit(
        {
            "database": settings.database_name,
            "secrets": str(settings.secrets_dir),
            "log": log_name(settings.site_url),
        },
        as_json=as_json,
        columns=[
            Column("database", "Database"),
            Column("secrets", "Secrets"),
            Column("log", "Public log"),
        ],
    )
    note("Keep the secrets folder apart from backups.")
    then = "jara seed, " if settings.payment_mode.is_sandbox else ""
    note(f"Next: {then}jara operators add NAME --key FILE")
