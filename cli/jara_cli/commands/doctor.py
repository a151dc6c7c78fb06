"""``jara doctor``: is this installation well?"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import typer

from jara_cli.context import config_path, open_application
from jara_cli.environment import inspect_environment
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag
from jara_cli.output import Column, emit

if TYPE_CHECKING:
    from jara.config.settings import Settings


def command(ctx: typer.Context, as_json: JsonFlag = False) -> int:
    """Check the installation and show every setting with its source.

    The exit status is 1 when something is wrong; a warning leaves it 0.

    \b
    Examples:
      jara doctor
      jara doctor --json
    """
    from jara.services.operations.diagnosis import diagnose, is_well
    from jara.services.operations.payment_account import diagnose_account

    application = open_application(ctx)
    results = diagnose(
        application.context, inspect_environment(application.settings, os.environ, config_path(ctx))
    )
    if application.live is not None:
        results += diagnose_account(application.context, application.live.account)
    checks = [
        {"name": r.name, "ok": r.ok, "level": r.level.value, "message": r.message} for r in results
    ]
    settings = _list_settings(application.settings)
    document = {"ok": is_well(results), "checks": checks, "settings": settings}
    emit(
        document,
        as_json=as_json,
        columns=[
            Column("variable", "Setting"),
            Column("value", "Value"),
            Column("source", "From"),
        ],
        rows=settings,
    )
    if not as_json:
        emit(
            document,
            as_json=False,
            columns=[
                Column("name", "Check"),
                Column("level", "Level"),
                Column("message", "What was seen"),
            ],
            rows=checks,
        )
    return ExitCode.DONE if document["ok"] else ExitCode.NO


def _list_settings(settings: Settings) -> list[dict[str, Any]]:
    """Show every setting; of a secret only that there is one."""
    from pydantic import SecretStr

    from jara.config.settings import SETTING_NAMES, variable_of

    rows = []
    for name in SETTING_NAMES:
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            value = "(set)"
        elif hasattr(value, "seconds"):
            value = f"{value.count} in {value.seconds} s"
        elif name == "database_url" and settings.database_file is None:
            value = settings.database_name
        rows.append(
            {
                "variable": variable_of(name),
                "value": "" if value in (None, ()) else str(value),
                "source": settings.sources.get(name, "default"),
            }
        )
    return rows
