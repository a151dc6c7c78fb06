"""``jara backup``: the whole database in one file, also while it is in use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.domain.errors import Conflict
from jara.services.operations.backups import make_backup
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note


def command(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="New file to write.")],
    secrets: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write the keys to this file; store it separately."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Copy the database to one file while it is in use.

    The file is an SQLite database and can be restored into SQLite or PostgreSQL.
    Backups never contain ballot keys; they are destroyed 14 days after the vote. After
    a restore, a vote that was open can only be withdrawn.

    \b
    Examples:
      jara backup 2026-11-20.db
      jara backup 2026-11-20.db --secrets /media/safe/jara.keys
    """
    application = open_application(ctx, any_mode=True)
    if secrets is not None and Path(secrets).exists():
        raise Conflict(f"'{secrets}' exists already; nothing was changed.")
    facts = make_backup(application.context, Path(file).absolute())
    if secrets is not None:
        application.secrets.export(Path(secrets).absolute())
    emit(
        {
            "file": str(facts.file),
            "secrets": secrets,
            "bytes": facts.size_bytes,
            "size": facts.log_size,
            "root": facts.root,
        },
        as_json=as_json,
        columns=[
            Column("file", "Backup"),
            Column("secrets", "Secrets"),
            Column("bytes", "Bytes", Kind.COUNT),
            Column("size", "Log size", Kind.COUNT),
            Column("root", "Root"),
        ],
    )
    if secrets is None:
        note("The backup does not contain the keys; --secrets FILE writes them.")
