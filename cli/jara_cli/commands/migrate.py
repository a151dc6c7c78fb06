"""``jara migrate``: the schema of this version."""

from __future__ import annotations

import typer

from jara.domain.errors import NotFound
from jara.services.operations.upkeep import upgrade
from jara_cli.columns import Column
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note


def command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Upgrade the database to this version's schema; does nothing if it is current.

    \b
    Example:
      jara backup before.db
      jara migrate
    """
    application = open_application(ctx)
    database = application.settings.database_file
    if database is not None and not (database.is_file() and database.stat().st_size):
        # Without keys and a chart of accounts, the organisation would be incomplete.
        raise NotFound(f"There is no database {database}; `jara init` creates one.")
    steps = upgrade(application.context)
    emit(
        {"database": application.settings.database_name, "steps": steps},
        as_json=as_json,
        columns=[Column("database", "Database"), Column("steps", "Steps taken")],
    )
    if not steps:
        note("The schema is up to date.")
