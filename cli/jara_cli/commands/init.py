"""``jara init``: create an organisation."""

from __future__ import annotations

import typer

from jara.bootstrap import Application
from jara.bootstrap.organisation import initialise, log_name
from jara.services.operations.upkeep import record_creation
from jara_cli.columns import Column
from jara_cli.verbs import Answer, verb

app = typer.Typer()


@verb(
    app,
    Column("database", "Database"),
    Column("secrets", "Secrets"),
    Column("log", "Public log"),
    name="init",
)
def command(application: Application) -> Answer:
    """Create the database, secrets, fund policy and chart of accounts.

    An existing organisation is never touched. If a step fails, nothing is left
    behind; after a crash, run it again.

    \b
    Example:
      jara init
    """
    initialise(application)
    record_creation(application.context)
    settings = application.settings
    then = "jara seed, " if settings.payment_mode.is_sandbox else ""
    return Answer(
        {
            "database": settings.database_name,
            "secrets": str(settings.secrets_dir),
            "log": log_name(settings.site_url),
        },
        notes=[
            "Keep the secrets folder apart from backups.",
            f"Next: {then}jara operators add NAME --key FILE",
        ],
    )
