"""``jara restore``: turn a backup into a database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.encryption import Decryption, decryption_with
from jara.bootstrap.transfer import restore_keys, restore_organisation
from jara.domain.errors import Conflict, NotFound
from jara.services.books.verification import verify_and_note
from jara.services.operations.backups import votes_without_key
from jara.services.operations.upkeep import record_restore
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application, reopening
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note
from jara_cli.progress import show_rows


def command(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="File written by jara backup.")],
    secrets: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="File written by jara backup --secrets."),
    ] = None,
    identity: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="File with the age identity of an encrypted backup."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Restore a backup into a new database and verify it.

    \b
    Examples:
      jara restore 2026-11-20.db --secrets /media/safe/jara.keys
      jara --db elsewhere.db restore 2026-11-20.db
      jara restore 2026-11-20.db.age --identity /media/safe/backup.key
      jara --db postgresql://jara@db.example.org/jara restore 2026-11-20.db
    """
    application = open_application(ctx, any_mode=True)
    _require_secrets(application, secrets)
    decryption = decryption_with(identity)
    _restore(application, Path(file), None if secrets is None else Path(secrets), decryption)
    record_restore(application.context, Path(file))
    return _report(ctx, application, as_json=as_json)


def _restore(
    application: Application, file: Path, secrets: Path | None, decryption: Decryption | None
) -> None:
    """Restore keys and database; if the database fails, remove the keys again."""
    keys = application.secrets
    had_folder = keys.folder.is_dir()
    if secrets is not None:
        restore_keys(keys, secrets, decryption=decryption)
    try:
        restore_organisation(application, file, decryption=decryption)
    except BaseException:
        if secrets is not None:
            keys.destroy(keep_folder=had_folder)
        raise


def _require_secrets(application: Application, secrets: str | None) -> None:
    """Check, before anything is written, that keys are not missing or overwritten."""
    folder = application.secrets.folder
    has_keys = (folder / "log.key").exists()
    if secrets is None and not has_keys:
        raise NotFound(
            f"There are no secrets in {folder}, and nothing can be signed without the log key; "
            "use --secrets FILE, or copy the folder there."
        )
    if secrets is not None and has_keys:
        raise Conflict(f"{folder} already contains keys; omit --secrets to use them.")
    if secrets is not None and not Path(secrets).is_file():
        raise NotFound(f"There is no file '{secrets}'.")


def _report(ctx: typer.Context, application: Application, *, as_json: bool) -> int:
    context = application.context
    with show_rows("Checking the books") as progress:
        verification = verify_and_note(context, progress=progress, reopen=reopening(ctx))
    lost = votes_without_key(context)
    emit(
        {
            "database": application.settings.database_name,
            "ok": verification.ok,
            "entries": verification.entries,
            "size": verification.size,
            "root": verification.root,
            "findings": [finding.message for finding in verification.findings],
            "votesWithoutKey": lost,
        },
        as_json=as_json,
        columns=[
            Column("database", "Database"),
            Column("ok", "Verified"),
            Column("entries", "Entries", Kind.COUNT),
            Column("size", "Log size", Kind.COUNT),
            Column("root", "Root"),
        ],
    )
    for finding in verification.findings:
        note(finding.message)
    for title in lost:
        note(f"Backups contain no ballot keys, so the vote on '{title}' can only be withdrawn.")
    return ExitCode.DONE if verification.ok else ExitCode.NO
