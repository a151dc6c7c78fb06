"""``jara backup``: copy the whole database to one file, even while it is in use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap.keys import encryption_for
from jara.domain.errors import Conflict
from jara.domain.progress import no_progress
from jara.services.operations.backups import BackupFacts, make_backup
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note
from jara_cli.progress import show_rows


def command(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="New file to write.")],
    secrets: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write the keys to this file; store it separately."),
    ] = None,
    to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGE1…", help="Encrypt to this age recipient; may be given several times."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Copy the database to one file while it is in use.

    The file is an SQLite database and can be restored into SQLite or PostgreSQL. With --to
    (default: JARA_BACKUP_TO)
    both files are encrypted with age, and only a recipient's identity can restore them: keep it
    off this machine.
    Ballot keys are never in a backup, and are destroyed 14 days after the vote. After a restore,
    a vote that was open can only be withdrawn.

    \b
    Examples:
      jara backup 2026-11-20.db
      jara backup 2026-11-20.db --secrets /media/safe/jara.keys
      jara backup 2026-11-20.db.age --to "$AGE_RECIPIENT" --to "$OTHER_RECIPIENT"
    """
    application = open_application(ctx, any_mode=True)
    if secrets is not None and Path(secrets).exists():
        raise Conflict(f"'{secrets}' exists already; nothing was changed.")
    encryption = encryption_for(to or application.settings.backup_to)
    target = Path(file).absolute()
    with show_rows("Copying") as progress:
        facts = make_backup(
            application.context, target, encryption=encryption, progress=progress or no_progress
        )
    if secrets is not None:
        application.secrets.export(
            Path(secrets).absolute(), encrypt=encryption.encrypt if encryption else None
        )
    _report(facts, secrets, is_encrypted=encryption is not None, as_json=as_json)


def _report(facts: BackupFacts, secrets: str | None, *, is_encrypted: bool, as_json: bool) -> None:
    emit(
        {
            "file": str(facts.file),
            "secrets": secrets,
            "encrypted": is_encrypted,
            "bytes": facts.size_bytes,
            "size": facts.log_size,
            "root": facts.root,
        },
        as_json=as_json,
        columns=[
            Column("file", "Backup"),
            Column("secrets", "Secrets"),
            Column("encrypted", "Encrypted"),
            Column("bytes", "Bytes", Kind.COUNT),
            Column("size", "Log size", Kind.COUNT),
            Column("root", "Root"),
        ],
    )
    if not is_encrypted:
        note("The backup is not encrypted, and it contains personal data; --to age1… encrypts it.")
    if secrets is None:
        note("The backup does not contain the keys; --secrets FILE writes them.")
