"""``jara doctor``: check the installation."""

from __future__ import annotations

import os
from typing import Any

import typer
from pydantic import SecretStr

from jara.config.settings import SETTING_NAMES, Settings, variable_of
from jara.services.operations.diagnosis import diagnose, is_well
from jara.services.operations.payment_account import diagnose_account
from jara_cli.columns import Column, Kind
from jara_cli.context import config_path, open_application, reopening
from jara_cli.environment import inspect_environment
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag
from jara_cli.output import emit
from jara_cli.progress import show_rows


def command(ctx: typer.Context, as_json: JsonFlag = False) -> int:
    """Check the installation and show every setting with its source.

    Exits with 1 if there is an error; warnings do not count. Only entries since the last complete
    verification, by `jara ledger verify` or `jara run daily`, are checked in full.

    \b
    Examples:
      jara doctor
      jara doctor --json
    """
    application = open_application(ctx, any_mode=True)
    environment = inspect_environment(application.settings, os.environ, config_path(ctx))
    with show_rows("Checking the books") as progress:
        results = diagnose(
            application.context, environment._replace(progress=progress, reopen=reopening(ctx))
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
            Column("value", "Value", Kind.SENTENCE),
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
                Column("message", "What was seen", Kind.SENTENCE),
            ],
            rows=checks,
        )
    return ExitCode.DONE if document["ok"] else ExitCode.NO


def _list_settings(settings: Settings) -> list[dict[str, Any]]:
    """List every setting; for a secret, only whether it is set."""
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
                "value": _spell(value),
                "source": settings.sources.get(name, "default"),
            }
        )
    return rows


def _spell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()  # as written in jara.toml
    if isinstance(value, tuple | list | frozenset):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
