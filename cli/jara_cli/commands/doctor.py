"""``jara doctor``: check the installation."""

import os
import shutil
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from pydantic import SecretStr

from jara.bootstrap import Application
from jara.bootstrap.emails import ask_sender_domain
from jara.bootstrap.serving import environment_of
from jara.config.loading import unknown_variables
from jara.config.settings import SETTING_NAMES, Settings, variable_of
from jara.documents import Document
from jara.services.operations.diagnosis import diagnose, is_well
from jara.services.operations.diagnosis_setup import (
    CheckResult,
    Environment,
    Level,
    check_sender_domain,
)
from jara.services.operations.payment_account import diagnose_account
from jara_cli.columns import Column, Kind
from jara_cli.context import config_path, reopening
from jara_cli.options import flag
from jara_cli.output import show_rows
from jara_cli.verbs import Answer, Table, verb

app = typer.Typer()

CHECKS = [
    Column("name", "Check"),
    Column("level", "Level"),
    Column("message", "What was seen", Kind.SENTENCE),
]
_WORST_FIRST = (Level.ERROR, Level.WARNING, Level.OK)
_SETTINGS = [
    Column("variable", "Setting"),
    Column("value", "Value", Kind.SENTENCE),
    Column("source", "From"),
]


@verb(app, *CHECKS, name="doctor", any_mode=True)
def command(
    application: Application,
    ctx: typer.Context,
    settings: Annotated[
        bool, flag("--settings", "Show every setting with its source, too.")
    ] = False,
) -> Answer:
    """Check the installation: errors first, then warnings, then what is well.

    Exits with 1 if there is an error; warnings do not count. Only entries since the last complete
    verification, by `jara ledger verify` or `jara run daily`, are checked in full. With a mail
    server, DNS is asked for SPF, DKIM, DMARC and MX of the sender's domain.

    Examples:
      jara doctor
      jara doctor --settings
      jara doctor --json
    """
    environment = _inspect_environment(application.settings, os.environ, config_path(ctx))
    with show_rows("Checking the books") as progress:
        results = diagnose(
            application.context, environment._replace(progress=progress, reopen=reopening(ctx))
        )
    if application.live is not None:
        results += diagnose_account(application.context, application.live.account)
    if (domain := ask_sender_domain(application.settings)) is not None:
        results += check_sender_domain(domain)
    values = _list_settings(application.settings)
    checks = check_documents(results)
    return Answer(
        {"ok": is_well(results), "checks": checks, "settings": values},
        view=checks,
        tables=[Table("Settings", values, _SETTINGS)] if settings else (),
        ok=is_well(results),
    )


def check_documents(results: Iterable[CheckResult]) -> list[Document]:
    """Return checks as ``--json`` shows them, the worst first."""
    return [
        {"name": one.name, "ok": one.ok, "level": one.level, "message": one.message}
        for one in sorted(results, key=lambda one: _WORST_FIRST.index(one.level))
    ]


def _list_settings(settings: Settings) -> list[Document]:
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


def _inspect_environment(
    settings: Settings, environ: Mapping[str, str], config: Path | None
) -> Environment:
    """Gather facts that the doctor cannot get from a port."""
    file = settings.database_file
    return environment_of(settings)._replace(
        unknown_variables=unknown_variables(environ),
        free_bytes=None if file is None else _free_beside(file),
        has_pdf=find_spec("typst") is not None,
        media_problem=_media_problem(settings.media_dir),
        media_folder=settings.media_dir,
        exposed_settings=_exposed_settings(settings, config or Path("jara.toml")),
    )


def _media_problem(folder: Path) -> str:
    """Return why the media folder cannot be written; it is created with the first photo."""
    place = folder if folder.exists() else folder.parent
    if not place.is_dir():
        return f"The media folder '{folder}' is a file, or its parent folder is missing."
    if not os.access(place, os.W_OK | os.X_OK):
        return f"The media folder '{folder}' cannot be written by this user."
    return ""


def _exposed_settings(settings: Settings, config: Path) -> str:
    """Return the settings file if it contains keys and every user can read it."""
    holds_keys = any(
        isinstance(getattr(settings, name, None), SecretStr) and source == config.name
        for name, source in settings.sources.items()
    )
    return str(config) if holds_keys and config.stat().st_mode & 0o004 else ""


def _free_beside(file: Path) -> int:
    return shutil.disk_usage(file.parent if file.parent.is_dir() else Path.cwd()).free
